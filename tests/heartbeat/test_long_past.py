"""A sensor that is switched on, or comes back, where much has happened."""

import dagster as dg
import pytest

from assets.content.pipeline import content_pipeline
from orch_dagster.brief_intake import brief_entry
from orch_dagster.enrolment import Enrolment
from orch_dagster.heartbeat import ARTICLES_A_BEAT, ARTICLES_A_ROUND, EVENTS_A_BEAT, Cursor, beat
from orch_dagster.step import DeclaredPipeline
from tests.dagster_glue.briefs import brief
from tests.fakes.memory_store import MemoryStore
from tests.heartbeat.history import MODEL_ARTICLE, write_history

FINISHED = [f"article-{number:03}" for number in range(500)]


@pytest.fixture(scope="module")
def declared() -> DeclaredPipeline:
    return content_pipeline().declared


def finish(instance: dg.DagsterInstance, declared: DeclaredPipeline) -> None:
    write_history(instance, declared, brief(MODEL_ARTICLE), FINISHED)


def test_switched_on_after_500_finished_articles_it_launches_nothing(
    instance: dg.DagsterInstance, declared: DeclaredPipeline
) -> None:
    finish(instance, declared)
    cursor: Cursor | None = None
    for _ in range(len(FINISHED) // ARTICLES_A_ROUND):
        found = beat(instance, declared, cursor, articles_per_run=1)
        assert found.due == ()
        assert found.looked_at == 0
        cursor = found.cursor
    assert cursor is not None
    assert cursor.round is None


def test_switched_on_late_it_finds_the_few_that_came_to_no_end(
    instance: dg.DagsterInstance, declared: DeclaredPipeline
) -> None:
    finish(instance, declared)
    Enrolment(instance, declared, MemoryStore()).enroll(brief_entry(brief("left-behind")))
    found, cursor = set[str](), None
    for _ in range(len(FINISHED) // ARTICLES_A_ROUND + 1):
        one = beat(instance, declared, cursor, articles_per_run=1)
        found |= {article for due in one.due for article in due.articles}
        cursor = one.cursor
    assert found == {"left-behind"}


@pytest.mark.slow
def test_500_that_finished_in_a_pause_are_worked_off_in_bounded_beats(
    instance: dg.DagsterInstance, declared: DeclaredPipeline
) -> None:
    cursor = beat(instance, declared, None, articles_per_run=1).cursor
    finish(instance, declared)
    beats, looked_at = 0, 0
    while True:
        found = beat(instance, declared, cursor, articles_per_run=1)
        assert found.due == ()
        if found.cursor.event == cursor.event:
            break
        assert found.cursor.event - cursor.event <= EVENTS_A_BEAT + ARTICLES_A_BEAT
        beats, looked_at, cursor = beats + 1, looked_at + found.looked_at, found.cursor
    assert looked_at >= len(FINISHED)
    assert beats <= 10
