"""A library's pass: from the latest text and its scores, with history, flags, and every failure told."""

import json
from pathlib import Path

import pytest

from orch_dagster.core.decision import Finish, Retry, State
from orch_dagster.core.episode import Episode, Flag, Status
from orch_dagster.core.spending import Usage
from orch_dagster.library import Library
from orch_dagster.model import ModelError, RefusalError
from tests.engine.conftest import MakeBench, bench_of
from tests.fakes.bench import Bench
from tests.fakes.briefs import brief
from tests.fakes.scripted_model import LATENCY_MS, PRICE
from tests.fakes.tiny_library import (
    AFTER,
    BODY,
    CHAIN,
    FILES,
    LEDE,
    revision,
    tiny_library,
)

PROMPTS = (*CHAIN, *AFTER)
PASS = "content/notes/pass/winter-service.json"
DRAFT = "content/notes/draft/winter-service.json"
BRIEF = "content/brief/winter-service.json"

THREE = [
    revision("The first note.", voice=3.0),
    revision("The second note.", voice=3.5),
    revision("The third note.", voice=3.75),
]


def passes(bench: Bench) -> list[str]:
    """What the quality pass was sent, request by request."""
    return [ask.messages[1].content for ask in bench.model.asked if "/quality_pass#" in ask.trace]


def episode(bench: Bench) -> Episode:
    found = bench.ledger.records["notes"].episode
    assert found is not None
    return found


def test_a_good_pass_delivers_and_its_episode_says_so(make_bench: MakeBench):
    bench = make_bench()
    assert bench.drive(2).state is State.FINISHED
    assert bench.deliverable == "---\ntitle: Before four\n---\nThe repaired note.\n"
    assert episode(bench) == Episode(
        library="notes",
        status=Status.COMPLETE,
        word_count=3,
        voice_consistency=4.5,
        coherence_score=4.5,
        meta_generated=True,
        assembly_ready=True,
        token_usage=5 * 110,
        latency_ms=5 * LATENCY_MS,
    )


def test_the_record_points_at_the_deliverable_as_it_lies_in_the_store(make_bench: MakeBench):
    bench = make_bench()
    bench.drive(2)
    data = bench.store.documents[bench.deliverable_path]
    found = bench.ledger.records["notes"].document
    assert found == bench.store.describe(bench.deliverable_path, data)
    assert bench.deliverable_path == "content/notes/deliverable/winter-service.md"


def test_the_first_pass_works_from_the_draft_without_scores(make_bench: MakeBench):
    bench = make_bench()
    bench.drive(2)
    [sent] = passes(bench)
    assert f"<note>{LEDE}\n\n{BODY}</note>" in sent
    assert "Last time" not in sent


def test_a_later_pass_works_from_the_latest_deliverable_and_its_scores(make_bench: MakeBench):
    bench = make_bench(quality_pass=THREE)
    bench.drive(4)
    _, second, third = passes(bench)
    assert "The first note." in second
    assert "Last time: 3.0." in second
    assert "The second note." in third
    assert "Last time: 3.5." in third


def test_three_weak_passes_end_below_the_threshold(make_bench: MakeBench):
    bench = make_bench(quality_pass=[*THREE, revision("Never asked.")])
    assert bench.drive(4).state is State.NEEDS_REVIEW
    assert bench.ledger.records["notes"].scorings == 3
    assert bench.deliverable is not None
    assert "The third note." in bench.deliverable


def test_each_pass_and_what_follows_it_raise_the_attempt(make_bench: MakeBench):
    bench = make_bench(quality_pass=THREE)
    bench.drive(4)
    numbered = [f"{name}#{n}" for n in (1, 2, 3) for name in ("quality_pass", "meta")]
    assert bench.model.attempts[3:] == numbered


def test_what_follows_the_pass_is_asked_again_only_if_what_it_reads_changed(
    make_bench: MakeBench,
):
    same = revision("The same note.", voice=3.0)
    bench = make_bench(quality_pass=[same, same, same])
    bench.drive(4)
    assert bench.model.counts["quality_pass"] == 3
    assert bench.model.counts["meta"] == 1


