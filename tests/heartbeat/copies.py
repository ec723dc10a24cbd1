"""One article's past under other names: what it left in Dagster's tables is copied row by row.

A copy of a real run's events takes some milliseconds, the run itself some seconds. The log of each
run by itself (what a run's own page shows) is not copied.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, NamedTuple, cast
from uuid import NAMESPACE_URL, uuid5

import dagster as dg
import sqlalchemy
from dagster._core.storage.event_log import SqlEventLogStorage
from dagster._core.storage.event_log.schema import (
    AssetCheckExecutionsTable,
    AssetEventTagsTable,
    SqlEventLogStorageTable,
)
from dagster._core.storage.runs import SqlRunStorage
from dagster._core.storage.runs.schema import RunsTable, RunTagsTable

_THEN = datetime.fromtimestamp(1_700_000_000, UTC).replace(tzinfo=None)
_AT_ONCE = 5_000

_NUMBERED = (
    re.compile(r'(?<=\\"events\\":\{)[^}]*'),  # the basis of an end
    re.compile(r'"dagster/input_event_pointer/[^"]*": "\d+'),
    re.compile(r'"storage_id": \d+'),
)
"""Where an event names others by their storage ids."""

_NUMBER = re.compile(r"\d+(?=\D*$|,)")

Row = dict[str, Any]


class Marks(NamedTuple):
    """The last row of each table at some moment."""

    events: int
    tags: int
    checks: int
    runs: int


@dataclass(frozen=True, slots=True)
class Past:
    """The rows that one article has left."""

    events: list[Row]
    tags: list[Row]
    checks: list[Row]
    runs: list[Row]
    run_tags: list[Row]


def marks(instance: dg.DagsterInstance) -> Marks:
    """Where the tables end now."""
    with _events_of(instance).index_connection() as events, _runs_of(instance).connect() as runs:
        return Marks(
            events=_end(events, SqlEventLogStorageTable),
            tags=_end(events, AssetEventTagsTable),
            checks=_end(events, AssetCheckExecutionsTable),
            runs=_end(runs, RunsTable),
        )


def left_since(instance: dg.DagsterInstance, before: Marks) -> Past:
    """All that was left since then; one article was at work."""
    with _events_of(instance).index_connection() as connection:
        events = _rows(connection, SqlEventLogStorageTable, before.events)
        tags = _rows(connection, AssetEventTagsTable, before.tags)
        checks = _rows(connection, AssetCheckExecutionsTable, before.checks)
    with _runs_of(instance).connect() as connection:
        runs = _rows(connection, RunsTable, before.runs)
        ours = RunTagsTable.c.run_id.in_([row["run_id"] for row in runs])
        found = connection.execute(sqlalchemy.select(RunTagsTable).where(ours))
        run_tags = [dict(row._mapping) for row in found]
    return Past(events, tags, checks, runs, run_tags)


def forget(instance: dg.DagsterInstance, before: Marks) -> None:
    """Take out all that was left since then."""
    with _events_of(instance).index_connection() as connection:
        for table, end in (
            (SqlEventLogStorageTable, before.events),
            (AssetEventTagsTable, before.tags),
            (AssetCheckExecutionsTable, before.checks),
        ):
            connection.execute(table.delete().where(table.c.id > end))
    with _runs_of(instance).connect() as connection:
        connection.execute(RunsTable.delete().where(RunsTable.c.id > before.runs))


def copy_past(
    instance: dg.DagsterInstance, past: Past, *, of: str, articles: Sequence[str]
) -> None:
    """Write the past of `of` once more for each of these articles, as if it had been long ago."""
    first, last = past.events[0]["id"], past.events[-1]["id"]
    storage = _events_of(instance)
    with storage.index_connection() as connection:
        start = _end(connection, SqlEventLogStorageTable) + 1
        copies = [
            _Copy(past, of, article, start + number * (last - first + 1) - first)
            for number, article in enumerate(articles)
        ]
        for batch in _batches(event for copy in copies for event in copy.events()):
            connection.execute(SqlEventLogStorageTable.insert(), batch)
        for batch in _batches(tag for copy in copies for tag in copy.tags()):
            connection.execute(AssetEventTagsTable.insert(), batch)
        for batch in _batches(check for copy in copies for check in copy.checks()):
            connection.execute(AssetCheckExecutionsTable.insert(), batch)
        if connection.dialect.name == "postgresql":  # whose sequence has not seen these ids
            end = sqlalchemy.func.max(SqlEventLogStorageTable.c.id)
            sequence = sqlalchemy.func.pg_get_serial_sequence("event_logs", "id")
            connection.execute(sqlalchemy.select(sqlalchemy.func.setval(sequence, end)))
    with _runs_of(instance).connect() as connection:
        for batch in _batches(run for copy in copies for run in copy.runs()):
            connection.execute(RunsTable.insert(), batch)
        for batch in _batches(tag for copy in copies for tag in copy.run_tags()):
            connection.execute(RunTagsTable.insert(), batch)


class _Copy:
    """One copy: names are replaced wherever they stand, storage ids are moved by so much."""

    def __init__(self, past: Past, of: str, article: str, moved: int) -> None:
        self._past, self._moved = past, moved
        ids = [row["run_id"] for row in past.runs]
        self._names = {of: article, **{id: str(uuid5(NAMESPACE_URL, id + article)) for id in ids}}

    def events(self) -> Iterator[Row]:
        for row in self._past.events:
            renamed = self._renamed(row, "event", "partition", "run_id")
            yield {**renamed, "id": row["id"] + self._moved, "event": self._told(renamed["event"])}

    def tags(self) -> Iterator[Row]:
        for row in self._past.tags:
            pointer = "input_event_pointer" in row["key"] and row["value"].isdecimal()
            value = str(int(row["value"]) + self._moved) if pointer else row["value"]
            yield {**_new(row), "value": value, "event_id": row["event_id"] + self._moved}

    def checks(self) -> Iterator[Row]:
        for row in self._past.checks:
            renamed = self._renamed(_new(row), "evaluation_event", "partition", "run_id")
            for name in ("evaluation_event_storage_id", "materialization_event_storage_id"):
                renamed[name] = row[name] and row[name] + self._moved
            yield renamed

    def runs(self) -> Iterator[Row]:
        for row in self._past.runs:
            yield self._renamed(_new(row), "run_id", "run_body", "partition") | {
                "update_timestamp": _THEN
            }

    def run_tags(self) -> Iterator[Row]:
        for row in self._past.run_tags:
            yield self._renamed(_new(row), "run_id", "value")

    def _renamed(self, row: Mapping[str, Any], *columns: str) -> Row:
        return {**row, **{name: self._rename(row[name]) for name in columns}}

    def _rename(self, text: str | None) -> str | None:
        for old, new in self._names.items() if text else ():
            text = text.replace(old, new) if text else text
        return text

    def _told(self, event: str) -> str:
        for place in _NUMBERED:
            event = place.sub(lambda found: _NUMBER.sub(self._move, found[0]), event)
        return event

    def _move(self, number: re.Match[str]) -> str:
        return str(int(number[0]) + self._moved)


def _new(row: Mapping[str, Any]) -> Row:
    return {name: value for name, value in row.items() if name != "id"}


def _end(connection: Any, table: sqlalchemy.Table) -> int:
    return connection.execute(sqlalchemy.select(sqlalchemy.func.max(table.c.id))).scalar() or 0


def _rows(connection: Any, table: sqlalchemy.Table, after: int) -> list[Row]:
    found = connection.execute(
        sqlalchemy.select(table).where(table.c.id > after).order_by(table.c.id)
    )
    return [dict(row._mapping) for row in found]


def _events_of(instance: dg.DagsterInstance) -> SqlEventLogStorage:
    return cast(SqlEventLogStorage, instance.event_log_storage)


def _runs_of(instance: dg.DagsterInstance) -> SqlRunStorage:
    return cast(SqlRunStorage, instance.run_storage)


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    left = iter(rows)
    while batch := list(islice(left, _AT_ONCE)):
        yield batch
