"""Dagster's SQLite event log with its connections kept open.

Dagster 1.13.28 makes a new SQLAlchemy engine for every query and every event: it connects,
compiles the statement anew and disconnects. A run of 28 assets does that some 700 times. Kept
open, the same run takes about half the CPU time (`tests/benchmarks`).
"""

import os
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import dagster as dg
import sqlalchemy as db
from dagster._core.storage.asset_check_execution_record import AssetCheckExecutionRecordStatus
from dagster._core.storage.event_log import SqliteEventLogStorage
from dagster._core.storage.event_log.schema import (
    AssetCheckExecutionsTable,
    SqlEventLogStorageTable,
)
from dagster._core.storage.sqlite import SQLITE_BUSY_TIMEOUT_SECONDS
from dagster._serdes import ConfigurableClassData
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

_MADE = dg.DagsterEventType.ASSET_MATERIALIZATION
_EVALUATED = dg.DagsterEventType.ASSET_CHECK_EVALUATION

MOST_OPEN = 16
"""Shards (one a run, one for all assets) with an open connection; a daemon sees thousands of runs."""

KNOWN_FOR_S = 30.0
"""How long a partition that was there is taken to be there still."""

MOST_KNOWN = 10_000


class KeptOpenEventLogStorage(SqliteEventLogStorage):
    """Same files, same schema, one open connection a shard."""

    _open: OrderedDict[tuple[int, str], Engine]

    @classmethod
    def config_type(cls) -> Mapping[str, Any]:
        return {}

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData | None, config_value: Mapping[str, Any]
    ) -> "KeptOpenEventLogStorage":
        """The storage where Dagster's own would be, so that a home can change between the two."""
        base_dir = Path(os.environ["DAGSTER_HOME"]) / "history" / "runs"
        return cls(str(base_dir), inst_data)

    def __init__(self, base_dir: str, inst_data: ConfigurableClassData | None) -> None:
        self._open = OrderedDict()
        self._known_partitions: dict[tuple[str, str], float] = {}
        super().__init__(base_dir, inst_data)

    @contextmanager
    def _connect(self, shard: str) -> Iterator[Connection]:
        with self._db_lock:  # as in Dagster's own: one thread at a time
            engine = self._engine(shard)
            with engine.connect() as connection, connection.begin():
                yield connection

    def _engine(self, shard: str) -> Engine:
        key = (os.getpid(), shard)  # a connection does not survive a fork
        if key in self._open:
            self._open.move_to_end(key)
            return self._open[key]
        engine = create_engine(
            self.conn_string_for_shard(shard),
            poolclass=QueuePool,
            pool_size=1,
            connect_args={"timeout": SQLITE_BUSY_TIMEOUT_SECONDS, "check_same_thread": False},
        )
        # In WAL mode this gives up no commit but the last ones before a power cut.
        event.listen(engine, "connect", _synchronous_normal)
        if shard not in self._initialized_dbs:
            self._initdb(engine)
            self._initialized_dbs.add(shard)
        self._open[key] = engine
        while len(self._open) > MOST_OPEN:
            _, oldest = self._open.popitem(last=False)
            oldest.dispose()
        return engine

    def store_event_batch(self, events: Sequence[dg.EventLogEntry]) -> None:
        """As `store_event` for each, in two transactions for all; Dagster's own takes three each.

        Only events of one run and of the two kinds that come in numbers are stored so.
        """
        kinds = {event.dagster_event_type for event in events}
        [run_id, *others] = {event.run_id for event in events}
        if others or not kinds <= {_MADE, _EVALUATED}:
            super().store_event_batch(events)
            return
        rows = [self._event_to_row(event) for event in events]
        with self.run_connection(run_id) as connection:
            connection.execute(SqlEventLogStorageTable.insert(), rows)
        insert = SqlEventLogStorageTable.insert().returning(
            SqlEventLogStorageTable.c.id, sort_by_parameter_order=True
        )
        with self.index_transaction() as connection:
            ids = connection.execute(insert, rows).scalars().all()
            stored = list(zip(events, ids, strict=True))
            made = [(event, key) for event, key in stored if event.dagster_event_type is _MADE]
            if made:
                self._store_asset_event_tags(connection, *map(list, zip(*made, strict=True)))
            newest = {event.get_dagster_event().asset_key: (event, key) for event, key in made}
            for event, key in newest.values():
                self._store_asset_event(connection, event, key)
        texts = [row["event"] for row in rows]
        self._store_evaluations(
            [
                _Evaluated(event, key, text)
                for (event, key), text in zip(stored, texts, strict=True)
                if event.dagster_event_type is _EVALUATED
            ]
        )

    def _store_evaluations(self, evaluated: Sequence["_Evaluated"]) -> None:
        """What was planned is updated as Dagster does it; the rest is inserted, all at once.

        Planned are the checks of the partition that Dagster takes the run to be of.
        """
        if not evaluated:
            return
        checks = AssetCheckExecutionsTable.c
        planned = db.select(checks.asset_key, checks.check_name, checks.partition).where(
            checks.run_id == evaluated[0].event.run_id
        )
        with self.index_connection() as connection:
            known = {tuple(row) for row in connection.execute(planned)}
        new: dict[tuple[str, str, str | None], _Evaluated] = {}
        known_again: list[_Evaluated] = []
        for one in evaluated:
            if one.key in known or one.key in new:
                known_again.append(one)
            else:
                new[one.key] = one
        if new:
            with self.index_connection() as connection:
                rows = [one.row() for one in new.values()]
                connection.execute(AssetCheckExecutionsTable.insert(), rows)
        for one in known_again:
            self.store_asset_check_event(one.event, one.event_id)

    def has_dynamic_partition(self, partitions_def_name: str, partition_key: str) -> bool:
        """As Dagster's own, which asks for the same key several times in each step of a run."""
        key, now = (partitions_def_name, partition_key), time.monotonic()
        if now - self._known_partitions.get(key, -KNOWN_FOR_S) < KNOWN_FOR_S:
            return True
        known = super().has_dynamic_partition(partitions_def_name, partition_key)
        if len(self._known_partitions) > MOST_KNOWN:
            self._known_partitions.clear()
        if known:
            self._known_partitions[key] = now
        return known

    def dispose(self) -> None:
        """Close everything that is open."""
        while self._open:
            _, engine = self._open.popitem()
            engine.dispose()
        super().dispose()


