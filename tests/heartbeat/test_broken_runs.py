"""Runs that failed, were cancelled or lost their process: the next beat goes on from what is there."""

import subprocess
import sys

import dagster as dg
import psutil
import pytest

from orch_dagster.core.decision import State
from orch_dagster.pipeline_definitions import pipeline_definitions
from orch_dagster.process import PROCESS_TAG, bury_dead_runs, process_tag
from orch_dagster.runs import PERSON_TAG
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.studio import STRONG, Studio
from tests.fakes.night import NIGHT
from tests.heartbeat.conftest import Lab, OpenLab
from tests.heartbeat.daemon import Daemon
from tests.heartbeat.rows import BreakingTable
from tests.heartbeat.runs import create


def breaking(lab: Lab, times: int) -> Daemon:
    """A daemon whose runs break at the row, the first times."""
    outside = {**(lab.studio.definitions.resources or {}), "rows": BreakingTable(times)}
    definitions = dg.Definitions.merge(
        pipeline_definitions(lab.studio.declared, articles_per_run=1, night=NIGHT),
        dg.Definitions(resources=outside),
    )
    return Daemon(lab.studio, definitions)


def test_a_run_that_failed_is_followed_by_one_that_does_what_is_missing(lab: OpenLab) -> None:
    opened = lab(STRONG)
    daemon = breaking(opened, times=1)
    opened.studio.register(brief("cellar"))
    first, second = daemon.live()
    assert first.status is dg.DagsterRunStatus.FAILURE
    assert second.status is dg.DagsterRunStatus.SUCCESS
    assert opened.studio.selection(second) == {"row"}
    assert opened.studio.asked() == dict.fromkeys(opened.studio.prompts(), 1)


def test_after_four_broken_runs_the_article_is_stuck_and_a_person_starts_it_again(
    lab: OpenLab,
) -> None:
    opened = lab(STRONG)
    daemon = breaking(opened, times=4)
    opened.studio.register(brief("cellar"))
    assert [run.status for run in daemon.live()] == [dg.DagsterRunStatus.FAILURE] * 4
    report = opened.studio.report("cellar")
    assert report["state"] == "stuck"
    assert report["next"] == "4 runs in a row ended before their work was done"
    assert opened.studio.drive("cellar")[-1].state is State.FINISHED
    assert daemon.tick() == []


def test_each_run_that_breaks_gives_the_next_a_key_of_its_own(lab: OpenLab) -> None:
    opened = lab(STRONG)
    daemon = breaking(opened, times=3)
    opened.studio.register(brief("cellar"))
    keys = {run.tags["dagster/run_key"] for run in daemon.live()}
    assert len(keys) == 4
    assert all(key.startswith("cellar after ") for key in keys)


def test_the_article_goes_on_where_a_persons_run_broke_after_it_was_stuck(lab: OpenLab) -> None:
    # The state is then the one after the first broken run: a key made of it was used already.
    opened = lab(STRONG)
    daemon = breaking(opened, times=4)
    opened.studio.register(brief("cellar"))
    daemon.live()
    _break_by_hand(opened.studio, {PERSON_TAG: "true"})
    [last] = daemon.live()
    assert last.status is dg.DagsterRunStatus.SUCCESS


