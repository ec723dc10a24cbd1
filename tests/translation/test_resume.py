"""Runs that broke and documents that were lost: only what is missing is made."""

from collections import Counter

import pytest

from orch_dagster.core.decision import State
from tests.translation.articles import SMALL
from tests.translation.conftest import Open
from tests.translation.desk import note, reviewed

DOWN = {"status": 400, "times": 4}
"""Asked four times, by itself and in three retries, then the article is stuck."""

STUCK_AT = {
    "categorize/category": {"translate/glossary", "translate/piece_01", "review/review"},
    "translate/glossary": {"categorize/category"},
    "translate/piece_01": {"categorize/category", "translate/glossary"},
    "review/review": {"categorize/category", "translate/glossary", "translate/piece_01"},
}
"""By prompt that gets no answer: the prompts that are answered although the article is stuck."""

LOST = {
    "fetch-output": {},
    "categorize-output": {},
    "translate-output": {},
    "polish-output": {},
    "review-output": {},
    "decision": {},
    "publish-output": {},
}
"""By document: what is asked again; every answer is in a transcript."""


@pytest.mark.parametrize("prompt", STUCK_AT)
def test_an_article_that_broke_anywhere_goes_on_from_there(desk: Open, prompt: str) -> None:
    opened = desk({"match": f"*/{prompt}#*", **DOWN}, reviewed(9))
    opened.hand_in(SMALL)
    assert opened.drive()[-1].state is State.STUCK
    before = opened.asked()
    assert before == {**dict.fromkeys(STUCK_AT[prompt], 1), prompt: 4}
    assert opened.drive()[-1].state is State.FINISHED
    again = {"categorize/category", "translate/glossary", "translate/piece_01", "review/review"}
    assert opened.asked() - before == Counter(again - STUCK_AT[prompt])


@pytest.mark.parametrize("document", LOST)
def test_a_lost_document_is_made_again_without_a_question(desk: Open, document: str) -> None:
    opened = desk(reviewed(9))
    opened.hand_in(SMALL)
    opened.drive()
    before, text = opened.asked(), opened.text(document)
    opened.file(document).unlink()
    assert opened.report()["state"] == "running"
    told = opened.drive()
    assert "gone from the store" in told[0].reasons[0] or document in ("decision", "publish-output")
    assert told[-1].state is State.FINISHED
    assert opened.asked() == before
    assert opened.text(document) == text
    assert len(opened.published()) == 1


@pytest.mark.parametrize("kept", range(6))
def test_every_prefix_of_the_six_documents_is_completed(desk: Open, kept: int) -> None:
    opened = desk(reviewed(9))
    opened.hand_in(SMALL)
    opened.drive()
    before = opened.asked()
    for document in [*LOST][kept:]:
        opened.file(document).unlink()
    assert opened.drive()[-1].state is State.FINISHED
    assert all(opened.file(document).is_file() for document in LOST)
    assert opened.asked() == before


def test_a_lost_transcript_with_its_document_costs_that_step_alone(desk: Open) -> None:
    opened = desk(reviewed(9))
    opened.hand_in(SMALL)
    opened.drive()
    before = opened.asked()
    opened.file("categorize-output").unlink()
    opened.file("categorize-output/transcript").unlink()
    opened.drive()
    assert opened.asked() - before == {"categorize/category": 1}


def test_a_lost_polished_text_is_polished_anew_from_the_translation(desk: Open) -> None:
    opened = desk(reviewed(5, note(2), attempt="[13]"), reviewed(9))
    opened.hand_in(SMALL)
    opened.drive()
    assert opened.report()["libraries"]["review"]["passes"] == 2
    opened.file("polish-output").unlink()
    told = opened.drive()
    assert told[-1].state is State.FINISHED
    assert "not needed" not in opened.text("polish-output")


def test_a_lost_review_is_not_counted_as_another_scoring(desk: Open) -> None:
    opened = desk(reviewed(5, note(2), attempt="1"), reviewed(9))
    opened.hand_in(SMALL)
    opened.drive()
    before = opened.asked()
    opened.file("review-output").unlink()
    opened.drive()
    assert opened.asked() == before
    assert opened.report()["libraries"]["review"]["passes"] == 2


def test_nothing_is_run_for_an_article_that_is_out(desk: Open) -> None:
    opened = desk(reviewed(9))
    opened.hand_in(SMALL)
    opened.drive()
    before = opened.asked()
    [only] = opened.drive()
    assert only.state is State.FINISHED
    assert opened.asked() == before


def test_a_changed_article_is_made_anew_and_replaces_the_old_one(desk: Open) -> None:
    opened = desk(reviewed(9))
    opened.hand_in(SMALL)
    opened.drive()
    before = opened.asked()
    opened.hand_in(SMALL.replace("# The lock keeper", "# Another keeper altogether"))
    assert opened.drive()[-1].state is State.FINISHED
    assert opened.asked() - before == before
    assert len(opened.published()) == 1
