"""Identical requests in flight: one is made, all that wait for it get its answer."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from orch_dagster.core.spending import NOTHING
from orch_dagster.model import ModelError, Reply


@dataclass(slots=True)
class _Flight:
    task: asyncio.Task[Reply]
    waiting: int = 0
    is_paid: bool = False


class Flights:
    """Requests on their way by what makes them the same, on one event loop."""

    def __init__(self) -> None:
        self._flying: dict[Hashable, _Flight] = {}

    async def join(self, key: Hashable, ask: Callable[[], Coroutine[Any, Any, Reply]]) -> Reply:
        """The answer, by a request that is on its way already or by a new one.

        What it cost stands in the first reply that is handed out, and in no other. One that is
        cancelled leaves the others their answer; the last one ends the request.

        Raises:
            ModelError: as `ask` raised it.
        """
        flight = self._flying.get(key)
        if flight is None:
            flight = _Flight(asyncio.get_running_loop().create_task(ask()))
            self._flying[key] = flight
            flight.task.add_done_callback(lambda task: self._landed(key, task))
        flight.waiting += 1
        try:
            await asyncio.wait((flight.task,))
        except asyncio.CancelledError:
            if flight.waiting == 1:
                self._forget(key, flight.task)
                flight.task.cancel()
            raise
        finally:
            flight.waiting -= 1
        is_free, flight.is_paid = flight.is_paid, True
        return _handed_out(flight.task, is_free=is_free)

    async def close(self) -> None:
        """End what is on its way; those that wait are told so."""
        flights = tuple(self._flying.values())
        for flight in flights:
            flight.task.cancel()
        while any(flight.waiting for flight in flights):
            await asyncio.sleep(0)

    def _landed(self, key: Hashable, task: asyncio.Task[Reply]) -> None:
        self._forget(key, task)
        if not task.cancelled():
            task.exception()  # asked for here too: nobody may be left to ask

    def _forget(self, key: Hashable, task: asyncio.Task[Reply]) -> None:
        if (flight := self._flying.get(key)) and flight.task is task:
            del self._flying[key]


def _handed_out(task: asyncio.Task[Reply], *, is_free: bool) -> Reply:
    if task.cancelled():
        raise ModelError("the model client was closed while the answer was on its way")
    error = task.exception()
    if error is None:
        reply = task.result()
        return replace(reply, usage=NOTHING, cost_usd=0.0, tries=0) if is_free else reply
    if isinstance(error, ModelError) and is_free:
        free = copy(error)
        free.usage, free.cost_usd, free.tries = NOTHING, 0.0, 0
        raise free
    raise error
