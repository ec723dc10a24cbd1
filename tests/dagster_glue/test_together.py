"""Events stored together are the events stored one by one."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from orch_dagster.home import EVENTS_AT_ONCE, open_instance
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.conftest import Open
from tests.dagster_glue.studio import STRONG, weak

ARTICLES = ("a-first", "b-second", "c-third")


@pytest.fixture
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dg.DagsterInstance]:
    """On SQLite files, with the event log that `orch` ships."""
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    with open_instance(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize("at_once", ["0", "2", EVENTS_AT_ONCE])
def test_a_run_leaves_the_same_behind_whatever_is_stored_together(
    at_once: str, studio: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAGSTER_EVENT_BATCH_SIZE", at_once)
    opened = studio({**weak("note"), "match": "*/b-second/note/quality_pass#*"}, STRONG)
    opened.register(*map(brief, ARTICLES))
    opened.drive_all(*ARTICLES)
    assert opened.faults == []
    with closing(sqlite3.connect(tmp_path / "history" / "runs" / "index.db")) as index:
        made = Counter(_rows(index, "select asset_key, partition from event_logs where "
                             "dagster_event_type = 'ASSET_MATERIALIZATION'"))  # fmt: skip
        newest = _rows(index, "select asset_key, last_materialization from asset_keys")
        checks = Counter(_rows(index, "select check_name, partition, execution_status from "
                               "asset_check_executions where partition is not null"))  # fmt: skip
    weak_passes = {'["note", "deliverable"]', '["note", "episode"]'}
    for (key, article), times in made.items():
        if key not in ('["brief"]', '["row"]'):
            assert times == (3 if article == "b-second" and key in weak_passes else 1)
    assert {article for _, article in made} == set(ARTICLES)
    assert all(last for key, last in newest)
    assert checks[("voice_consistency", "b-second", "FAILED")] == 3
    assert checks[("voice_consistency", "a-first", "SUCCEEDED")] == 2


def _rows(connection: sqlite3.Connection, query: str) -> list[tuple[Any, ...]]:
    return connection.execute(query).fetchall()
