"""What the heartbeat does about weak work: the pass alone, at most twice more."""

import json
from typing import Any

import dagster as dg

from orch_dagster.core.decision import State, decide
from orch_dagster.core.row import Row
from orch_dagster.drive import look
from orch_dagster.runs import DECISION_TAG, REASON_TAG
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.studio import STRONG, Studio, weak
from tests.heartbeat.conftest import OpenLab


def test_an_article_that_passes_at_once_has_its_row_from_the_one_run(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    [only] = opened.daemon.live()
    assert only.tags[DECISION_TAG] == "run"
    assert "note/draft: not made yet" in only.tags[REASON_TAG]
    assert _state(opened.studio) is State.FINISHED
    assert opened.studio.asked() == dict.fromkeys(opened.studio.prompts(), 1)


def test_a_weak_library_is_launched_again_alone_with_the_row(lab: OpenLab) -> None:
    opened = lab(weak("note", attempt="1"), STRONG)
    opened.studio.register(brief("cellar"))
    first, second = opened.daemon.live()
    assert first.status is dg.DagsterRunStatus.SUCCESS
    assert opened.studio.selection(second) == {"note/deliverable", "note/episode", "row"}
    assert second.tags["dagster/partition"] == "cellar"
    assert second.tags[DECISION_TAG] == "rework"
    assert second.tags[REASON_TAG] == ("note: voice_consistency 3.1 is under 4; scoring 2 of 3")
    again = dict.fromkeys(opened.studio.prompts(), 1) | {"note/quality_pass": 2}
    assert opened.studio.asked() == again


def test_a_run_with_a_weak_article_succeeds_and_skips_its_row(lab: OpenLab) -> None:
    opened = lab(weak("note"), STRONG)
    opened.studio.register(brief("cellar"))
    [run] = opened.daemon.beat()
    assert run.status is dg.DagsterRunStatus.SUCCESS
    made = {event.asset_key for event in opened.studio.events(run) if event.is_step_materialization}
    assert dg.AssetKey("row") not in made
    assert not opened.studio.file("content/row/cellar.json").exists()


def test_several_weak_libraries_go_in_one_run(lab: OpenLab) -> None:
    opened = lab(weak("note", attempt="1"), weak("card", attempt="1"), STRONG)
    opened.studio.register(brief("cellar"))
    _, second = opened.daemon.live()
    assert opened.studio.selection(second) == {
        "note/deliverable",
        "note/episode",
        "card/deliverable",
        "card/episode",
        "row",
    }
    assert second.tags[REASON_TAG].count("scoring 2 of 3") == 2
    assert opened.studio.asked()["note/quality_pass"] == 2
    assert opened.studio.asked()["card/quality_pass"] == 2


def test_a_library_that_stays_weak_gets_two_more_passes_and_then_a_review(lab: OpenLab) -> None:
    opened = lab(*(_note_pass(attempt, voice=3.1) for attempt in (1, 2, 3)), STRONG)
    opened.studio.register(brief("cellar"))
    assert len(opened.daemon.live()) == 3
    assert _state(opened.studio) is State.NEEDS_REVIEW
    _check_the_row_of_a_weak_article(opened.studio)
    texts = [opened.studio.file(f"content/note/history/cellar/{n}.md") for n in (1, 2)]
    assert ["Text number 1" in texts[0].read_text("utf-8")] == [True]
    assert ["Text number 2" in texts[1].read_text("utf-8")] == [True]
    now = opened.studio.file("content/note/deliverable/cellar.md").read_text("utf-8")
    assert "Text number 3" in now


def _check_the_row_of_a_weak_article(studio: Studio) -> None:
    row = Row.model_validate(json.loads(studio.file("content/row/cellar.json").read_bytes()))
    assert row.flags == ("below_threshold",)
    assert row.status == "needs_review"
    assert row.libraries["note"].scores["voice_consistency"] == 3.1
    assert row.libraries["note"].passes == 3
    shown = studio.metadata("row", "cellar")
    assert shown["decision"] == row.decision
    assert row.decision == "note: voice_consistency 3.1 stays under 4 after 3 scorings"
    assert shown["flags"] == "below_threshold"


def test_a_deliverable_that_never_gets_ready_makes_the_article_stuck(lab: OpenLab) -> None:
    opened = lab(_note_pass("*", text="It is broken for ever, this one."), STRONG)
    opened.studio.register(brief("cellar"))
    runs = opened.daemon.live()
    assert [run.tags[DECISION_TAG] for run in runs] == ["run", "rework", "rework"]
    assert _state(opened.studio) is State.STUCK
    assert opened.studio.report("cellar")["next"] == (
        "note: not ready after 3 scorings (a check by code failed)"
    )
    assert not opened.studio.file("content/row/cellar.json").exists()
    assert opened.daemon.tick() == []


def test_a_weak_library_does_not_wait_for_one_that_is_stuck(lab: OpenLab) -> None:
    opened = lab(
        _note_pass("*", text="It is broken for ever, this one."), weak("card", attempt="1"), STRONG
    )
    opened.studio.register(brief("cellar"))
    opened.daemon.live()
    assert opened.studio.report("cellar")["libraries"]["card"]["passes"] == 2
    assert _state(opened.studio) is State.STUCK


def test_in_the_ui_a_gate_warns_while_passes_remain_and_is_an_error_at_the_cap(
    lab: OpenLab,
) -> None:
    opened = lab(weak("note"), STRONG)
    opened.studio.register(brief("cellar"))
    found = [_missed_gate(opened.studio, run) for run in opened.daemon.live()]
    assert [(check.severity, check.partition) for check in found] == [
        (dg.AssetCheckSeverity.WARN, "cellar"),
        (dg.AssetCheckSeverity.WARN, "cellar"),
        (dg.AssetCheckSeverity.ERROR, "cellar"),
    ]
    assert [check.metadata["scoring"].value for check in found] == [1, 2, 3]
    assert [check.metadata["score"].value for check in found] == [3.1] * 3


def _missed_gate(studio: Studio, run: dg.DagsterRun) -> Any:
    checks = [
        event.asset_check_evaluation_data
        for event in studio.events(run)
        if event.event_type is dg.DagsterEventType.ASSET_CHECK_EVALUATION
    ]
    [missed] = [check for check in checks if not check.passed]
    return missed


def _note_pass(attempt: int | str, *, voice: float = 4.6, text: str = "") -> dict[str, Any]:
    written = text or f"Text number {attempt} of the note."
    values = {**STRONG["set"], "voice_consistency": voice, "deliverable": written}
    return {"match": f"*/note/quality_pass#{attempt}", "set": values}


def _state(studio: Studio) -> State:
    return decide(studio.declared.pipeline, look(studio.workbench, ["cellar"])["cellar"]).state
