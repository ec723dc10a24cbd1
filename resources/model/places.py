"""Places for requests in flight: where they wait, and how the process slows down as a whole."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

LONGEST_PAUSE_S = 30.0


def growing_pause(first_s: float, times: int) -> float:
    """Seconds to wait after so many failures in a row: exponential, with jitter."""
    return min(LONGEST_PAUSE_S, first_s * 2 ** min(times - 1, 10)) * random.uniform(0.5, 1.0)


class StillLimitedError(Exception):
    """Nothing came through for as long as one answer may take."""


@dataclass(frozen=True, slots=True, order=True)
class Rank:
    """Who is next: what was asked before, then the library with the longest chain.

    So the longest chains are done first, and libraries come to their ends one after another: each
    stores its results while others' answers are awaited. By what remains of each chain all would
    end together and then store together: 30 articles took 9 % longer so (`tests/benchmarks`).
    """

    is_new: bool
    minus_length: int
    library: str


@dataclass(slots=True)
class Place:
    """A place taken: in which round of slowing down, and how long limits held it up (seconds)."""

    round: int
    held_up_s: float


class Places:
    """At most `limit` holders at once, on one event loop; fewer while the server limits the rate.

    When a holder is told to slow down, no place is given until the pause is over. Then one request
    goes first, and each that is answered makes room for one more, up to half of what was too much
    and slowly from there: as TCP finds its window after a loss. `patience_s` is how long all of
    this may go on without one answer, `first_pause_s` the pause where the server names none.
    """

    def __init__(self, limit: int, *, patience_s: float, first_pause_s: float) -> None:
        self._limit = limit
        self._first_pause_s = first_pause_s
        self._patience_s = patience_s
        self._width, self._ceiling = float(limit), float(limit)
        self._taken = 0
        self._waiting: list[tuple[Rank, int, asyncio.Future[None]]] = []
        self._order = count()
        self._round, self._pauses = 0, 0
        self._resume_at = 0.0
        self._limited_since: float | None = None
        self._wake: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def place(self, rank: Rank) -> AsyncIterator[Place]:
        """One place for the block; of those that wait, the first by rank is next.

        Raises:
            StillLimitedError: the server has let nothing through for too long.
        """
        before = self._now()
        limited = self._limited_since is not None
        await self._take(rank)
        try:
            yield Place(self._round, self._now() - before if limited else 0.0)
        finally:
            self._taken -= 1
            self._give()

    def answered(self) -> None:
        """A holder got its answer: there may be room for more."""
        self._limited_since, self._pauses = None, 0
        if self._width < self._limit:
            grown = 1.0 if self._width < self._ceiling else 1.0 / self._width
            self._width = min(float(self._limit), self._width + grown)

    def limited(self, place: Place, seconds: float | None) -> None:
        """A holder was told that everyone must wait: for `seconds`, or for a growing pause.

        Requests that were on their way at the same time are told the same; they make the pause
        longer where they name a time, and nothing worse.

        Raises:
            StillLimitedError: the server has let nothing through for too long, or will not.
        """
        now = self._now()
        if self._limited_since is None or now > self._resume_at + self._patience_s:
            self._limited_since = now  # what was long ago is another limit
        if place.round == self._round:
            self._round += 1
            self._pauses += 1
            self._ceiling = max(1.0, self._width / 2)
            self._width = 1.0
            seconds = seconds or growing_pause(self._first_pause_s, self._pauses)
        self._resume_at = max(self._resume_at, now + (seconds or 0))
        if self._resume_at - self._limited_since > self._patience_s:
            self._give_up()
            raise StillLimitedError

    async def _take(self, rank: Rank) -> None:
        if not self._waiting and self._is_free():
            self._taken += 1
            return
        turn = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (rank, next(self._order), turn))
        self._give()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._taken -= 1
                self._give()
            raise

    def _give(self) -> None:
        while self._waiting and self._is_free():
            turn = heappop(self._waiting)[2]
            if not turn.done():
                self._taken += 1
                turn.set_result(None)
        if self._waiting and self._wake is None and (left := self._resume_at - self._now()) > 0:
            self._wake = asyncio.get_running_loop().call_later(left, self._resume)

    def _resume(self) -> None:
        self._wake = None
        self._give()

    def _give_up(self) -> None:
        self._limited_since, self._resume_at = None, 0.0
        for *_, turn in self._waiting:
            if not turn.done():
                turn.set_exception(StillLimitedError())
        self._waiting.clear()

    def _is_free(self) -> bool:
        return self._taken < int(self._width) and self._now() >= self._resume_at

    def _now(self) -> float:
        return asyncio.get_running_loop().time()
