"""Context by step: one agent that keeps everything beside libraries with an orchestrator.

    python -m tests.benchmarks.flat_context [--articles N] [--steps N] [--out FOLDER]

The same briefs and the same prompts in three ways, each on a simulator in a process of its own:

- libraries: the content pipeline itself, Dagster runs and all, as the orchestrator decides; with
  the repeated quality passes that its gates ask for.
- a window for each article: one agent asks the prompts of all libraries one after another, in one
  conversation that begins anew with each article. No pass is repeated.
- one window: the same agent in one conversation over all articles, for so many steps. It is never
  cut off: where common context windows are full, a real agent would have to forget or to end.

Articles that did not ask every prompt (a chain that failed) are counted and left out of the medians.

Tokens are counted with `o200k_base` in the bodies that the simulator logs, on the fly: `orch
simulate --log` writes into a named pipe. What the orchestrator reads is counted in the ledgers
that each decision was made on. Prints a table; writes `flat_context.json` (all figures) and
`flat_context.png` into the folder. 340 articles and 1,000 steps take about 20 minutes on two busy
cores. Tokens are measured here, not quality: the simulator is no language model.
"""

import argparse
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.benchmarks.flat.briefs import many_briefs
from tests.benchmarks.flat.drawing import draw
from tests.benchmarks.flat.figures import Figures
from tests.benchmarks.flat.price import MODEL, PROVIDER
from tests.benchmarks.flat.table import table
from tests.benchmarks.flat.ways import (
    Plan,
    measure_article_windows,
    measure_libraries,
    measure_one_window,
)

DOCS = Path(__file__).parents[2] / "docs"

AT_ONCE = 2
"""Ways that are measured at the same time: tokens are no slower on a busy machine."""


def main() -> None:
    """Measure, print, write, draw."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--articles", type=_count, default=340)
    options.add_argument("--steps", type=_count, default=1_000)
    options.add_argument("--together", type=_count, default=20, help="articles in one Dagster run")
    options.add_argument("--model", default=MODEL, help=f"whose prices of {PROVIDER} are taken")
    options.add_argument("--out", type=Path, default=DOCS)
    chosen = options.parse_args()
    figures = measure(
        Plan(many_briefs(chosen.articles), chosen.steps, chosen.together, chosen.model)
    )
    chosen.out.mkdir(parents=True, exist_ok=True)
    figures.save(chosen.out / "flat_context.json")
    draw(figures, chosen.out / "flat_context.png")
    sys.stdout.write(f"{table(figures)}\n")


def measure(plan: Plan) -> Figures:
    """All three ways, each in a process of its own."""
    before = os.getloadavg()
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(AT_ONCE, mp_context=spawn) as pool:
        libraries = pool.submit(measure_libraries, plan)
        one_window = pool.submit(measure_one_window, plan)
        article_window = pool.submit(measure_article_windows, plan)
        decided, by_libraries = libraries.result()
        return Figures(
            articles=len(plan.briefs),
            tokenizer="o200k_base",
            priced_as=f"{PROVIDER} {plan.model}",
            orchestrator=decided,
            libraries=by_libraries,
            one_window=one_window.result(),
            article_window=article_window.result(),
            load_before=before,
            load_after=os.getloadavg(),
        )


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return number


if __name__ == "__main__":
    main()
