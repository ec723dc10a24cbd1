"""One article on our executor beside Dagster's default: `python -m tests.benchmarks.default_executor`.

The same assets, the same simulator, one run each in turn; prints both times and their ratio. The
bar is DESIGN 7's: at least ten times faster than the multiprocess executor.
"""

import argparse
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import dagster as dg

from orch_dagster import definitions
from orch_dagster.brief_file import read_brief
from orch_dagster.brief_intake import brief_entry
from orch_dagster.cli.inputs import enroll_all
from orch_dagster.cli.opening import open_content
from orch_dagster.executor import steps_at_once_executor
from tests.benchmarks.one_article import BRIEF
from tests.benchmarks.server import simulator

BAR, LATENCY_MS = 10.0, 50.0
_OWN = ("orch_dagster", "assets", "resources")


def _job(executor: dg.ExecutorDefinition) -> dg.JobDefinition:
    found = definitions.defs()
    job = dg.define_asset_job(
        "one_article",
        selection=dg.AssetSelection.all() - dg.AssetSelection.groups("translation", "brief"),
        executor_def=executor,
    )
    return dg.Definitions(
        assets=found.assets, resources=found.resources, jobs=[job]
    ).resolve_job_def("one_article")


def default_job() -> dg.JobDefinition:
    """The content assets on Dagster's multiprocess executor; its steps load this function."""
    return _job(dg.multiprocess_executor)


def our_job() -> dg.JobDefinition:
    """The content assets on ours."""
    return _job(steps_at_once_executor)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--times", type=int, default=1)
    chosen = options.parse_args()
    ratios: list[float] = []
    for ours, default in pairs(chosen.times):
        ratios.append(default / ours)
        print(f"ours {ours:6.2f} s   multiprocess {default:6.2f} s   ratio {ratios[-1]:.1f}")  # noqa: T201
    verdict = "within" if median(ratios) >= BAR else "MISSES"
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    print(f"median ratio {median(ratios):.1f}, {verdict} the bar of {BAR:g}; load {load}")  # noqa: T201


def pairs(times: int) -> Iterator[tuple[float, float]]:
    """So often the seconds of an article on ours, and then on the default.

    This process's settings are changed for it. Installed modules are compiled first, where that was
    left out: the steps of the default executor are processes that import everything anew.
    """
    compiling = ["-m", "compileall", "-q", sysconfig.get_path("purelib"), *_OWN]
    subprocess.run([sys.executable, *compiling], check=False, capture_output=True)
    with tempfile.TemporaryDirectory() as name, simulator(Path(name), LATENCY_MS) as server:
        os.environ |= server.environment(Path(name) / "home")
        _seconds("warm-up", our_job)
        for number in range(times):
            yield _seconds(f"ours-{number}", our_job), _seconds(f"default-{number}", default_job)


def _seconds(slug: str, job: Callable[[], dg.JobDefinition]) -> float:
    opened = open_content()
    brief = read_brief(BRIEF).model_copy(update={"slug": slug})
    enroll_all(opened, (brief_entry(brief),))
    start = time.perf_counter()
    result = dg.execute_job(
        dg.reconstructable(job),
        instance=opened.instance,
        run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        tags={"dagster/partition": slug},
    )
    if not result.success:
        raise RuntimeError(f"the run of {slug} failed")
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
