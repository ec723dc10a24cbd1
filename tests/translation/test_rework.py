"""Reviews under the threshold: polished and scored anew, at most twice."""

import json
from typing import Any

from orch_dagster.core.decision import Rework, State
from orch_dagster.strict_yaml import read_mapping, split_head
from tests.translation.articles import FULL, SMALL
from tests.translation.conftest import Open
from tests.translation.desk import Desk, note, reviewed

WEAK_TWICE = (
    reviewed(5, note(2), attempt="1"),
    reviewed(5, note(3), attempt="2"),
    reviewed(9, attempt="3"),
)


def _head(opened: Desk) -> dict[str, Any]:
    [published] = opened.published()
    parts = split_head(published.read_text("utf-8"))
    assert parts is not None
    return read_mapping(parts[0])


def _scorings_asked(opened: Desk) -> list[str]:
    return [trace for trace in opened.traces() if "/review/" in trace or "/polish/" in trace]


def test_a_weak_review_is_polished_until_it_passes(desk: Open) -> None:
    opened = desk(*WEAK_TWICE)
    opened.hand_in(SMALL)
    told = opened.drive()
    assert [type(action) for one in told for action in one.actions].count(Rework) == 2
    assert told[-1].state is State.FINISHED
    assert _scorings_asked(opened) == [
        "translation/gauge/review/review#1",
        "translation/gauge/polish/piece#1",
        "translation/gauge/review/review#2",
        "translation/gauge/polish/piece#2",
        "translation/gauge/review/review#3",
    ]
    assert opened.asked()["translate/piece_01"] == 1
    decision = json.loads(opened.text("decision"))
    assert (decision["score"], decision["scorings"], decision["polishes"]) == (9, 3, 2)
    assert not decision["below_threshold"]
    assert "note" not in _head(opened)


def test_an_article_at_the_cap_goes_out_with_a_note(desk: Open) -> None:
    opened = desk(reviewed(5, note(2)))
    opened.hand_in(SMALL)
    assert opened.drive()[-1].state is State.FINISHED
    assert (opened.asked()["review/review"], opened.asked()["polish/piece"]) == (3, 2)
    decision = json.loads(opened.text("decision"))
    assert (decision["score"], decision["scorings"], decision["polishes"]) == (5, 3, 2)
    assert decision["below_threshold"]
    assert "stays under 8 after 3 scorings" in decision["reason"]
    said = "This translation went out below the threshold: score 5 of 10 after 2 polishes."
    assert _head(opened)["note"] == said
    assert opened.metadata("publish_output")["note"] == said


def test_a_polish_asks_for_the_noted_segments_and_touches_no_others(desk: Open) -> None:
    repaired = '{"segments": [{"id": 3, "text": "Вона двічі читає [рівень води]⟦1⟧ і записує."}]}'
    opened = desk(
        reviewed(5, note(3, "the book is left out"), attempt="1"),
        {"match": "*/polish/piece#1", "content": repaired},
        reviewed(9),
    )
    opened.hand_in(SMALL)
    opened.drive()
    said = opened.said("translation/gauge/polish/piece#1")
    assert "segment 3 (grammar): the book is left out" in said
    assert '<segment id="3">' in said
    assert '<segment id="2">' not in said
    before = opened.text("translate-output").split("\n\n")
    after = opened.text("polish-output").split("\n\n")
    assert before[:2] == after[:2]
    assert before[2] != after[2]


def test_notes_without_a_place_in_the_article_ask_for_nothing(desk: Open) -> None:
    opened = desk(reviewed(5, note(99)))
    opened.hand_in(SMALL)
    assert opened.drive()[-1].state is State.FINISHED
    assert opened.asked()["polish/piece"] == 0
    assert opened.text("polish-output") == opened.text("translate-output")


def test_the_glossary_of_the_translator_is_the_polishers(desk: Open) -> None:
    term = {"source": "tide gauge", "target": "мареограф", "note": ""}
    opened = desk(
        {"match": "*/translate/glossary#*", "set": {"terms": [term], "tone": "calm"}},
        reviewed(5, note(2), attempt="1"),
        reviewed(9),
    )
    opened.hand_in(FULL)
    opened.drive()
    assert "- tide gauge = мареограф" in opened.said("translation/gauge/polish/piece#1")
    assert "tide gauge = мареограф" in opened.said("translation/gauge/translate/piece_01#1")


def test_a_polish_that_failed_is_tried_again_on_the_same_text_and_notes(desk: Open) -> None:
    opened = desk(
        {"match": "*/polish/piece#2", "status": 400, "times": 1},
        *WEAK_TWICE,
    )
    opened.hand_in(SMALL)
    told = opened.drive()
    assert told[-1].state is State.FINISHED
    decision = json.loads(opened.text("decision"))
    assert (decision["score"], decision["scorings"]) == (9, 3)
    assert (opened.asked()["review/review"], opened.asked()["polish/piece"]) == (3, 3)
    assert "failed" not in opened.published()[0].read_text("utf-8")


def test_a_polish_that_leaves_a_segment_as_it_is_costs_no_repair(desk: Open) -> None:
    opened = desk(reviewed(5, note(2), attempt="1"), reviewed(9))
    opened.hand_in(SMALL)
    opened.drive()
    assert opened.asked()["polish/piece"] == 1


def test_a_second_polish_that_failed_keeps_the_first_ones_text(desk: Open) -> None:
    opened = desk({"match": "*/polish/piece#2", "status": 400}, *WEAK_TWICE)
    opened.hand_in(SMALL)
    assert opened.drive()[-1].state is State.STUCK
    assert "failed" not in opened.text("polish-output")
    assert json.loads(opened.text("review-output"))["notes"][0]["segment"] == 3
    assert opened.report()["next"] == "polish: failed 4 times in a row"
