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
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import yaml

from orch_dagster.brief_file import read_brief
from orch_dagster.brief_intake import brief_entry
from orch_dagster.cli.inputs import enroll_all
from orch_dagster.cli.opening import Opened, open_content
from orch_dagster.core.brief import Brief
from orch_dagster.core.decision import Decision, State
from orch_dagster.drive import Ears, drive
from resources.simulator.log import read_log

BRIEF = Path(__file__).parents[2] / "assets" / "briefs" / "lift-modernisation-in-stages.md"
STRONG = [
    {
        "match": "*/quality_pass#*",
        "set": {"voice_consistency": 4.6, "coherence_score": 4.6, "flags": []},
    }
]
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
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with simulator(folder, chosen.latency_ms) as url:
            os.environ |= {
                "OPENAI_BASE_URL": url,
                "ORCH_MODEL": "simulator",
                "DAGSTER_HOME": str(folder / "home"),
            }
            _say_warm(folder, chosen.articles, chosen.latency_ms)
    _say_cold("orch --help", HELP_S, chosen.cold)
    _say_cold("orch demo", DEMO_S, chosen.cold)
    _say(f"load average after: {_load()}")


@contextmanager
def simulator(folder: Path, latency_ms: float) -> Iterator[str]:
    """A simulator in a process of its own; every score passes its gate at once."""
    script = folder / "script.yaml"
    script.write_text(yaml.safe_dump(STRONG), encoding="utf-8")
    words = ["--port", "0", "--latency-ms", str(latency_ms), "--script", str(script)]
    with subprocess.Popen(
        [_orch(), "simulate", *words, "--log", str(folder / "log.jsonl")],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process.stdout.readline().strip().removeprefix("OPENAI_BASE_URL=")
        finally:
            process.kill()


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


def _say_warm(folder: Path, articles: int, latency_ms: float) -> None:
    opened, brief, log = open_content(), read_brief(BRIEF), folder / "log.jsonl"
    libraries = len(opened.pipeline.libraries)
    _say(f"one article, {libraries} libraries, {latency_ms:g} ms a prompt, warm process")
    found: list[Figures] = []
    for number in range(articles + 1):
        named = brief.model_copy(update={"slug": f"{brief.slug}-{number}"})
        figures = measured(opened, named, log, latency_ms)
        _say(f"  {'warm-up' if number == 0 else f'{number:7d}'}: {figures}")
        found += [figures] if number else []
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
                [_orch(), *words], cwd=folder, env=environment, capture_output=True, check=True
            )
            found.append(time.perf_counter() - start)
    _verdict(command, found, bar)


def _verdict(what: str, seconds: list[float], bar: float) -> None:
    middle = median(seconds)
    verdict = "within" if middle <= bar else "OVER"
    span = f"{min(seconds):.2f} to {max(seconds):.2f}"
    _say(f"{what}: median {middle:.2f} s ({span}), {verdict} the bar of {bar:g} s")


def _orch() -> str:
    return str(Path(sys.executable).with_name("orch"))


def _load() -> str:
    return ", ".join(f"{load:.2f}" for load in os.getloadavg())


def _fail(fault: str) -> None:
    raise RuntimeError(fault)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
