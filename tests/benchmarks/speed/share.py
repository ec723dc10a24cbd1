"""A share of many articles in a run process of its own, warm before it begins."""

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from orch_dagster.brief_intake import brief_entry
from orch_dagster.cli.inputs import enroll_all
from orch_dagster.cli.opening import Opened, open_content
from orch_dagster.core.brief import Brief
from orch_dagster.core.decision import Decision, State
from orch_dagster.drive import Ears, drive
from orch_dagster.runs import articles_of


@dataclass(frozen=True, slots=True)
class Share:
    """Articles for one process: `warm` before the clock starts, `measured` by it."""

    warm: tuple[Brief, ...]
    measured: tuple[Brief, ...]
    together: int


@dataclass(frozen=True, slots=True)
class Took:
    """What a share took: its begin and end on the machine's clock and CPU, in seconds.

    `peak_mb` is the most memory that the process has held; `events` those of its runs.
    """

    begin: float
    end: float
    cpu: float
    peak_mb: float
    events: int


def work_off(share: Share, environment: Mapping[str, str], pipe: Connection) -> None:
    """Warm up, say so, wait for the word, drive the articles to their end, say what it took."""
    os.environ |= environment
    opened = open_content()
    _enroll(opened, (*share.warm, *share.measured))
    _drive(opened, share.warm, share.together)
    seen = {run.run_id for run in opened.instance.get_runs()}
    pipe.send("warm")
    pipe.recv()
    begin, cpu = time.monotonic(), time.process_time()
    _drive(opened, share.measured, share.together)
    end, cpu = time.monotonic(), time.process_time() - cpu
    slugs = {brief.slug for brief in share.measured}
    pipe.send(Took(begin, end, cpu, _peak_mb(), _events(opened, seen, slugs)))


def _enroll(opened: Opened, briefs: Sequence[Brief]) -> None:
    enroll_all(opened, [brief_entry(brief) for brief in briefs])


def _drive(opened: Opened, briefs: Sequence[Brief], together: int) -> None:
    ended: dict[str, Decision] = {}
    ears = Ears(decided=ended.__setitem__, broke=_fail)
    drive(opened.workbench(), [brief.slug for brief in briefs], at_once=together, ears=ears)
    for article, decision in ended.items():
        if decision.state is not State.FINISHED:
            raise RuntimeError(f"{article} ended as {decision.state}: {decision.reasons}")


def _events(opened: Opened, seen: set[str], slugs: set[str]) -> int:
    """Of the runs that were made since, on these articles: another process shares the home."""
    instance, declared = opened.instance, opened.pipeline.declared
    return sum(
        len(instance.all_logs(run.run_id))
        for run in instance.get_runs()
        if run.run_id not in seen and articles_of(instance, declared, [run]) <= slugs
    )


def _peak_mb() -> float:
    """`ru_maxrss` begins with what the parent held before `exec`; this does not (proc(5))."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    kilobytes = next(line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return int(kilobytes) / 1024


def _fail(fault: str) -> None:
    raise RuntimeError(fault)
