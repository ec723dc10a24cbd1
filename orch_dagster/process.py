"""Which process a run lives in, so that a run whose process was killed is not taken for alive."""

import socket

import dagster as dg
import psutil
from dagster._core.storage.dagster_run import IN_PROGRESS_RUN_STATUSES

PROCESS_TAG = "orch/process"
"""On a run that the command line executes in its own process: host, process id, its start."""


def this_process() -> str:
    """The value of the tag for the process that asks."""
    process = psutil.Process()
    return f"{socket.gethostname()} {process.pid} {process.create_time():.2f}"


def bury_dead_runs(instance: dg.DagsterInstance) -> tuple[str, ...]:
    """Mark as failed the runs whose process on this machine is gone; their ids.

    A killed process cannot say so itself, and the daemon watches only runs that it launched.
    """
    runs = instance.get_runs(dg.RunsFilter(statuses=list(IN_PROGRESS_RUN_STATUSES)))
    dead = [run for run in runs if _is_dead(run.tags.get(PROCESS_TAG))]
    for run in dead:
        instance.report_run_failed(run, f"its process is gone ({run.tags[PROCESS_TAG]})")
    return tuple(run.run_id for run in dead)


def _is_dead(tag: str | None) -> bool:
    if tag is None:
        return False
    host, pid, started = tag.split(" ")
    if host != socket.gethostname():
        return False
    try:
        return f"{psutil.Process(int(pid)).create_time():.2f}" != started
    except psutil.NoSuchProcess:
        return True
