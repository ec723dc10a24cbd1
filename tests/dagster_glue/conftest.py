"""Instances in memory, studios in temporary folders."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import dagster as dg
import pytest

from tests.dagster_glue import libraries
from tests.dagster_glue.studio import Studio, open_studio


class Open(Protocol):
    """Opens a studio of the small libraries, or of another package; it ends with the test."""

    def __call__(self, *rules: dict[str, Any], package: ModuleType = libraries) -> Studio: ...


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    """In memory: a run on SQLite files takes ten times as long."""
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


@pytest.fixture
def studio(
    tmp_path: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Open]:
    with ExitStack() as stack:

        def opened(*rules: dict[str, Any], package: ModuleType = libraries) -> Studio:
            return stack.enter_context(open_studio(tmp_path, package, instance, monkeypatch, rules))

        yield opened
