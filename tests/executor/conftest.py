"""A real instance in a temporary folder, and a way to run a job on it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import dagster as dg
import pytest

from tests.executor import jobs

Run = Callable[..., dg.JobExecutionResult]


QUIET = {"telemetry": {"enabled": False}}


@pytest.fixture(scope="session")
def empty_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Databases that exist already: to make them takes Dagster longer than most runs here."""
    home = tmp_path_factory.mktemp("empty_home")
    with dg.DagsterInstance.local_temp(str(home), overrides=QUIET) as instance:
        instance.get_runs(limit=1)
        instance.all_asset_keys()
    return home


@pytest.fixture
def instance(tmp_path: Path, empty_home: Path) -> Iterator[dg.DagsterInstance]:
    home = shutil.copytree(empty_home, tmp_path / "home")
    with dg.DagsterInstance.local_temp(str(home), overrides=QUIET) as instance:
        yield instance


@pytest.fixture
def run(instance: dg.DagsterInstance) -> Run:
    jobs.meeting.reset()

    def execute(job, *, config: dict | None = None, **options) -> dg.JobExecutionResult:
        return dg.execute_job(
            dg.reconstructable(job), instance=instance, run_config=config, **options
        )

    return execute


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


@pytest.fixture
def notes_config(notes: Path) -> dict:
    return {"resources": {"notes": {"config": {"folder": str(notes)}}}}


@pytest.fixture
def waiting_config(notes: Path) -> dict:
    folder = {"config": {"folder": str(notes)}}
    return {"resources": {"notes": folder, "noting_io": folder}}
