"""Every request of a translation stands on one account, whatever was lost or done anew."""

from orch_dagster.accounts import library_accounts, whole
from tests.translation.articles import SMALL
from tests.translation.conftest import Open
from tests.translation.desk import Desk
from tests.translation.test_rework import WEAK_TWICE


def _check_requests(opened: Desk) -> None:
    libraries = library_accounts([opened.look()])
    assert whole(libraries).spent.tries == len(opened.requests())
    for step in ("categorize", "translate", "polish", "review"):
        asked = [trace for trace in opened.traces() if f"/{step}/" in trace]
        assert libraries[step].total.spent.tries == len(asked), step


def test_polishes_and_reviews_are_all_accounted_for(desk: Open) -> None:
    opened = desk(*WEAK_TWICE)
    opened.hand_in(SMALL)
    opened.drive()
    libraries = library_accounts([opened.look()])
    assert libraries["review"].prompts["review"].spent.calls == 3
    assert libraries["polish"].prompts["piece"].spent.calls == 2
    assert libraries["translate"].prompts.keys() == {"glossary", "piece"}
    assert "fetch" not in libraries
    _check_requests(opened)
    record = opened.look().records["review"]
    assert record.episode is not None
    assert record.episode.token_usage == record.spending.current.usage.total
    assert opened.metadata("review_output")["prompt_tokens"] > 0


def test_what_an_earlier_text_cost_is_not_forgotten(desk: Open) -> None:
    opened = desk(*WEAK_TWICE)
    opened.hand_in(SMALL)
    opened.drive()
    before = library_accounts([opened.look()])["polish"].total
    opened.hand_in(SMALL + "\nOne more paragraph, of nine words in all.\n")
    opened.drive()
    libraries = library_accounts([opened.look()])
    assert libraries["polish"].earlier == before
    assert "piece" not in libraries["polish"].prompts
    _check_requests(opened)


def test_what_a_lost_transcript_held_is_still_on_record(desk: Open) -> None:
    opened = desk(*WEAK_TWICE)
    opened.hand_in(SMALL)
    opened.drive()
    for file in (opened.folder / "store" / "translation").glob("*/transcript/*"):
        file.unlink()
    opened.file("review-output").unlink()
    opened.drive()
    _check_requests(opened)
