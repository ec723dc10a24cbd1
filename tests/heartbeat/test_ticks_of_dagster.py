"""Dagster's own sensor daemon, killed in the middle of a tick: each article is launched once."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from tests.dagster_glue.briefs import write_brief
from tests.end_to_end.orch import ROOT, Orch, small_project

pytestmark = pytest.mark.slow

TICK = """
import logging, sys, time
from concurrent.futures import ThreadPoolExecutor
import dagster as dg
from dagster._core.test_utils import create_test_daemon_workspace_context
from dagster._core.workspace.load_target import ModuleTarget
from dagster._daemon.sensor import execute_sensor_iteration

target = ModuleTarget("orch_dagster.definitions", None, None, None)
point, signal_number = sys.argv[1], int(sys.argv[2])
crash = {"content_orchestrator": {point: signal_number}} if signal_number else None
with dg.DagsterInstance.get() as instance:
    with create_test_daemon_workspace_context(target, instance) as workspace:
        logger = logging.getLogger("sensors")
        until = time.monotonic() + 25  # two of the sensor's intervals
        while time.monotonic() < until:
            list(execute_sensor_iteration(workspace, logger, None, None, debug_crash_flags=crash))
            time.sleep(1)
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of two small libraries."""
    return small_project(tmp_path_factory.mktemp("small_project"))


@pytest.mark.parametrize("point", ["TICK_HELD", "RUN_CREATED", "RUN_LAUNCHED"])
def test_a_tick_that_is_killed_is_finished_by_the_next_daemon(
    tmp_path: Path, small: Path, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    orch = Orch(tmp_path, {}, small)
    for slug in ("first", "second"):
        write_brief(tmp_path / "inbox", slug)
    assert orch.run("add", "inbox").status == 0
    home = tmp_path / ".orch"
    monkeypatch.setenv("DAGSTER_HOME", str(home))
    environment = {**orch.environment, "DAGSTER_HOME": str(home)}
    killed = _daemon(environment, point, signal.SIGKILL)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert _daemon(environment, point, 0).returncode == 0
    with dg.DagsterInstance.from_config(str(home)) as instance:
        runs = instance.get_runs()
    assert sorted(run.tags["dagster/partition"] for run in runs) == ["first", "second"]
    assert {run.status for run in runs} == {dg.DagsterRunStatus.QUEUED}
    assert len({run.tags["dagster/run_key"] for run in runs}) == 2


def _daemon(
    environment: dict[str, str], point: str, number: int
) -> subprocess.CompletedProcess[str]:
    # PYTHONPATH names the small project; the tests' own packages are not needed there.
    assert environment["PYTHONPATH"] != os.fspath(ROOT)
    return subprocess.run(
        [sys.executable, "-c", TICK, point, str(int(number))],
        env=environment,
        cwd=environment["DAGSTER_HOME"],
        capture_output=True,
        text=True,
        check=False,
    )