def test_a_cancelled_run_is_launched_again(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    run = create(opened.studio, {"dagster/partition": "cellar"}, dg.DagsterRunStatus.QUEUED)
    assert opened.daemon.tick() == []
    opened.studio.instance.report_run_canceled(run)
    [again] = opened.daemon.live()
    assert again.status is dg.DagsterRunStatus.SUCCESS


@pytest.mark.parametrize("status", [dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.NOT_STARTED])
def test_a_run_whose_process_is_gone_is_buried_and_launched_again(
    lab: OpenLab, status: dg.DagsterRunStatus
) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    run = _run_of_a_process_that_is_gone(opened.studio, status)
    [again] = opened.daemon.live()
    assert again.status is dg.DagsterRunStatus.SUCCESS
    buried = opened.studio.instance.get_run_by_id(run.run_id)
    assert buried is not None
    assert buried.status is dg.DagsterRunStatus.FAILURE


def test_a_killed_process_that_nobody_has_reaped_is_gone_too(lab: OpenLab) -> None:
    opened = lab(STRONG)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        run = _started(opened.studio, child.pid)
        assert bury_dead_runs(opened.studio.instance) == ()
        child.kill()
        while psutil.Process(child.pid).status() != psutil.STATUS_ZOMBIE:
            pass
        assert bury_dead_runs(opened.studio.instance) == (run.run_id,)
    assert bury_dead_runs(opened.studio.instance) == ()


def test_a_run_that_repeats_one_of_a_dead_process_is_left_alone(lab: OpenLab) -> None:
    opened = lab(STRONG)
    first = _run_of_a_process_that_is_gone(opened.studio, dg.DagsterRunStatus.STARTED)
    bury_dead_runs(opened.studio.instance)
    # Dagster copies the tags when a person says "re-execute".
    create(opened.studio, dict(first.tags), dg.DagsterRunStatus.STARTED)
    assert bury_dead_runs(opened.studio.instance) == ()


def test_a_run_of_another_machine_is_left_alone(lab: OpenLab) -> None:
    opened = lab(STRONG)
    run = create(opened.studio, {}, dg.DagsterRunStatus.STARTED)
    tag = f"{run.run_id} another-machine 1 1.00"
    opened.studio.instance.add_run_tags(run.run_id, {PROCESS_TAG: tag})
    assert bury_dead_runs(opened.studio.instance) == ()


def test_while_a_run_is_at_work_or_in_the_queue_nothing_is_launched(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    for status in (dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.STARTED):
        run = create(opened.studio, {"dagster/partition": "cellar"}, status)
        assert opened.daemon.tick() == []
        assert opened.studio.report("cellar")["state"] in ("new", "running")
        opened.studio.instance.report_run_canceled(run)
    assert len(opened.daemon.tick()) == 1


def test_a_chunk_in_the_queue_counts_for_each_of_its_articles(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(*map(brief, ("a-first", "b-second", "c-third", "d-fourth")))
    tags = {
        "dagster/asset_partition_range_start": "b-second",
        "dagster/asset_partition_range_end": "c-third",
    }
    create(opened.studio, tags, dg.DagsterRunStatus.QUEUED)
    requested = {request.tags["dagster/partition"] for request in opened.daemon.tick()}
    assert requested == {"a-first", "d-fourth"}


def test_orch_run_does_not_wait_for_a_queue_that_nobody_works_off(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    create(opened.studio, {"dagster/partition": "cellar"}, dg.DagsterRunStatus.QUEUED)
    assert opened.studio.drive("cellar")[-1].state is State.FINISHED


def test_orch_run_does_not_wait_for_a_run_that_was_made_and_never_queued(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    [request] = opened.daemon.tick()
    opened.daemon.create(request)
    assert opened.studio.drive("cellar")[-1].state is State.FINISHED


def _break_by_hand(studio: Studio, tags: dict[str, str]) -> None:
    run = create(studio, {"dagster/partition": "cellar", **tags}, dg.DagsterRunStatus.STARTED)
    studio.instance.report_run_failed(run)


def _run_of_a_process_that_is_gone(studio: Studio, status: dg.DagsterRunStatus) -> dg.DagsterRun:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        pid = child.pid
    return _with_process(studio, create(studio, {"dagster/partition": "cellar"}, status), pid)


def _started(studio: Studio, pid: int) -> dg.DagsterRun:
    run = create(studio, {}, dg.DagsterRunStatus.STARTED)
    return _with_process(studio, run, pid)


def _with_process(studio: Studio, run: dg.DagsterRun, pid: int) -> dg.DagsterRun:
    """The run as one that says it lives in this process, if it is there, or lived in it."""
    start = f"{psutil.Process(pid).create_time():.2f}" if psutil.pid_exists(pid) else "1.00"
    _, host, *_ = process_tag(run.run_id)[PROCESS_TAG].split(" ")
    studio.instance.add_run_tags(run.run_id, {PROCESS_TAG: f"{run.run_id} {host} {pid} {start}"})
    found = studio.instance.get_run_by_id(run.run_id)
    assert found is not None
    return found
