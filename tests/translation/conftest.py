"""Instances in memory, desks in temporary folders."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import dagster as dg
import pytest

from assets.translation.pipeline import translation_pipeline
from orch_dagster.step import DeclaredPipeline
from tests.translation.desk import CATEGORY, Desk, open_desk


class Open(Protocol):
    """Opens a desk; it ends with the test. Without a category rule articles are science."""

    def __call__(
        self,
        *rules: dict[str, Any],
        declared: DeclaredPipeline | None = None,
        webhook: str | None = None,
    ) -> Desk: ...


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    """In memory: a run on SQLite files takes ten times as long."""
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


@pytest.fixture
def desk(
    tmp_path: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Open]:
    with ExitStack() as stack:

        def opened(
            *rules: dict[str, Any],
            declared: DeclaredPipeline | None = None,
            webhook: str | None = None,
        ) -> Desk:
            return stack.enter_context(
                open_desk(
                    tmp_path,
                    declared or translation_pipeline(),
                    instance,
                    monkeypatch,
                    rules=[*rules, CATEGORY],
                    webhook=webhook,
                )
            )

        yield opened