def test_a_repair_inside_a_later_pass_raises_the_attempt_once_more(make_bench: MakeBench):
    weak, good = revision("The first note.", voice=3.0), revision("The second note.")
    bench = make_bench(quality_pass=[weak, "no object", good])
    bench.drive(4)
    numbers = [name for name in bench.model.attempts if name.startswith("quality_pass")]
    assert numbers == ["quality_pass#1", "quality_pass#2", "quality_pass#3"]
    assert bench.ledger.records["notes"].scorings == 2


def test_deliverables_that_a_later_pass_replaced_are_kept_in_order(make_bench: MakeBench):
    bench = make_bench(quality_pass=THREE)
    bench.drive(4)
    assert [text.splitlines()[-1] for text in bench.history] == [
        "The first note.",
        "The second note.",
    ]


def test_a_pass_that_changes_nothing_keeps_no_history(make_bench: MakeBench):
    same = revision("The same note.", voice=3.0)
    bench = make_bench(quality_pass=[same])
    bench.drive(4)
    assert bench.history == []


def test_tokens_cost_and_latency_of_all_passes_are_counted_once(make_bench: MakeBench):
    bench = make_bench(quality_pass=THREE)
    bench.drive(4)
    calls = len(bench.model.asked)
    assert calls == 3 + 3 * 2
    assert episode(bench).token_usage == calls * 110
    assert episode(bench).latency_ms == calls * LATENCY_MS
    assert bench.ledger.records["notes"].cost_usd == calls * PRICE


def test_the_passs_flags_are_in_the_episode(make_bench: MakeBench):
    bench = make_bench(quality_pass=[revision("A note.", flags='"use_variant_b"')])
    decision = bench.drive(2)
    assert episode(bench).flags == (Flag.USE_VARIANT_B,)
    assert decision.state is State.FINISHED


FORBIDDEN = revision("The forbidden note.")


def test_what_code_finds_is_repaired_within_the_pass(make_bench: MakeBench):
    bench = make_bench(quality_pass=[FORBIDDEN, revision("A good note.")])
    bench.drive(2)
    complaint = bench.model.asked[4].messages[-1].content
    assert "the word 'forbidden' stands in it" in complaint
    assert episode(bench).assembly_ready


def test_what_code_still_finds_is_delivered_with_a_flag_and_is_not_ready(make_bench: MakeBench):
    bench = make_bench(quality_pass=[FORBIDDEN])
    bench.draft()
    passed = bench.quality_pass()
    assert passed.deliverable is not None
    assert passed.failure == "the word 'forbidden' stands in it"
    assert passed.episode.flags == (Flag.CHECK_FAILED,)
    assert not passed.episode.assembly_ready
    assert passed.episode.voice_consistency == 4.5


def test_the_next_pass_is_told_what_code_found(make_bench: MakeBench):
    bench = make_bench(quality_pass=[FORBIDDEN])
    assert bench.drive(4).state is State.STUCK
    assert "the word 'forbidden' stands in it" not in passes(bench)[0]
    assert "- the word 'forbidden' stands in it" in passes(bench)[2]
    assert bench.ledger.records["notes"].scorings == 3


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ModelError("the server is gone"), Status.FAILED),
        (RefusalError("the model refused", Usage(prompt_tokens=40), 0.125), Status.REFUSED),
    ],
)
@pytest.mark.parametrize("prompt", ["plan", "quality_pass", "meta"])
def test_every_failure_is_a_valid_episode_without_a_deliverable(
    make_bench: MakeBench, error: ModelError, status: Status, prompt: str
):
    bench = make_bench(**{prompt: [error]})
    bench.draft()
    passed = bench.quality_pass()
    assert passed.deliverable is None
    assert passed.failure is not None
    assert str(error) in passed.failure
    assert (passed.episode.status, passed.record.status) == (status, status)
    assert Episode.model_validate_json(passed.episode.wire()) == passed.episode
    assert not passed.episode.assembly_ready
    assert passed.episode.meta_generated is False


def test_a_refusals_tokens_are_in_the_episode(make_bench: MakeBench):
    refusal = RefusalError("the model refused", Usage(prompt_tokens=40), 0.125)
    bench = make_bench(quality_pass=[refusal])
    bench.draft()
    passed = bench.quality_pass()
    assert passed.episode.token_usage == 3 * 110 + 40
    assert passed.record.cost_usd == 3 * PRICE + 0.125


def test_a_failed_pass_is_retried_alone_and_three_times(make_bench: MakeBench):
    bench = make_bench(quality_pass=[ModelError("the server is gone")])
    assert bench.drive(6).state is State.STUCK
    assert bench.model.counts == {"plan": 1, "lede": 1, "body": 1, "quality_pass": 4}


