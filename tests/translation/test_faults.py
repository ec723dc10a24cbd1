"""Translations that lose something, and categories that are none."""

import json

import pytest

from orch_dagster.core.decision import State
from tests.translation.articles import SMALL
from tests.translation.conftest import Open
from tests.translation.desk import reviewed, segments

TITLE = "Доглядач шлюзу"
FIRST = "Доглядач відчиняє верхню браму вранці й пропускає перший човен цього дня."
SECOND = "Вона двічі читає [рівень води]⟦1⟧ і записує його до книги."
LINKLESS = "Вона двічі читає рівень води і записує його до книги."
ENGLISH = "The keeper opens the upper gate in the morning and lets the first boat of the day pass."

LOSSES = {
    "a link": (segments(TITLE, FIRST, LINKLESS), "is missing", 6),
    "a paragraph in English": (segments(TITLE, ENGLISH, SECOND), "untranslated", 3),
}
"""By what is lost: the answer, the word in the repair's reason, and the highest score left."""


@pytest.mark.parametrize("loss", LOSSES)
def test_a_loss_is_repaired_once_and_then_caps_the_score(desk: Open, loss: str) -> None:
    answer, word, cap = LOSSES[loss]
    opened = desk({"match": "*/translate/piece_01#*", "content": answer}, reviewed(9))
    opened.hand_in(SMALL)
    assert opened.drive()[-1].state is State.FINISHED
    assert opened.asked()["translate/piece_01"] == 2
    repair = opened.said("translation/gauge/translate/piece_01#2")
    assert "cannot be used: segment" in repair
    assert word in repair
    [first, *_] = [one for one in opened.requests() if "/review/review#1" in one["trace"]]
    assert f"the score is {cap} at most" in first["body"]["messages"][-1]["content"]
    review = json.loads(opened.text("review-output"))
    assert review["given"] == 9
    assert review["findings"]
    assert (review["score"], review["cap"]) == (cap, cap)


def test_a_repaired_answer_leaves_nothing_behind(desk: Open) -> None:
    broken = {"match": "*/translate/piece_01#1", "content": segments(TITLE, FIRST, LINKLESS)}
    whole = {"match": "*/translate/piece_01#2", "content": segments(TITLE, FIRST, SECOND)}
    opened = desk(broken, whole, reviewed(9))
    opened.hand_in(SMALL)
    opened.drive()
    assert json.loads(opened.text("review-output"))["findings"] == []
    assert "[рівень води](https://locks.example/level)" in opened.published()[0].read_text("utf-8")


def test_an_answer_without_a_segment_fails_in_words(desk: Open) -> None:
    opened = desk(
        {"match": "*/translate/piece_01#*", "content": segments(TITLE, FIRST)}, reviewed(9)
    )
    opened.hand_in(SMALL)
    assert opened.drive()[-1].state is State.STUCK
    assert "came back with other segments" in opened.text("translate-output")
    assert opened.report()["next"] == "translate: failed 4 times in a row"
    assert opened.published() == []


def test_a_category_outside_the_list_is_repaired(desk: Open) -> None:
    opened = desk({"match": "*/category#1", "set": {"category": "gossip"}}, reviewed(9))
    opened.hand_in(SMALL)
    assert opened.drive()[-1].state is State.FINISHED
    assert "'gossip' is not on the list" in opened.said("translation/gauge/categorize/category#2")


def test_a_category_that_stays_outside_the_list_stops_the_article(desk: Open) -> None:
    rule = {"match": "*/category#*", "set": {"category": "gossip"}, "times": 8}
    opened = desk(rule, reviewed(9))
    opened.hand_in(SMALL)
    assert opened.drive()[-1].state is State.STUCK
    assert opened.asked()["categorize/category"] == 8  # four tries, a repair in each
    assert "'gossip' is not on the list" in opened.metadata("categorize_output")["failure"]
    assert "'gossip' is not on the list" in json.loads(opened.text("categorize-output"))["failure"]
    assert opened.report()["next"] == "categorize: failed 4 times in a row"
    assert opened.drive()[-1].state is State.FINISHED
    assert opened.asked()["categorize/category"] == 9
