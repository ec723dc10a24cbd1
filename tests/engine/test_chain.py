"""The chain: asks in order, keeps every answer, repairs once."""

import json
from pathlib import Path
from typing import Any

import pytest

from orch_dagster.core.episode import Status
from orch_dagster.core.spending import Usage
from orch_dagster.library import Library
from orch_dagster.model import Ask, ModelError, RefusalError
from orch_dagster.transcript import Transcript
from tests.engine.conftest import MakeBench, bench_of
from tests.fakes.bench import Bench
from tests.fakes.briefs import brief
from tests.fakes.memory_store import MemoryStore
from tests.fakes.scripted_model import PRICE, ScriptedModel
from tests.fakes.tiny_library import BODY, CHAIN, FILES, GOOD, LEDE, PLAN, tiny_library

DRAFT = "content/notes/draft/winter-service.json"


def stored_draft(bench: Bench) -> Transcript:
    return Transcript.model_validate_json(bench.store.documents[DRAFT])


def asked_again(bench: Bench, library: Library) -> list[str]:
    """The prompts that the same article's chain asks on the same store with this library."""
    model = ScriptedModel(GOOD)
    again = Bench(library, model, bench.store)
    again.ledger = bench.ledger
    assert again.draft().transcript.status is Status.COMPLETE
    return model.prompts


def changed_file(prompt: str, old: str, new: str) -> dict[str, Any]:
    """One prompt file of the tiny library with a part of it replaced."""
    assert old in FILES[prompt]
    return {prompt.replace("/", "__").replace(".", "_"): FILES[prompt].replace(old, new)}


def test_the_prompts_are_asked_in_order_and_the_pass_is_not(make_bench: MakeBench):
    bench = make_bench()
    drafted = bench.draft()
    assert bench.model.prompts == list(CHAIN)
    assert drafted.transcript.status is Status.COMPLETE
    assert [answer.text for answer in drafted.transcript.answers] == [PLAN, LEDE, BODY]


def test_a_request_carries_trace_role_cap_schema_and_its_place(make_bench: MakeBench):
    bench = make_bench()
    bench.draft()
    plan, lede, body = bench.model.asked
    assert plan.trace == "content/winter-service/notes/plan#1"
    assert [ask.role for ask in (plan, lede, body)] == ["reasoning", "fast", "fast"]
    assert [ask.max_tokens for ask in (plan, lede, body)] == [500, 500, 700]
    assert (plan.schema_name, lede.schema_name) == ("Plan", None)
    assert plan.schema is not None
    assert list(plan.schema["properties"]) == ["points"]
    assert lede.schema is None
    assert {(ask.library, ask.chain_length) for ask in (plan, lede, body)} == {("notes", 5)}


def test_a_prompt_sees_what_it_declares_and_nothing_else(make_bench: MakeBench):
    bench = make_bench()
    bench.draft()
    plan, lede, body = (ask.messages[1].content for ask in bench.model.asked)
    assert "brand_voice" not in plan
    assert "salt, snow" in lede
    assert LEDE in body
    assert "about 12 words" in body
    assert "core_thesis" not in body


def test_every_answer_is_in_the_store_before_the_next_prompt_is_asked(make_bench: MakeBench):
    seen: list[list[str]] = []
    bench = make_bench()

    def lookout(text: str):
        def line(request: Ask) -> str:
            kept = bench.store.documents.get(DRAFT)
            seen.append([a["prompt"] for a in json.loads(kept)["answers"]] if kept else [])
            return text

        return line

    for prompt in CHAIN:
        bench.model.script[prompt] = [lookout(GOOD[prompt][0])]
    bench.draft()
    assert seen == [[], ["plan"], ["plan", "lede"]]


def test_a_draft_that_is_done_asks_nothing_again(make_bench: MakeBench):
    bench = make_bench()
    first = bench.draft()
    second = bench.draft()
    assert bench.model.prompts == list(CHAIN)
    assert second.transcript == first.transcript
    assert second.record == first.record


PLAN_FILE, LEDE_FILE, BODY_FILE = "prompts/01_plan.md", "prompts/02_lede.md", "prompts/03_body.md"


