"""What a weak score costs: the pass alone, again."""

import json
from pathlib import Path
from typing import Any

from orch_dagster.core.decision import Rework, State
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.conftest import Open
from tests.dagster_glue.studio import STRONG, weak


def test_an_article_that_passes_at_once_needs_one_run_and_one_call_a_prompt(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(brief("cellar"))
    first, last = opened.drive("cellar")
    assert first.state is State.NEW
    assert last.state is State.FINISHED
    assert len(opened.runs("cellar")) == 1
    assert opened.asked() == dict.fromkeys(opened.prompts(), 1)


def test_a_weak_episode_repeats_only_the_quality_pass(studio: Open) -> None:
    opened = studio(weak("note", attempt="1"), STRONG)
    opened.register(brief("cellar"))
    told = opened.drive("cellar")
    [rework] = told[1].actions
    assert isinstance(rework, Rework)
    assert (rework.step, rework.scoring) == ("note", 2)
    assert told[-1].state is State.FINISHED
    _, repair = opened.runs("cellar")
    assert opened.selection(repair) == {"note/deliverable", "note/episode", "row"}
    assert opened.asked() == dict.fromkeys(opened.prompts(), 1) | {"note/quality_pass": 2}


def test_a_replaced_deliverable_is_kept_in_the_history(studio: Open) -> None:
    opened = studio(
        _pass_that_writes("The first text of it.", attempt="1", voice=3.1),
        _pass_that_writes("The second text of it.", attempt="2"),
        STRONG,
    )
    opened.register(brief("cellar"))
    opened.drive("cellar")
    now = opened.file("content/note/deliverable/cellar.md").read_text("utf-8")
    old = opened.file("content/note/history/cellar/1.md").read_text("utf-8")
    assert "The second text" in now
    assert "The first text" in old
    assert not opened.file("content/note/history/cellar/2.md").exists()


def test_a_repeated_pass_reads_the_latest_deliverable_and_its_scores(studio: Open) -> None:
    opened = studio(
        _pass_that_writes("The first text of it.", attempt="1", voice=3.1),
        STRONG,
    )
    opened.register(brief("cellar"))
    opened.drive("cellar")
    [again] = [
        record["body"]["messages"][-1]["content"]
        for record in opened.records()
        if record["event"] == "asked" and record["trace"].endswith("note/quality_pass#2")
    ]
    assert "The first text of it." in again
    assert "It was scored 3.1 before." in again


def test_an_article_that_stays_weak_waits_for_review_after_three_scorings(studio: Open) -> None:
    opened = studio(weak("note"), STRONG)
    opened.register(brief("cellar"))
    last = opened.drive("cellar")[-1]
    assert last.state is State.NEEDS_REVIEW
    assert opened.asked()["note/quality_pass"] == 3
    assert opened.asked()["note/text"] == 1
    row = _row(opened.folder)
    assert row["flags"] == ["below_threshold"]
    assert row["status"] == "needs_review"
    assert row["libraries"]["note"]["passes"] == 3
    assert "voice_consistency 3.1 stays under 4 after 3 scorings" in row["decision"]
    assert opened.drive("cellar")[-1].state is State.NEEDS_REVIEW
    assert opened.asked()["note/quality_pass"] == 3


def test_a_deliverable_that_breaks_a_check_of_code_never_gets_into_a_row(studio: Open) -> None:
    opened = studio(_pass_that_writes("It is broken, this one."), STRONG)
    opened.register(brief("cellar"))
    last = opened.drive("cellar")[-1]
    assert last.state is State.STUCK
    assert last.reasons == ("note: not ready after 3 scorings (a check by code failed)",)
    assert not opened.file("content/row/cellar.json").exists()
    assert opened.report("cellar")["libraries"]["note"]["flags"] == ["check_failed"]


def test_every_scoring_asks_anew_also_where_the_last_changed_nothing(studio: Open) -> None:
    same = {**STRONG["set"], "voice_consistency": 3.1, "deliverable": "The same text every time."}
    opened = studio({"match": "*/note/quality_pass#*", "set": same}, STRONG)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    assert opened.report("cellar")["libraries"]["note"]["passes"] == 3
    assert opened.asked()["note/quality_pass"] == 3


def _pass_that_writes(text: str, *, attempt: str = "*", voice: float = 4.6) -> dict[str, Any]:
    values = {**STRONG["set"], "voice_consistency": voice, "deliverable": text}
    return {"match": f"*/note/quality_pass#{attempt}", "set": values}


def _row(store: Path) -> dict:
    return json.loads((store / "content/row/cellar.json").read_text("utf-8"))
