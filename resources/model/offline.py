"""The offline model: a `Model` that asks in batches, at half the price, and waits for them."""

import asyncio
import threading
from collections.abc import Mapping
from typing import Any

from orch_dagster.model import Ask, Reply, Role
from resources.model.batch.desk import BatchDesk
from resources.model.batch.note import BatchNotes
from resources.model.batch.pace import Pace
from resources.model.client import Core, ModelClient
from resources.output_store import OutputStore


class OfflineModel:
    """What is asked at about the same time, for any articles and libraries, goes into one batch.

    It lives beside a client: on its loop, with its server, and repairs are asked through it at
    once. An answer is the same whichever of the two gave it, so both have the same settings.
    Batches are noted in the store; a process that asks again what an earlier one had sent waits
    for that batch.
    """

    def __init__(self, client: ModelClient, store: OutputStore, pace: Pace | None = None) -> None:
        self._client = client
        self._notes = BatchNotes(store)
        self._pace = pace or Pace()
        self._lock = threading.Lock()
        self._open: tuple[Core, BatchDesk] | None = None

    def settings(self, role: Role) -> Mapping[str, Any]:
        """As of the client."""
        return self._client.settings(role)

    async def ask(self, request: Ask) -> Reply:
        """The answer to one request; see `Model.ask`. It may take a day."""
        if request.is_repair:
            return await self._client.ask(request)
        core = self._client.opened()
        asking = asyncio.run_coroutine_threadsafe(self._desk(core).ask(request), core.loop)
        return await asyncio.wrap_future(asking)

    def close(self) -> None:
        """Wait for nothing any more; to be called before the client is closed."""
        with self._lock:
            opened, self._open = self._open, None
        if opened is not None:
            core, desk = opened
            asyncio.run_coroutine_threadsafe(desk.close(), core.loop).result()

    def _desk(self, core: Core) -> BatchDesk:
        """The desk on the client's loop; after a fork, or a client that was closed, a new one."""
        with self._lock:
            if self._open is None or self._open[0] is not core:
                desk = BatchDesk(core.endpoint, core.conversation, self._notes, self._pace)
                self._open = core, desk
            return self._open[1]
