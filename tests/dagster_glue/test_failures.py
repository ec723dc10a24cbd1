"""Failures are data: they are tried again, up to a point, and they leave documents."""

from typing import Any

import dagster as dg
import pytest

from orch_dagster.core.decision import Retry, State
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.conftest import Open
from tests.dagster_glue.studio import STRONG

DOWN: dict[str, Any] = {"match": "*/note/text#*", "status": 500, "headers": {"retry-after-ms": 1}}
"""A server that fails one prompt; it names a short pause, so that nobody waits."""

TRIES = 6
"""Requests that the client makes before it gives up one answer."""


def test_a_failing_library_is_retried_three_times_and_then_the_article_is_stuck(
    studio: Open,
) -> None:
    opened = studio(DOWN, STRONG)
    opened.register(brief("cellar"))
    told = opened.drive("cellar")
    assert told[-1].state is State.STUCK
    assert told[-1].reasons == ("note/draft: failed 4 times in a row",)
    assert [type(d.actions[0]) for d in told[1:-1]] == [Retry, Retry, Retry]
    assert opened.asked()["note/text"] == 4 * TRIES
    assert opened.asked()["note/outline"] == 1


def test_a_failure_stays_in_its_library(studio: Open) -> None:
    opened = studio(DOWN, STRONG)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    assert opened.file("content/card/deliverable/cellar.json").exists()
    assert opened.asked()["card/idea"] == 1
    assert opened.asked()["card/quality_pass"] == 1
    assert not opened.file("content/note/deliverable/cellar.md").exists()
    assert not opened.file("content/row/cellar.json").exists()


def test_a_failure_is_no_failed_run_and_says_in_words_what_happened(studio: Open) -> None:
    opened = studio(DOWN, STRONG)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    assert {run.status for run in opened.runs("cellar")} == {dg.DagsterRunStatus.SUCCESS}
    assert opened.metadata("note/episode", "cellar")["status"] == "failed"
    assert "500" in opened.metadata("note/draft", "cellar")["failure"]
    assert "500" in opened.metadata("note/episode", "cellar")["failure"]


def test_asking_again_for_a_stuck_article_starts_it(studio: Open) -> None:
    opened = studio({**DOWN, "times": 4 * TRIES}, STRONG)
    opened.register(brief("cellar"))
    assert opened.drive("cellar")[-1].state is State.STUCK
    assert opened.drive("cellar")[-1].state is State.FINISHED
    assert opened.asked()["note/outline"] == 1
    assert opened.asked()["note/text"] == 4 * TRIES + 1


def test_one_failed_request_is_tried_again_within_the_run(studio: Open) -> None:
    opened = studio({**DOWN, "times": 1}, STRONG)
    opened.register(brief("cellar"))
    assert opened.drive("cellar")[-1].state is State.FINISHED
    assert len(opened.runs("cellar")) == 1
    traces = [r["trace"] for r in opened.records() if r["event"] == "asked"]
    assert traces.count("content/cellar/note/text#1") == 2


@pytest.mark.parametrize("prompt", ["text", "quality_pass"])
def test_a_refusal_is_not_retried(studio: Open, prompt: str) -> None:
    opened = studio({"match": f"*/note/{prompt}#*", "refusal": "I would rather not."}, STRONG)
    opened.register(brief("cellar"))
    told = opened.drive("cellar")
    assert told[-1].state is State.REFUSED
    assert "the model refused" in told[-1].reasons[0]
    assert opened.asked()[f"note/{prompt}"] == 1
    assert opened.report("cellar")["libraries"]["note"]["status"] == "refused"
    assert opened.report("cellar")["libraries"]["note"]["tokens"] > 0


def test_a_person_may_ask_again_after_a_refusal(studio: Open) -> None:
    opened = studio({"match": "*/note/text#*", "refusal": "No.", "times": 1}, STRONG)
    opened.register(brief("cellar"))
    assert opened.drive("cellar")[-1].state is State.REFUSED
    assert opened.drive("cellar")[-1].state is State.FINISHED


def test_an_answer_of_the_wrong_form_is_repaired_once(studio: Open) -> None:
    opened = studio({"match": "*/note/outline#1", "content": '{"thread": "long enough"}'}, STRONG)
    opened.register(brief("cellar"))
    assert opened.drive("cellar")[-1].state is State.FINISHED
    assert opened.asked()["note/outline"] == 2
    [repair] = [
        record["body"]["messages"][-1]["content"]
        for record in opened.records()
        if record["event"] == "asked" and record["trace"].endswith("note/outline#2")
    ]
    assert "points: Field required" in repair
