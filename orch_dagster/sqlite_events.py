"""Dagster's SQLite event log with its connections kept open.

Dagster 1.13.28 makes a new SQLAlchemy engine for every query and every event: it connects,
compiles the statement anew and disconnects. A run of 28 assets does that some 700 times. Kept
open, the same run takes about half the CPU time (`tests/benchmarks`).
"""

import os
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dagster._core.storage.event_log import SqliteEventLogStorage
from dagster._core.storage.sqlite import SQLITE_BUSY_TIMEOUT_SECONDS
from dagster._serdes import ConfigurableClassData
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

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


def _synchronous_normal(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA synchronous=NORMAL")
