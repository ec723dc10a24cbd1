"""The schedule takes what is new or out of date, up to a count and a budget, and nothing else."""

import json
from dataclasses import replace
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.definitions.job_base import InMemoryJob
from dagster._core.execution.api import execute_run_iterator

from orch_dagster.core.budget import Budget
from orch_dagster.core.decision import State
from orch_dagster.library_pipeline import LibraryPipeline
from orch_dagster.means import BUDGET_TAG
from orch_dagster.night import Night
from orch_dagster.nightly import nightly, requests_of_night
from orch_dagster.pipeline_definitions import pipeline_definitions
from orch_dagster.runs import ARTICLES_TAG
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.conftest import Open
from tests.dagster_glue.packages import copied_libraries, edit, load_package
from tests.dagster_glue.studio import STRONG, Studio
from tests.fakes.night import NIGHT

ARTICLES = ("a-first", "b-second", "c-third")


def evening(
    opened: Studio, night: Night = NIGHT, *, articles_per_run: int = 1
) -> list[dg.RunRequest]:
    """What the schedule asks for in one night."""
    return requests_of_night(
        opened.instance,
        opened.declared,
        night,
        date="2026-12-01",
        articles_per_run=articles_per_run,
    )


def carry_out(opened: Studio, request: dg.RunRequest) -> None:
    selection = frozenset(request.asset_selection or ())
    job = opened.workbench.job
    run = opened.instance.create_run_for_job(
        job_def=job.get_subset(asset_selection=selection),
        tags=dict(request.tags),
        asset_selection=selection,
    )
    for _ in execute_run_iterator(InMemoryJob(job), run, opened.instance):
        pass


def keys(requests: list[dg.RunRequest]) -> list[list[str]]:
    """The articles of each run."""
    return [
        json.loads(request.tags.get(ARTICLES_TAG, json.dumps([request.tags["dagster/partition"]])))
        for request in requests
    ]


def edited(
    opened: Studio, folder: Path, monkeypatch: pytest.MonkeyPatch, prompt: str, old: str
) -> Studio:
    """The studio of tomorrow, in which one prompt says something else."""
    package = copied_libraries(folder, "libraries_of_tomorrow", monkeypatch)
    edit(package / prompt, old, f"{old}, please,")
    pipeline = LibraryPipeline("content", load_package(package))
    outside = dg.Definitions(resources=opened.definitions.resources)
    ours = pipeline_definitions(pipeline.declared, articles_per_run=1, night=NIGHT)
    return replace(opened, pipeline=pipeline, definitions=dg.Definitions.merge(ours, outside))


def test_new_articles_are_taken_and_finished_ones_are_let_be(studio: Open) -> None:
    opened = studio(STRONG)
    assert evening(opened) == []
    opened.register(*map(brief, ARTICLES))
    assert keys(evening(opened)) == [["a-first"], ["b-second"], ["c-third"]]
    assert keys(evening(opened, articles_per_run=2)) == [["a-first", "b-second"], ["c-third"]]
    opened.drive_all(*ARTICLES)
    assert evening(opened) == []
    opened.register(brief("b-second", title="Another title"))
    assert keys(evening(opened)) == [["b-second"]]


def test_an_edited_prompt_is_made_anew_at_night_and_by_a_person_and_not_by_the_orchestrator(
    studio: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = studio(STRONG)
    opened.register(*map(brief, ARTICLES))
    opened.drive_all(*ARTICLES)
    before = opened.asked()
    tomorrow = edited(opened, tmp_path, monkeypatch, "note/prompts/02_text.md", "about 60")
    assert tomorrow.report("a-first")["state"] == "assembled"
    [request, *others] = evening(tomorrow)
    assert len(others) == 2
    assert {key.to_user_string() for key in request.asset_selection or ()} == {
        "note/draft",
        "note/deliverable",
        "note/episode",
        "row",
    }
    carry_out(tomorrow, request)
    assert keys(evening(tomorrow)) == [["b-second"], ["c-third"]]
    assert tomorrow.drive("b-second")[-1].state is State.FINISHED
    assert keys(evening(tomorrow)) == [["c-third"]]
    assert tomorrow.asked() - before == {"note/text": 2, "note/quality_pass": 2}


def test_a_night_takes_no_more_than_its_count_and_the_next_takes_the_others(studio: Open) -> None:
    opened = studio(STRONG)
    names = [f"n-{number}" for number in range(5)]
    opened.register(*(brief(name, title=name) for name in names))
    nights: list[list[list[str]]] = []
    for _ in range(4):
        requests = evening(opened, replace(NIGHT, articles=2), articles_per_run=2)
        for request in requests:
            carry_out(opened, request)
        nights.append(keys(requests))
    assert nights == [[["n-0", "n-1"]], [["n-2", "n-3"]], [["n-4"]], []]


def test_a_night_s_budget_is_shared_out_and_holds(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(*(brief(name, title=name) for name in ARTICLES))
    night = replace(NIGHT, budget=Budget(tokens=9_000))
    requests = evening(opened, night, articles_per_run=2)
    shares = [json.loads(request.tags[BUDGET_TAG])["tokens"] for request in requests]
    assert shares == [6_000, 3_000]
    for request in requests:
        carry_out(opened, request)
    reports = [opened.report(article) for article in ARTICLES]
    assert sum(report["tokens"] for report in reports) <= 9_000
    assert "budget" in {report["state"] for report in reports}
    stopped = [report["article"] for report in reports if report["state"] == "budget"]
    taken = [article for run in keys(evening(opened, night)) for article in run]
    assert set(stopped) <= set(taken)


@pytest.mark.parametrize("is_on", [True, False])
def test_the_schedule_is_nightly_and_on_where_a_cron_is_named(studio: Open, *, is_on: bool) -> None:
    opened = studio(STRONG)
    night = replace(NIGHT, is_on=is_on, timezone="Europe/Kyiv")
    schedule = nightly(opened.declared, night, articles_per_run=1)
    assert schedule.cron_schedule == "0 2 * * *"
    assert schedule.execution_timezone == "Europe/Kyiv"
    status = dg.DefaultScheduleStatus.RUNNING if is_on else dg.DefaultScheduleStatus.STOPPED
    assert schedule.default_status is status
