"""One article through all libraries in a warm process: `python -m tests.benchmarks.one_article`.

Prints the time over the longest chain, CPU seconds and events of each run, and their medians;
then how long `orch --help` and `orch demo` take from a cold start. The bars are DESIGN 7's.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from orch_dagster.brief_file import read_brief
from orch_dagster.brief_intake import brief_entry
from orch_dagster.cli.inputs import enroll_all
from orch_dagster.cli.opening import Opened, open_content
from orch_dagster.core.brief import Brief
from orch_dagster.core.decision import Decision, State
from orch_dagster.drive import Ears, drive
from resources.simulator.log import read_log
from tests.benchmarks.server import ORCH, simulator
from tests.benchmarks.speed.home import write_home

BRIEF = Path(__file__).parents[2] / "assets" / "briefs" / "lift-modernisation-in-stages.md"
OVER_THE_CHAIN_S, HELP_S, DEMO_S = 1.5, 0.5, 20.0


@dataclass(frozen=True)
class Figures:
    """What one article took: `over` is the wall time beyond its longest chain's prompts."""

    wall: float
    longest: int
    over: float
    cpu: float
    calls: int
    events: int
    runs: int

    def __str__(self) -> str:
        """One line."""
        return (
            f"wall {self.wall:6.2f} s   longest chain {self.longest:3d} prompts   "
            f"over it {self.over:5.2f} s   CPU {self.cpu:5.2f} s   "
            f"{self.calls:3d} calls   {self.events:3d} events   {self.runs} runs"
        )


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--articles", type=int, default=7)
    options.add_argument("--latency-ms", type=float, default=50.0)
    options.add_argument("--cold", type=int, default=3, help="cold starts of help and demo")
    chosen = options.parse_args()
    _say(f"load average before: {_load()}")
    _say_warm(list(warm(chosen.articles, chosen.latency_ms, database=None)))
    _say_cold("orch --help", HELP_S, chosen.cold)
    _say_cold("orch demo", DEMO_S, chosen.cold)
    _say(f"load average after: {_load()}")


def measured(opened: Opened, brief: Brief, log: Path, latency_ms: float) -> Figures:
    """Register one brief and drive it to its end."""
    before = len(read_log(log))
    enroll_all(opened, (brief_entry(brief),))
    workbench = opened.workbench()
    told: list[Decision] = []
    wall, cpu = time.perf_counter(), time.process_time()
    ears = Ears(decided=lambda _, decision: told.append(decision), broke=_fail)
    drive(workbench, [brief.slug], at_once=1, ears=ears)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    if told[-1].state is not State.FINISHED:
        raise RuntimeError(f"{brief.slug} ended as {told[-1].state}: {told[-1].reasons}")
    asked = [r["trace"] for r in read_log(log)[before:] if r["event"] == "asked"]
    longest = max(Counter(trace.split("/")[2] for trace in asked).values())
    runs = opened.instance.get_runs()
    own = [run for run in runs if run.tags.get("dagster/partition") == brief.slug]
    return Figures(
        wall=wall,
        longest=longest,
        over=wall - longest * latency_ms / 1000,
        cpu=cpu,
        calls=len(asked),
        events=sum(len(opened.instance.all_logs(run.run_id)) for run in own),
        runs=len(own),
    )


def warm(articles: int, latency_ms: float, *, database: str | None) -> Iterator[Figures]:
    """One article after another in this process, on a simulator of their own; one before is not told.

    This process's settings are changed for it. With a database, Dagster's storage is in it.
    """
    with tempfile.TemporaryDirectory() as name, simulator(Path(name), latency_ms) as server:
        home = Path(name) / "home"
        write_home(home, database)
        os.environ |= server.environment(home)
        opened, brief = open_content(), read_brief(BRIEF)
        for number in range(articles + 1):
            named = brief.model_copy(update={"slug": f"{brief.slug}-{number}"})
            figures = measured(opened, named, server.log, latency_ms)
            if number:
                yield figures


def _say_warm(found: list[Figures]) -> None:
    for figures in found:
        _say(f"  {figures}")
    _verdict("time over the longest chain", [f.over for f in found], OVER_THE_CHAIN_S)
    _say(f"CPU: median {median(f.cpu for f in found):.2f} s an article (model calls included)")


def _say_cold(command: str, bar: float, times: int) -> None:
    _, *words = command.split()
    found: list[float] = []
    unset = ("OPENAI_", "ORCH_", "DAGSTER_")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(unset)}
    for _ in range(times):
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            subprocess.run(
                [ORCH, *words], cwd=folder, env=environment, capture_output=True, check=True
            )
            found.append(time.perf_counter() - start)
    _verdict(command, found, bar)


def _verdict(what: str, seconds: list[float], bar: float) -> None:
    middle = median(seconds)
    verdict = "within" if middle <= bar else "OVER"
    span = f"{min(seconds):.2f} to {max(seconds):.2f}"
    _say(f"{what}: median {middle:.2f} s ({span}), {verdict} the bar of {bar:g} s")


def _load() -> str:
    return ", ".join(f"{load:.2f}" for load in os.getloadavg())


def _fail(fault: str) -> None:
    raise RuntimeError(fault)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
