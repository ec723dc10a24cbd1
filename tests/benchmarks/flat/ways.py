"""The three ways of working, each measured on a simulator in a process of its own."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import openai

from assets.content.pipeline import content_pipeline
from orch_dagster.brief_intake import brief_entry
from orch_dagster.cli.inputs import enroll_all
from orch_dagster.cli.opening import open_content
from orch_dagster.core.brief import Brief
from tests.benchmarks.flat.agent import work_through
from tests.benchmarks.flat.figures import Orchestrator, Way, orchestrator, way
from tests.benchmarks.flat.meter import LogPipe, Request, metered
from tests.benchmarks.flat.orchestration import to_the_end
from tests.benchmarks.flat.reading import Reading
from tests.benchmarks.flat.window import OneWindow


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured: the briefs, the steps that are drawn, articles in one run, the price list."""

    briefs: tuple[Brief, ...]
    steps: int
    together: int
    model: str

    def way(self, requests: Sequence[Request], finished: Sequence[str], since: float) -> Way:
        """The figures of one way of working."""
        libraries = content_pipeline().libraries
        return way(
            requests,
            finished=finished,
            prompts=frozenset(f"{lib.name}/{p.name}" for lib in libraries for p in lib.prompts),
            steps=self.steps,
            model=self.model,
            seconds=round(time.perf_counter() - since, 1),
        )


def measure_libraries(plan: Plan) -> tuple[Orchestrator, Way]:
    """The real pipeline over all briefs, many in a run; and what each decision read."""
    readings: list[Reading] = []
    requests: list[Request] = []
    since = time.perf_counter()
    with simulator() as (folder, url, pipe):
        os.environ |= {
            "OPENAI_BASE_URL": url,
            "ORCH_MODEL": "simulator",
            "DAGSTER_HOME": str(folder / "home"),
        }
        opened = open_content()
        enroll_all(opened, [brief_entry(brief) for brief in plan.briefs])
        workbench = opened.workbench()
        slugs = [brief.slug for brief in plan.briefs]
        for start in range(0, len(slugs), plan.together):
            readings += to_the_end(workbench, slugs[start : start + plan.together])
            requests += pipe.taken()
            _progress("libraries", min(start + plan.together, len(slugs)), len(slugs), since)
    return orchestrator(readings), plan.way(requests, slugs, since)


def measure_article_windows(plan: Plan) -> Way:
    """One agent, a new window for each article."""
    libraries = content_pipeline().libraries
    requests: list[Request] = []
    since = time.perf_counter()
    with simulator() as (_, url, pipe), _client(url) as client:
        for number, brief in enumerate(plan.briefs, 1):
            work_through(libraries, [brief], OneWindow(client, model="simulator", steps=None))
            requests += pipe.taken()
            if number % plan.together == 0 or number == len(plan.briefs):
                _progress("a window for each article", number, len(plan.briefs), since)
    return plan.way(requests, [brief.slug for brief in plan.briefs], since)


def measure_one_window(plan: Plan) -> Way:
    """One agent, one window over all articles, for as many steps as the plan has."""
    libraries = content_pipeline().libraries
    requests: list[Request] = []
    finished: list[str] = []
    since = time.perf_counter()
    with simulator() as (_, url, pipe), _client(url) as client:
        model = OneWindow(client, model="simulator", steps=plan.steps)
        for brief in plan.briefs:
            done = work_through(libraries, [brief], model)
            finished += done
            requests += pipe.taken()
            _progress("one window", len(requests), plan.steps, since)
            if not done:
                break
    return plan.way(requests, finished, since)


@contextmanager
def simulator() -> Iterator[tuple[Path, str, LogPipe]]:
    """A folder, a simulator in a process of its own, and the pipe that counts what it logs."""
    with tempfile.TemporaryDirectory() as name, metered(Path(name)) as pipe:
        orch = Path(sys.executable).with_name("orch")
        words = [str(orch), "simulate", "--port", "0", "--log", str(pipe.path)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                process.stdout.readline()
                url = process.stdout.readline().strip().removeprefix("OPENAI_BASE_URL=")
                yield Path(name), url, pipe
            finally:
                process.kill()


def _client(url: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=url, api_key="none", max_retries=0)


def _progress(what: str, done: int, of: int, since: float) -> None:
    seconds, load = time.perf_counter() - since, os.getloadavg()[0]
    sys.stdout.write(f"{what}: {done:,} of {of:,} in {seconds:.0f} s, load {load:.1f}\n")
    sys.stdout.flush()
