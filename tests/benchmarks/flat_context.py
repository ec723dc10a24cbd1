"""Context by step: one agent that keeps everything beside libraries with an orchestrator.

    python -m tests.benchmarks.flat_context [--articles N] [--steps N] [--out FOLDER]

The same briefs and the same prompts in three ways, each on a simulator in a process of its own:

- libraries: the content pipeline itself, Dagster runs and all, as the orchestrator decides; with
  the repeated quality passes that its gates ask for.
- a window for each article: one agent asks the prompts of all libraries one after another, in one
  conversation that begins anew with each article. No pass is repeated.
- one window: the same agent in one conversation over all articles, for so many steps. It is never
  cut off: where common context windows are full, a real agent would have to forget or to end.

Tokens are counted with `o200k_base` in the bodies that the simulator logs, on the fly: `orch
simulate --log` writes into a named pipe. What the orchestrator reads is counted in the ledgers
that each decision was made on. Prints a table; writes `flat_context.json` (all figures) and
`flat_context.png` into the folder. 340 articles and 1,000 steps take about a quarter of an hour
on two cores. Tokens are measured here, not quality: the simulator is no language model.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import openai

from assets.content.pipeline import content_pipeline
from orch_dagster.cli.inputs import register_briefs
from orch_dagster.cli.opening import open_content
from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import Status
from tests.benchmarks.flat.agent import work_through
from tests.benchmarks.flat.briefs import many_briefs
from tests.benchmarks.flat.drawing import draw
from tests.benchmarks.flat.figures import Figures, Way, orchestrator, way
from tests.benchmarks.flat.meter import LogPipe, Request, metered
from tests.benchmarks.flat.orchestration import to_the_end
from tests.benchmarks.flat.price import MODEL, PROVIDER
from tests.benchmarks.flat.reading import Reading
from tests.benchmarks.flat.table import table
from tests.benchmarks.flat.window import OneWindow

DOCS = Path(__file__).parents[2] / "docs"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured: the briefs, the steps that are drawn, articles in one run, the price list."""

    briefs: tuple[Brief, ...]
    steps: int
    together: int
    model: str

    def way(self, requests: Sequence[Request], finished: Sequence[str], since: float) -> Way:
        """The figures of one way of working."""
        return way(
            requests,
            finished=finished,
            steps=self.steps,
            model=self.model,
            seconds=round(time.perf_counter() - since, 1),
        )


def main() -> None:
    """Measure, print, write, draw."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--articles", type=_count, default=340)
    options.add_argument("--steps", type=_count, default=1_000)
    options.add_argument("--together", type=_count, default=20, help="articles in one Dagster run")
    options.add_argument("--model", default=MODEL, help=f"whose prices of {PROVIDER} are taken")
    options.add_argument("--out", type=Path, default=DOCS)
    chosen = options.parse_args()
    plan = Plan(many_briefs(chosen.articles), chosen.steps, chosen.together, chosen.model)
    before = os.getloadavg()
    readings, libraries = measure_libraries(plan)
    article_window = measure_article_windows(plan)
    one_window = measure_one_window(plan)
    figures = Figures(
        articles=chosen.articles,
        tokenizer="o200k_base",
        priced_as=f"{PROVIDER} {chosen.model}",
        load_before=before,
        load_after=os.getloadavg(),
        orchestrator=orchestrator(readings),
        libraries=libraries,
        article_window=article_window,
        one_window=one_window,
    )
    chosen.out.mkdir(parents=True, exist_ok=True)
    figures.save(chosen.out / "flat_context.json")
    draw(figures, chosen.out / "flat_context.png")
    _say(table(figures))


def measure_libraries(plan: Plan) -> tuple[tuple[Reading, ...], Way]:
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
        register_briefs(opened, plan.briefs)
        workbench = opened.workbench()
        slugs = [brief.slug for brief in plan.briefs]
        for start in range(0, len(slugs), plan.together):
            readings += to_the_end(workbench, slugs[start : start + plan.together])
            requests += pipe.taken()
            _progress("libraries", min(start + plan.together, len(slugs)), len(slugs), since)
    unfinished = {r.article: r.state for r in readings if not r.runs and not r.ended}
    _refuse(unfinished)
    return tuple(readings), plan.way(requests, slugs, since)


def measure_article_windows(plan: Plan) -> Way:
    """One agent, a new window for each article."""
    libraries = content_pipeline().libraries
    requests: list[Request] = []
    since = time.perf_counter()
    with simulator() as (_, url, pipe), _client(url) as client:
        for number, brief in enumerate(plan.briefs, 1):
            model = OneWindow(client, model="simulator", steps=None)
            _refuse_unfinished(work_through(libraries, [brief], model))
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
            _refuse_unfinished(done)
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


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return number


def _client(url: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=url, api_key="none", max_retries=0)


def _refuse_unfinished(done: Mapping[str, Status]) -> None:
    _refuse({article: status for article, status in done.items() if status != Status.COMPLETE})


def _refuse(unfinished: Mapping[str, str]) -> None:
    """Figures of articles that came to no end would not be comparable."""
    if unfinished:
        raise RuntimeError(f"not all articles came to their end: {unfinished}")


def _progress(what: str, done: int, of: int, since: float) -> None:
    load = os.getloadavg()[0]
    _say(f"{what}: {done:,} of {of:,} in {time.perf_counter() - since:.0f} s, load {load:.1f}")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
