"""Which process a run lives in, so that a run whose process was killed is not taken for alive."""

import socket

import dagster as dg
import psutil
from dagster._core.storage.dagster_run import IN_PROGRESS_RUN_STATUSES
from dagster._core.storage.tags import PARTITION_NAME_TAG

PROCESS_TAG = "orch/process"
"""On a run that names the process it lives in: run id, host, process id, its start."""

CHUNK_TAG = "orch/chunk"
"""On every run of several articles, so that they can be found."""


def process_tag(run_id: str) -> dict[str, str]:
    """The tag for a run that lives in the process that asks.

    The run id is in it because Dagster copies tags to a run that repeats this one.
    """
    process = psutil.Process()
    return {
        PROCESS_TAG: f"{run_id} {socket.gethostname()} {process.pid} {process.create_time():.2f}"
    }


def name_process(instance: dg.DagsterInstance, run: dg.DagsterRun) -> None:
    """Tag a run that goes on in the process that asks, unless it names its process already.

    One of several articles is marked as such: Dagster's own, of a backfill, are not.
    """
    if not run.tags.get(PROCESS_TAG, "").startswith(run.run_id):
        alone = PARTITION_NAME_TAG in run.tags
        several = {} if alone else {CHUNK_TAG: "true"}
        instance.add_run_tags(run.run_id, {**process_tag(run.run_id), **several})


def bury_dead_runs(instance: dg.DagsterInstance) -> tuple[str, ...]:
    """Mark as failed the runs whose process on this machine is gone; their ids.

    A killed process cannot say so itself, and the daemon watches only runs that it launched. It
    may have been killed before its run had begun.
    """
    runs = instance.get_runs(dg.RunsFilter(statuses=_UNENDED))
    dead = [run for run in runs if _is_dead(run)]
    return tuple(run.run_id for run in dead if _bury(instance, run))


_UNENDED = [*IN_PROGRESS_RUN_STATUSES, dg.DagsterRunStatus.NOT_STARTED]


def _bury(instance: dg.DagsterInstance, run: dg.DagsterRun) -> bool:
    """Whether the run is still not ended; it may have come to its end while we were looking."""
    now = instance.get_run_by_id(run.run_id)
    if now is None or now.status not in _UNENDED:
        return False
    instance.report_run_failed(now, f"its process is gone ({run.tags[PROCESS_TAG]})")
    return True


def _is_dead(run: dg.DagsterRun) -> bool:
    tag = run.tags.get(PROCESS_TAG)
    if tag is None:
        return False
    owner, host, pid, started = tag.split(" ")
    if owner != run.run_id or host != socket.gethostname():
        return False
    try:
        process = psutil.Process(int(pid))
        return f"{process.create_time():.2f}" != started or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