def test_a_refused_pass_waits_for_a_person_and_then_goes_on(make_bench: MakeBench):
    refusal = RefusalError("the model refused", Usage(), 0.0)
    bench = make_bench(quality_pass=[refusal, revision("The note.")])
    assert bench.drive(3).state is State.REFUSED
    bench.ledger = bench.ledger.forgiven()
    [action] = bench.decide().actions
    assert isinstance(action, Retry)
    assert bench.drive(3).state is State.FINISHED
    assert bench.model.counts["plan"] == 1


def test_a_later_pass_that_failed_goes_on_under_its_own_number(make_bench: MakeBench):
    weak, good = revision("The first note.", voice=3.0), revision("The second note.")
    bench = make_bench(quality_pass=[weak, ModelError("gone"), good])
    bench.drive(5)
    assert bench.ledger.records["notes"].scorings == 2
    assert "The first note." in passes(bench)[2]
    assert "Last time: 3.0." in passes(bench)[2]


def test_a_brief_that_changed_between_draft_and_pass_is_told(make_bench: MakeBench):
    bench = make_bench()
    bench.draft()
    bench.register(brief(title="Summer service"))
    passed = bench.quality_pass()
    assert passed.failure == (
        "notes/draft of 'winter-service': the brief changed after it was written"
    )
    assert bench.drive(3).state is State.FINISHED
    assert bench.ledger.records["notes/draft"].made_from == {"brief": bench.ledger.input}


def test_a_changed_brief_starts_with_the_draft_and_the_first_scoring(make_bench: MakeBench):
    bench = make_bench(quality_pass=[*THREE, revision("The summer note.")])
    bench.drive(4)
    bench.register(brief(title="Summer service"))
    bench.drive(4)
    assert f"<note>{LEDE}\n\n{BODY}</note>" in passes(bench)[-1]
    assert "Last time" not in passes(bench)[-1]
    assert bench.ledger.records["notes"].scorings == 1
    assert bench.history[-1].endswith("The third note.\n")


def test_a_deleted_deliverable_that_was_good_costs_no_request(make_bench: MakeBench):
    bench = make_bench()
    bench.drive(2)
    before, asked = bench.deliverable, len(bench.model.asked)
    del bench.store.documents[bench.deliverable_path]
    bench.quality_pass()
    assert bench.deliverable == before
    assert len(bench.model.asked) == asked


def test_an_edit_by_hand_is_what_the_next_pass_works_from(make_bench: MakeBench):
    bench = make_bench(quality_pass=[THREE[0], revision("The second note.")])
    bench.draft()
    bench.quality_pass()
    bench.store.documents[bench.deliverable_path] = b"A line by hand.\n"
    bench.quality_pass()
    assert "A line by hand." in passes(bench)[1]
    assert bench.history == ["A line by hand.\n"]


def test_a_new_draft_is_not_repaired_by_the_edits_of_the_old_one(make_bench: MakeBench):
    bench = make_bench(body=[BODY, BODY.replace("valley", "town")])
    bench.drive(2)
    bench.register(brief(sources="It snowed."))
    bench.drive(3)
    assert bench.model.counts["quality_pass"] == 2
    assert bench.ledger.records["notes"].made_from == {
        "notes/draft": bench.ledger.records["notes/draft"].fingerprint
    }


def test_cost_of_an_earlier_brief_is_not_in_the_episode(make_bench: MakeBench):
    bench = make_bench()
    bench.drive(2)
    bench.register(brief(title="Summer service"))
    bench.drive(3)
    asked_since = len(bench.model.asked) - 5
    assert episode(bench).token_usage == asked_since * 110


@pytest.mark.parametrize("edited", ["prompts__04_quality_pass_md", "prompts__05_meta_md"])
def test_an_edited_pass_leaves_the_draft_alone(
    make_bench: MakeBench, tiny: Library, tmp_path: Path, edited: str
):
    path = edited.replace("__", "/").removesuffix("_md") + ".md"
    changed = tiny_library(tmp_path, **{edited: FILES[path] + "Mind the rhythm.\n"})
    assert changed.draft_version == tiny.draft_version
    assert changed.pass_version != tiny.pass_version
    bench = make_bench()
    bench.drive(2)
    bench.library = changed
    bench.quality_pass()
    again = 1 if "meta" in edited else 0
    assert bench.model.counts == {**dict.fromkeys(PROMPTS, 1), "meta": 1 + again} | (
        {} if again else {"quality_pass": 2}
    )