@pytest.mark.parametrize(
    ("change", "again"),
    [
        (changed_file(LEDE_FILE, "Write the lede", "Write a new lede"), ["lede"]),
        (changed_file(BODY_FILE, "Go on after", "Continue"), ["body"]),
        (changed_file(LEDE_FILE, "max_tokens: 500", "max_tokens: 501"), ["lede"]),
        (changed_file(BODY_FILE, "per_word: 2.0", "per_word: 3.0"), ["body"]),
        (changed_file(BODY_FILE, "words: 0.04", "words: 0.05"), ["body"]),
        (changed_file(LEDE_FILE, ", brand_voice", ""), ["lede"]),
        (changed_file("models.py", "max_length=3", "max_length=4"), ["plan"]),
        (changed_file("system.md", "notes", "short notes"), list(CHAIN)),
        (changed_file(LEDE_FILE, "job: Lede", "job: The lede"), []),
        (changed_file("prompts/04_quality_pass.md", "Last time", "Before"), []),
        (changed_file("models.py", "max_length=20", "max_length=30"), []),
    ],
    ids=[
        "prompt text", "last prompt's text", "cap", "cap per word", "length", "fields read", "schema",
        "system text", "job, which no model sees", "pass", "pass's schema",
    ],
)  # fmt: skip
def test_what_an_answer_was_made_from_decides_whether_it_is_asked_again(
    make_bench: MakeBench, tmp_path: Path, change: dict[str, Any], again: list[str]
):
    bench = make_bench()
    bench.draft()
    assert asked_again(bench, tiny_library(tmp_path, **change)) == again


def test_another_model_is_asked_everything_again(make_bench: MakeBench):
    bench = make_bench()
    bench.draft()
    bench.model.name = "scripted-2"
    bench.draft()
    assert bench.model.prompts == [*CHAIN, *CHAIN]


@pytest.mark.parametrize(
    ("changes", "again"),
    [
        ({"brand_voice": "Dry."}, ["lede"]),
        ({"sources": "It snowed."}, ["body"]),
        ({"title": "Summer service"}, list(CHAIN)),
        ({"crm_trigger": "Never."}, []),
        ({"words": 400}, ["body"]),
    ],
)
def test_a_changed_brief_asks_the_prompts_that_read_what_changed(
    make_bench: MakeBench, changes: dict[str, Any], again: list[str]
):
    bench = make_bench()
    bench.draft()
    bench.register(brief(**changes))
    drafted = bench.draft()
    assert bench.model.prompts[len(CHAIN) :] == again
    assert drafted.record.made_from == {"brief": bench.ledger.input}


def test_an_answer_that_came_out_different_is_read_by_those_after_it(make_bench: MakeBench):
    bench = make_bench(lede=[LEDE, "Rain fell all night."])
    bench.draft()
    bench.register(brief(brand_voice="Dry."))
    bench.draft()
    assert bench.model.prompts == [*CHAIN, "lede", "body"]


def test_a_later_attempt_has_a_higher_number_also_after_the_brief_changed(make_bench: MakeBench):
    bench = make_bench()
    bench.draft()
    bench.register(brief(title="Summer service"))
    bench.draft()
    assert bench.model.attempts == ["plan#1", "lede#1", "body#1", "plan#2", "lede#2", "body#2"]


BAD_PLAN = '{"points": []}'


def test_a_bad_answer_is_repaired_once_with_its_fault_quoted(make_bench: MakeBench):
    bench = make_bench(plan=[BAD_PLAN, PLAN])
    drafted = bench.draft()
    assert drafted.transcript.status is Status.COMPLETE
    assert bench.model.attempts[:3] == ["plan#1", "plan#2", "lede#1"]
    first, second = bench.model.asked[:2]
    assert second.messages[:2] == first.messages
    said, complaint = second.messages[2:]
    assert (said.role, said.content) == ("assistant", BAD_PLAN)
    assert complaint.role == "user"
    assert "points: Tuple should have at least 1 item" in complaint.content


def test_an_answer_that_is_bad_twice_fails_in_words(make_bench: MakeBench):
    bench = make_bench(plan=[BAD_PLAN])
    drafted = bench.draft()
    assert bench.model.attempts == ["plan#1", "plan#2"]
    assert drafted.transcript.status is Status.FAILED
    assert drafted.transcript.failure is not None
    assert drafted.transcript.failure.startswith(
        "notes/prompts/01_plan.md: the answer could not be used, also after one repair: points:"
    )


def test_a_retry_after_a_vain_repair_asks_anew_from_the_start(make_bench: MakeBench):
    bench = make_bench(plan=[BAD_PLAN, BAD_PLAN, PLAN])
    bench.draft()
    drafted = bench.draft()
    assert drafted.transcript.status is Status.COMPLETE
    assert bench.model.attempts[:3] == ["plan#1", "plan#2", "plan#3"]
    assert len(bench.model.asked[2].messages) == 2


