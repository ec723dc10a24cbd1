"""Which number the next scoring of a step has."""

from dataclasses import replace
from typing import Any

from orch_dagster.core.decision import notes_due, scoring_due
from orch_dagster.core.episode import Status
from orch_dagster.core.ledger import Ledger
from orch_dagster.core.pipeline import SCORINGS
from tests.fakes.episodes import reviewed, scored
from tests.fakes.ledgers import done, ledger
from tests.fakes.pipelines import content, translation

ARTICLE = content("article").steps[1]
REVIEW = translation().steps[-1]
WEAK = scored("article", voice=3.0, ready=True)
FAILED: dict[str, Any] = {"status": Status.FAILED, "episode": None}


def article(**changes: Any) -> Ledger:
    return done(content("article"), article=changes)


def test_the_first_scoring_is_number_one():
    assert scoring_due(ARTICLE, ledger()) == 1


def test_a_weak_one_is_followed_by_the_next_and_at_the_cap_by_none():
    assert [scoring_due(ARTICLE, article(episode=WEAK, scorings=n)) for n in (1, 2, 3)] == [2, 3, 3]


def test_a_good_one_is_made_again_under_its_own_number():
    assert scoring_due(ARTICLE, article(scorings=2)) == 2


def test_a_failed_scoring_is_tried_again_under_its_own_number():
    assert scoring_due(ARTICLE, article(scorings=2, **FAILED)) == 2
    assert scoring_due(ARTICLE, article(scorings=0, **FAILED)) == 1


def test_a_new_draft_starts_a_new_count():
    assert scoring_due(ARTICLE, article(scorings=SCORINGS, made_from={"article/draft": "x"})) == 1


def test_a_lost_deliverable_is_made_again_under_its_own_number():
    lost = replace(article(episode=WEAK, scorings=2), missing=frozenset({"article"}))
    assert scoring_due(ARTICLE, lost) == 2


def test_a_polished_text_goes_on_with_the_count_and_a_new_translation_does_not():
    weak = {"episode": reviewed("review", 5), "scorings": 2}
    found = done(translation(), review=weak)
    for step, due in (("polish", 3), ("translate", 1)):
        renewed = found.records[step].model_copy(update={"fingerprint": "another"})
        changed = replace(found, records={**found.records, step: renewed})
        assert scoring_due(REVIEW, changed) == due


def review(**changes: Any) -> Ledger:
    return done(translation(), review={"episode": reviewed("review", 5), **changes})


def test_a_polish_heeds_the_notes_of_a_weak_review():
    assert notes_due(REVIEW, review()) == "review-1"


def test_a_review_that_is_good_failed_or_at_the_cap_has_no_notes_to_heed():
    assert notes_due(REVIEW, ledger()) is None
    assert notes_due(REVIEW, review(episode=reviewed("review", 8))) is None
    assert notes_due(REVIEW, review(**FAILED)) is None
    assert notes_due(REVIEW, review(scorings=SCORINGS)) is None


def test_notes_on_an_earlier_translation_are_not_heeded():
    found = review()
    renewed = found.records["translate"].model_copy(update={"fingerprint": "another"})
    changed = replace(found, records={**found.records, "translate": renewed})
    assert notes_due(REVIEW, changed) is None


def test_notes_stay_due_while_their_polish_has_failed():
    found = review()
    failed = found.records["polish"].model_copy(
        update={"status": Status.FAILED, "fingerprint": "failed-1"}
    )
    assert notes_due(REVIEW, replace(found, records={**found.records, "polish": failed}))
