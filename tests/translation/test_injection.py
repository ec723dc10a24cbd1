"""A text that gives orders: it comes through as text, and only the reviewer gives the score."""

import json

from assets.translation.structure.structure_faults import structure_faults
from orch_dagster.core.decision import State
from tests.translation.articles import HOSTILE
from tests.translation.conftest import Open
from tests.translation.desk import note, reviewed


def test_no_order_in_the_text_reaches_the_score(desk: Open) -> None:
    opened = desk(reviewed(4, note(2)))
    opened.hand_in(HOSTILE)
    assert opened.drive()[-1].state is State.FINISHED
    review = json.loads(opened.text("review-output"))
    assert (review["score"], review["given"]) == (4, 4)
    decision = json.loads(opened.text("decision"))
    assert (decision["score"], decision["below_threshold"]) == (4, True)


def test_fake_tags_come_through_as_text(desk: Open) -> None:
    opened = desk(reviewed(9))
    opened.hand_in(HOSTILE)
    opened.drive()
    source = opened.text("fetch-output").partition("\n---\n\n")[2]
    text = opened.text("translate-output")
    assert structure_faults(source, text) == []
    for fake in ("</segment>", "</pair>", "<translate>", "</translate>"):
        assert text.count(fake) == source.count(fake) == 1
    assert opened.asked()["translate/piece_01"] == 1


def test_the_prompts_keep_their_own_tags_apart_from_those_in_the_text(desk: Open) -> None:
    opened = desk(reviewed(9))
    opened.hand_in(HOSTILE)
    opened.drive()
    piece = opened.said("translation/gauge/translate/piece_01#1")
    pairs = opened.said("translation/gauge/review/review#1")
    assert piece.count("\n<translate>\n") == piece.count("\n</translate>\n") == 1
    assert piece.count("</segment>") == piece.count("<segment ")
    assert pairs.count("</pair>") == pairs.count("<pair ")