def test_the_work_reads_its_own_documents_and_no_other_librarys(make_bench: MakeBench):
    bench = make_bench(quality_pass=THREE)
    bench.drive(4)
    folders = {path.split("/")[1] for path in bench.store.reads}
    assert folders == {"brief", "notes"}


def test_a_row_is_due_after_the_last_pass(make_bench: MakeBench):
    bench = make_bench()
    bench.draft()
    bench.quality_pass()
    [action] = bench.decide().actions
    assert isinstance(action, Finish)


def test_the_drafts_own_failure_is_told_by_the_pass(make_bench: MakeBench):
    bench = make_bench(lede=[ModelError("the server is gone")])
    bench.draft()
    passed = bench.quality_pass()
    assert passed.failure == "notes/draft of 'winter-service': the server is gone"
    assert "quality_pass" not in bench.model.prompts


def test_a_pass_file_that_is_none_is_told(make_bench: MakeBench):
    bench = make_bench()
    bench.draft()
    bench.store.documents[PASS] = b"{}"
    passed = bench.quality_pass()
    assert passed.failure is not None
    assert passed.failure.startswith(f"{PASS}: no transcript of ours")


def test_a_brief_that_is_gone_from_the_store_makes_the_article_stuck(make_bench: MakeBench):
    bench = make_bench()
    del bench.store.documents[BRIEF]
    assert bench.drive(10).state is State.STUCK


def test_a_brief_in_the_store_that_was_never_registered_makes_the_article_stuck(
    make_bench: MakeBench,
):
    bench = make_bench()
    bench.shelf.write_brief(brief(title="Summer service"))
    assert bench.drive(10).state is State.STUCK


def test_a_draft_that_is_gone_from_the_store_makes_the_article_stuck(make_bench: MakeBench):
    bench = make_bench()
    bench.draft()
    del bench.store.documents[DRAFT]
    assert bench.drive(10).state is State.STUCK


def test_a_draft_other_than_the_one_recorded_makes_the_article_stuck(make_bench: MakeBench):
    bench = make_bench()
    bench.draft()
    other = json.loads(bench.store.documents[DRAFT])
    other["answers"][1]["text"] = "Another lede."
    bench.store.documents[DRAFT] = json.dumps(other).encode()
    assert bench.drive(10).state is State.STUCK


def test_a_brief_that_cannot_be_read_costs_no_answer(make_bench: MakeBench):
    bench = make_bench()
    bench.draft()
    kept = bench.store.documents.pop(BRIEF)
    bench.draft()
    bench.store.documents[BRIEF] = kept
    bench.draft()
    assert bench.model.counts["plan"] == 1


def test_a_refusals_tokens_stay_counted_after_a_person_asks_again(make_bench: MakeBench):
    refusal = RefusalError("the model refused", Usage(prompt_tokens=40), 0.125)
    bench = make_bench(quality_pass=[refusal, revision("The note.")])
    bench.drive(3)
    bench.ledger = bench.ledger.forgiven()
    bench.drive(3)
    assert episode(bench).token_usage == 5 * 110 + 40


@pytest.mark.parametrize("made", [1, 2])
def test_a_deleted_weak_deliverable_costs_no_request(make_bench: MakeBench, made: int):
    bench = make_bench(quality_pass=THREE)
    bench.draft()
    for _ in range(made):
        bench.quality_pass()
    before = bench.store.documents.pop(bench.deliverable_path).decode()
    bench.quality_pass()
    assert bench.model.counts["quality_pass"] == made
    assert bench.deliverable == before


def test_a_deliverable_that_is_no_utf_8_any_more_is_told(make_bench: MakeBench):
    bench = make_bench(quality_pass=THREE)
    bench.draft()
    bench.quality_pass()
    bench.store.documents[bench.deliverable_path] = "Bärlauch".encode("latin-1")
    assert bench.quality_pass().episode.status is Status.FAILED


def test_the_bench_makes_what_the_assets_make(tiny: Library):
    bench = bench_of(tiny, {})
    bench.drive(2)
    assert sorted(bench.store.documents) == sorted([BRIEF, DRAFT, PASS, bench.deliverable_path])
