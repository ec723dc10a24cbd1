"""What each materialization says of itself, for the orchestrator and for plots."""

import json
from collections.abc import Iterator

import dagster as dg
import pytest

from orch_dagster.core.ledger import Record
from orch_dagster.core.row import Row
from orch_dagster.spending_table import read_spending
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.conftest import Open
from tests.dagster_glue.studio import STRONG, Studio, weak


@pytest.fixture
def driven(studio: Open) -> Iterator[Studio]:
    """An article whose note needed a second scoring."""
    opened = studio(weak("note", "1"), STRONG)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    yield opened


def test_the_documents_say_what_they_are(driven: Studio) -> None:
    _check_the_episode(driven)
    _check_the_deliverable(driven)
    _check_the_draft(driven)
    _check_the_spending(driven)
    _check_the_row(driven)
    _check_the_gates(driven)


def _check_the_episode(driven: Studio) -> None:
    metadata = driven.metadata("note/episode", "cellar")
    text = driven.file("content/note/deliverable/cellar.md").read_bytes()
    assert metadata["voice_consistency"] == 4.6
    assert metadata["coherence_score"] == 4.4
    assert metadata["scoring"] == 2
    assert metadata["status"] == "complete"
    assert metadata["flags"] == "none"
    assert metadata["words"] > 5
    assert metadata["tokens"] > 100
    assert metadata["latency_ms"] >= 0
    assert metadata["bytes"] == len(text)
    assert metadata["url"] == driven.file("content/note/deliverable/cellar.md").as_uri()
    record = Record.model_validate(metadata["record"])
    assert record.episode is not None
    assert record.scorings == 2
    wire = json.loads(driven.file("content/note/episode/cellar.json").read_bytes())
    assert list(wire) == [
        "library", "status", "word_count", "voice_consistency", "coherence_score",
        "meta_generated", "assembly_ready", "flags", "token_usage", "latency_ms",
    ]  # fmt: skip
    assert wire == json.loads(record.episode.wire())


def _check_the_deliverable(driven: Studio) -> None:
    metadata = driven.metadata("note/deliverable", "cellar")
    assert metadata["scoring"] == 2
    assert {"url", "bytes", "sha256", "words"} <= set(metadata)


def _check_the_spending(driven: Studio) -> None:
    draft, episode = (driven.metadata(f"note/{asset}", "cellar") for asset in ("draft", "episode"))
    chain, quality_pass = read_spending(draft["spending"]), read_spending(episode["spending"])
    assert chain.prompts.keys() == {"outline", "text"}
    assert quality_pass.prompts.keys() == {"quality_pass", "meta"}
    assert quality_pass.prompts["quality_pass"].calls == 2
    whole = chain.total + quality_pass.total
    assert episode["prompt_tokens"] == whole.usage.prompt_tokens
    assert episode["completion_tokens"] == whole.usage.completion_tokens
    assert episode["tries"] == whole.tries == driven_calls(driven)
    assert episode["tokens"] == whole.usage.total
    assert draft["prompt_tokens"] == chain.total.usage.prompt_tokens
    assert "cost_usd" not in episode  # a server of one's own has no price
    assert "spending" not in episode["record"]


def driven_calls(driven: Studio) -> int:
    return sum(count for prompt, count in driven.asked().items() if prompt.startswith("note/"))


def _check_the_draft(driven: Studio) -> None:
    metadata = driven.metadata("note/draft", "cellar")
    assert metadata["answers"] == 2
    assert metadata["failure"] == "none"
    assert metadata["tokens"] > 0
    assert Record.model_validate(metadata["record"]).made_from.keys() == {"brief"}


def _check_the_row(driven: Studio) -> None:
    metadata = driven.metadata("row", "cellar")
    row = Row.model_validate(metadata["row"])
    assert metadata["status"] == row.status == "assembled"
    assert metadata["libraries"] == len(driven.pipeline.libraries)
    assert metadata["tokens"] == sum(result.tokens for result in row.libraries.values())
    assert row.libraries["note"].passes == 2
    stored = json.loads(driven.file("content/row/cellar.json").read_bytes())
    assert Row.model_validate(stored) == row


def _check_the_gates(driven: Studio) -> None:
    first, second = (
        [event.asset_check_evaluation_data for event in driven.events(run) if _is_check(event)]
        for run in driven.runs("cellar")
    )
    notes = [e for e in first if e.asset_key == dg.AssetKey(["note", "episode"])]
    by_name = {evaluation.check_name: evaluation for evaluation in notes}
    assert not by_name["voice_consistency"].passed
    assert by_name["coherence_score"].passed
    assert by_name["voice_consistency"].severity is dg.AssetCheckSeverity.WARN
    assert by_name["voice_consistency"].metadata["score"].value == 3.1
    assert by_name["voice_consistency"].metadata["minimum"].value == 4.0
    assert [evaluation.passed for evaluation in second] == [True, True]


def test_a_gate_missed_at_the_cap_is_an_error(studio: Open) -> None:
    opened = studio(weak("note"), STRONG)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    *_, last = opened.runs("cellar")
    checks = [e.asset_check_evaluation_data for e in opened.events(last) if _is_check(e)]
    [missed] = [check for check in checks if not check.passed]
    assert missed.severity is dg.AssetCheckSeverity.ERROR
    assert last.status is dg.DagsterRunStatus.SUCCESS


def _is_check(event: dg.DagsterEvent) -> bool:
    return event.event_type is dg.DagsterEventType.ASSET_CHECK_EVALUATION


def test_tokens_that_no_server_told_are_in_no_plot(studio: Open) -> None:
    opened = studio({"match": "*/note/*", "usage": None}, STRONG)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    metadata = opened.metadata("note/episode", "cellar")
    assert not {"prompt_tokens", "cached_tokens", "completion_tokens"} & metadata.keys()
    spent = read_spending(metadata["spending"]).current
    assert (spent.usage.prompt_tokens, spent.cost_usd) == (None, None)
