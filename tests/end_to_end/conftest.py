"""Simulators and command lines that end with their test."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from resources.simulator.log import read_log
from resources.simulator.script import parse_script
from resources.simulator.server import running_simulator
from resources.simulator.settings import SimulatorSettings
from tests.end_to_end.orch import Orch, small_project


@dataclass(frozen=True)
class Server:
    """A simulator that answers, and what it was asked."""

    base_url: str
    log: Path

    @property
    def settings(self) -> dict[str, str]:
        """What makes `orch` ask this server."""
        return {"OPENAI_BASE_URL": self.base_url, "ORCH_MODEL": "simulator"}

    def asked(self) -> Counter[str]:
        """How often each prompt was asked, as `article/library/prompt#attempt`; probes are none."""
        return Counter(
            record["trace"].split("/", 1)[1]
            for record in read_log(self.log)
            if record["event"] == "asked" and not record["trace"].startswith("check/")
        )


class Serve(Protocol):
    """Starts a simulator that plays these rules; it ends with the test."""

    def __call__(self, *rules: dict[str, Any], **settings: Any) -> Server: ...


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    with ExitStack() as stack:

        def started(*rules: dict[str, Any], **settings: Any) -> Server:
            log = tmp_path / "simulator.jsonl"
            script = parse_script(list(rules), source="rules")
            running = stack.enter_context(
                running_simulator(SimulatorSettings(script=script, log=log, **settings))
            )
            return Server(running.base_url, log)

        yield started


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of two small libraries."""
    return small_project(tmp_path_factory.mktemp("small_project"))


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """An empty folder, as a person's current folder."""
    folder = tmp_path / "desk"
    folder.mkdir()
    return folder


@pytest.fixture
def orch(empty: Path, small: Path) -> Orch:
    """`orch` with the small libraries in an empty folder; no model is set."""
    return Orch(empty, project=small)
