"""Studios of two small libraries, with a daemon that beats when it is told to."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import dagster as dg
import pytest

from orch_dagster.home import prepare_home
from resources.simulator.log import read_log
from resources.simulator.script import parse_script
from resources.simulator.server import running_simulator
from resources.simulator.settings import SimulatorSettings
from tests.dagster_glue import libraries
from tests.dagster_glue.studio import Studio, open_studio
from tests.heartbeat.daemon import Daemon


@dataclass(frozen=True)
class Lab:
    """A studio and a daemon that looks after it."""

    studio: Studio
    daemon: Daemon


class OpenLab(Protocol):
    """Opens a lab whose simulator plays these rules; it ends with the test."""

    def __call__(self, *rules: dict[str, Any]) -> Lab: ...


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    """In memory: a run on SQLite files takes several times as long."""
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


@pytest.fixture
def lab(
    tmp_path: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OpenLab]:
    with ExitStack() as stack:

        def opened(*rules: dict[str, Any]) -> Lab:
            opening = open_studio(tmp_path, libraries, instance, monkeypatch, rules)
            studio = stack.enter_context(opening)
            return Lab(studio, Daemon(studio))

        yield opened


@pytest.fixture(scope="session")
def empty_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Dagster home as `orch` makes it, with its databases: to make them takes a second."""
    home, before = tmp_path_factory.mktemp("empty_home"), os.environ.get("DAGSTER_HOME")
    prepare_home(home)
    with dg.DagsterInstance.from_config(str(home)) as instance:
        instance.get_runs(limit=1)
        instance.all_asset_keys()
        instance.all_instigator_state()
    if before is None:
        del os.environ["DAGSTER_HOME"]
    else:
        os.environ["DAGSTER_HOME"] = before
    return home


@pytest.fixture
def home(tmp_path: Path, empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new Dagster home of our settings, on SQLite files."""
    home = Path(shutil.copytree(empty_home, tmp_path / "home"))
    monkeypatch.setenv("DAGSTER_HOME", str(home))
    return home


@pytest.fixture
def kept(home: Path) -> Iterator[dg.DagsterInstance]:
    """The instance in that home."""
    with dg.DagsterInstance.from_config(str(home)) as instance:
        yield instance


@dataclass(frozen=True)
class Server:
    """A simulator for other processes, and what it was asked."""

    base_url: str
    log: Path

    @property
    def settings(self) -> dict[str, str]:
        """What makes `orch` ask this server."""
        return {"OPENAI_BASE_URL": self.base_url, "ORCH_MODEL": "simulator"}

    def records(self, event: str) -> list[dict[str, Any]]:
        """The records of one kind; each `where` is `article/library/prompt` without the attempt."""
        return [
            {**record, "where": record["trace"].split("/", 1)[1].split("#")[0]}
            for record in read_log(self.log)
            if record["event"] == event
        ]


class Serve(Protocol):
    """Starts a simulator that plays these rules; it ends with the test."""

    def __call__(self, *rules: dict[str, Any], **settings: Any) -> Server: ...


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    with ExitStack() as stack:

        def started(*rules: dict[str, Any], **settings: Any) -> Server:
            log, script = tmp_path / "simulator.jsonl", parse_script(list(rules), source="rules")
            running = stack.enter_context(
                running_simulator(SimulatorSettings(script=script, log=log, **settings))
            )
            return Server(running.base_url, log)

        yield started
