"""Studios, simulators and folders for batches of articles."""

from pathlib import Path

import pytest

from tests.dagster_glue.conftest import Open, instance, studio
from tests.end_to_end.orch import small_project
from tests.heartbeat.conftest import Serve, Server, serve

__all__ = ["Open", "Serve", "Server", "instance", "serve", "studio"]


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of two small libraries."""
    return small_project(tmp_path_factory.mktemp("small_project"))


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's folder; the test looks at the instance in it too."""
    folder = tmp_path / "desk"
    folder.mkdir()
    monkeypatch.setenv("DAGSTER_HOME", str(folder / ".orch"))
    return folder