@dataclass(frozen=True, slots=True)
class _Evaluated:
    """A stored evaluation of a check, and its event as text."""

    event: dg.EventLogEntry
    event_id: int
    text: str

    @property
    def evaluation(self) -> dg.AssetCheckEvaluation:
        return cast(dg.AssetCheckEvaluation, self.event.get_dagster_event().event_specific_data)

    @property
    def key(self) -> tuple[str, str, str | None]:
        """What names its row among those of the run."""
        one = self.evaluation
        return one.asset_key.to_string(), one.check_name, one.partition

    def row(self) -> dict[str, Any]:
        """As Dagster 1.13.28 inserts it where nothing was planned."""
        asset_key, check_name, partition = self.key
        status = AssetCheckExecutionRecordStatus
        target = self.evaluation.target_materialization_data
        return {
            "asset_key": asset_key,
            "check_name": check_name,
            "partition": partition,
            "run_id": self.event.run_id,
            "execution_status": (
                status.SUCCEEDED if self.evaluation.passed else status.FAILED
            ).value,
            "evaluation_event": self.text,
            "evaluation_event_timestamp": datetime.fromtimestamp(self.event.timestamp, UTC).replace(
                tzinfo=None
            ),
            "evaluation_event_storage_id": self.event_id,
            "materialization_event_storage_id": target.storage_id if target else None,
        }


def _synchronous_normal(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA synchronous=NORMAL")