def test_a_limit_that_the_library_accepts_by_is_not_let_be(make_bench: MakeBench):
    bench = make_bench(body=[LEDE])
    drafted = bench.draft()
    assert drafted.transcript.failure is not None
    assert drafted.transcript.failure.endswith("the body repeats the lede")


def test_a_length_far_off_is_repaired_once_and_then_kept(make_bench: MakeBench):
    bench = make_bench(body=["Too short."])
    drafted = bench.draft()
    assert drafted.transcript.status is Status.COMPLETE
    assert bench.model.attempts[-2:] == ["body#1", "body#2"]
    complaint = bench.model.asked[-1].messages[-1].content
    assert "the text has 2 words; about 12 words are asked for" in complaint


@pytest.mark.parametrize("text", ["", "  \n "])
def test_an_empty_text_is_no_answer(make_bench: MakeBench, text: str):
    drafted = make_bench(lede=[text]).draft()
    assert drafted.transcript.failure is not None
    assert drafted.transcript.failure.endswith("the answer is empty")


def test_half_a_surrogate_pair_does_not_break_the_store(make_bench: MakeBench):
    bench = make_bench(lede=["Snow \ud83d fell."])
    assert bench.draft().transcript.status is Status.COMPLETE
    assert stored_draft(bench).answers[1].text == "Snow ? fell."


def test_a_refusal_is_an_outcome_and_its_tokens_count(make_bench: MakeBench):
    refusal = RefusalError("the model refused: no snow", Usage(prompt_tokens=40), 0.125)
    bench = make_bench(lede=[refusal])
    drafted = bench.draft()
    assert drafted.transcript.status is Status.REFUSED
    assert drafted.transcript.failure == "the model refused: no snow"
    assert drafted.record.status is Status.REFUSED
    assert drafted.transcript.spent.usage.total == 110 + 40
    assert drafted.record.cost_usd == PRICE + 0.125


def test_a_failure_keeps_what_was_answered_before_it(make_bench: MakeBench):
    bench = make_bench(body=[ModelError("the server is gone"), BODY])
    first = bench.draft()
    assert (first.transcript.status, first.transcript.failure) == (
        Status.FAILED,
        "the server is gone",
    )
    assert first.record.failures == 1
    assert bench.draft().transcript.status is Status.COMPLETE
    assert bench.model.prompts == ["plan", "lede", "body", "body"]


def test_failures_in_a_row_are_counted_and_a_success_ends_the_count(make_bench: MakeBench):
    gone = ModelError("the server is gone")
    bench = make_bench(plan=[gone, gone, PLAN])
    assert [bench.draft().record.failures for _ in range(3)] == [1, 2, 0]


def test_a_changed_brief_starts_the_count_of_failures_anew(make_bench: MakeBench):
    bench = make_bench(plan=[ModelError("the server is gone")])
    bench.draft()
    bench.register(brief(title="Summer service"))
    assert bench.draft().record.failures == 1


def test_tokens_and_cost_add_up_over_repairs_and_retries(make_bench: MakeBench):
    bench = make_bench(plan=[BAD_PLAN, PLAN], body=[ModelError("gone"), BODY])
    bench.draft()
    drafted = bench.draft()
    assert drafted.transcript.spent.calls == 4
    assert drafted.transcript.spent.usage.total == 4 * 110
    assert drafted.record.cost_usd == 4 * PRICE


def test_an_answer_kept_from_an_earlier_brief_costs_nothing_again(make_bench: MakeBench):
    bench = make_bench()
    bench.draft()
    bench.register(brief(brand_voice="Dry."))
    assert bench.draft().transcript.spent.calls == 1


def test_an_unknown_price_makes_the_cost_unknown(make_bench: MakeBench):
    bench = make_bench()
    bench.model.price = None
    drafted = bench.draft()
    assert drafted.record.cost_usd is None
    assert drafted.transcript.spent.usage.total == 330


def test_a_transcript_that_is_none_is_told_with_the_file_and_the_way_out(make_bench: MakeBench):
    bench = make_bench()
    bench.store.documents[DRAFT] = b'{"article": 1}'
    drafted = bench.draft()
    assert drafted.transcript.status is Status.FAILED
    assert drafted.transcript.failure is not None
    assert drafted.transcript.failure.startswith(f"{DRAFT}: no transcript of ours (delete")


def test_libraries_of_other_articles_do_not_meet(tiny: Library):
    bench = bench_of(tiny, {})
    bench.draft()
    other = Bench(tiny, ScriptedModel(GOOD), MemoryStore())
    other.store.documents = bench.store.documents
    other.register(brief(slug="summer-service"))
    other.draft()
    assert other.model.prompts == list(CHAIN)
