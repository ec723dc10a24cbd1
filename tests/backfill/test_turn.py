"""Two runs on one article: the later one waits, and pays for nothing twice."""

import socket
import threading
import time
from collections.abc import Callable

import dagster as dg
import pytest
from dagster._core.events import DagsterEvent, DagsterEventType

from orch_dagster.process import PROCESS_TAG
from orch_dagster.runs import article_tags
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.conftest import Open
from tests.dagster_glue.studio import STRONG, Studio
from tests.heartbeat.runs import create

ARTICLES = ("a-first", "b-second", "c-third")


def begin(studio: Studio, tags: dict[str, str]) -> dg.DagsterRun:
    """A run that has begun elsewhere."""
    run = create(studio, tags, dg.DagsterRunStatus.STARTING)
    event = DagsterEvent(DagsterEventType.RUN_START.value, run.job_name)
    studio.instance.report_dagster_event(event, run.run_id)
    return run


def waits(opened: Studio) -> list[str]:
    """What runs have said of waiting, newest run first."""
    return [
        str(event.message)
        for run in opened.instance.get_runs()
        for event in opened.events(run)
        if str(event.message).startswith("Waits for run")
    ]


def once(happened: Callable[[], object], then: Callable[[], object]) -> threading.Thread:
    """A thread that does something as soon as something else has happened."""

    def watch() -> None:
        while not happened():
            time.sleep(0.05)
        then()

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


@pytest.mark.parametrize("on", [("b-second",), ("b-second", "z-other")], ids=["alone", "listed"])
def test_a_range_waits_for_a_run_that_is_at_work_on_one_of_its_articles(
    studio: Open, on: tuple[str, ...]
) -> None:
    opened = studio(STRONG)
    opened.register(*map(brief, ARTICLES))
    other = begin(opened, article_tags(on))
    asked: list[int] = []

    def end() -> None:
        asked.append(len(opened.records()))
        opened.instance.report_run_canceled(other)

    ending = once(lambda: waits(opened), end)
    run = opened.run_range(ARTICLES[0], ARTICLES[-1])
    ending.join()
    assert asked == [0]
    assert run.status is dg.DagsterRunStatus.SUCCESS
    assert waits(opened) == [
        f"Waits for run {other.run_id}, which is at work on b-second and began before"
    ]
    assert opened.file("content/row/b-second.json").exists()


def test_a_run_waits_for_none_that_is_at_work_on_other_articles(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(*map(brief, (*ARTICLES, "d-fourth")))
    begin(opened, article_tags(["d-fourth", "a-first"]))
    run = opened.run_range("b-second", "c-third")
    assert run.status is dg.DagsterRunStatus.SUCCESS
    assert waits(opened) == []


def test_of_two_that_have_begun_the_earlier_one_goes_on(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(*map(brief, ARTICLES))
    late = create(opened, article_tags(["c-third"]), dg.DagsterRunStatus.STARTING)
    event = DagsterEvent(DagsterEventType.RUN_START.value, late.job_name)
    starting = once(
        lambda: waits(opened), lambda: opened.instance.report_dagster_event(event, late.run_id)
    )
    run = opened.run_range(ARTICLES[0], ARTICLES[-1])
    starting.join()
    assert run.status is dg.DagsterRunStatus.SUCCESS
    assert len(waits(opened)) == 1  # until it was known when the other had begun


def test_nobody_waits_for_a_run_whose_process_was_killed(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(*map(brief, ARTICLES))
    dead = begin(opened, article_tags(["a-first"]))
    tag = f"{dead.run_id} {socket.gethostname()} 4194305 1.00"  # more than any process id
    opened.instance.add_run_tags(dead.run_id, {PROCESS_TAG: tag})
    run = opened.run_range(ARTICLES[0], ARTICLES[-1])
    assert run.status is dg.DagsterRunStatus.SUCCESS
    assert waits(opened) == []
