"""Where requests are gathered until they make a batch, or are led to one that has them already."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from resources.model.batch.awaited import AwaitedBatch, Broken, Ended, Office, Unsent
from resources.model.batch.note import BatchNote
from resources.model.batch.pace import Pace
from resources.model.batch.row import ROOM, BatchRow, Parcel, parcels

_Batches = Mapping[BatchRow, AwaitedBatch]


@dataclass(slots=True)
class _Round:
    """Rows that come together, in the order in which they came."""

    begun: float
    newest: float
    rows: dict[BatchRow, None] = field(default_factory=dict)

    def left_s(self, pace: Pace) -> float:
        """Seconds until it closes, if no other row comes."""
        if len(self.rows) >= ROOM.rows:
            return 0.0
        return min(self.newest + pace.quiet_s, self.begun + pace.gather_s) - time.monotonic()


class Gathering:
    """Rows on their way into batches, for one event loop and one server."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._round: tuple[_Round, asyncio.Task[_Batches]] | None = None
        self._closing: set[asyncio.Task[_Batches]] = set()
        self._reading = asyncio.Lock()
        self._seen: set[str] = set()
        self._places: dict[tuple[str, str], BatchNote] = {}
        self._batches: dict[str, AwaitedBatch] = {}

    async def end_of(self, row: BatchRow) -> Ended | Broken:
        """How the batch ended that has this row: a new one, or one of an earlier process.

        Raises:
            StoreError: the store cannot be read or written.
        """
        while True:
            batch = await self._batch_of(row)
            end = await batch.end()
            if not isinstance(end, Unsent):
                return end

    async def close(self) -> None:
        """Close no round any more; whoever waits for one must have been told."""
        for task in tuple(self._closing):
            task.cancel()

    async def _batch_of(self, row: BatchRow) -> AwaitedBatch:
        now = time.monotonic()
        if self._round is None:
            self._round = self._opened(_Round(begun=now, newest=now))
        joined, closing = self._round
        joined.newest = now
        joined.rows[row] = None
        try:
            await asyncio.wait((closing,))
        except asyncio.CancelledError:
            joined.rows.pop(row, None)
            raise
        return closing.result()[row]

    def _opened(self, opened: _Round) -> tuple[_Round, asyncio.Task[_Batches]]:
        closing = asyncio.get_running_loop().create_task(self._close(opened))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)
        return opened, closing

    async def _close(self, closed: _Round) -> _Batches:
        while (left_s := closed.left_s(self._office.pace)) > 0:
            await asyncio.sleep(left_s)
        self._round = None
        async with self._reading:
            for note in await asyncio.to_thread(self._unseen):
                self._learn(note)
        rows = tuple(closed.rows)
        for parcel in parcels((row for row in rows if self._known(row) is None), ROOM):
            self._begin(parcel)
        known = {row: self._known(row) for row in rows}
        return {row: batch for row, batch in known.items() if batch is not None}

    def _unseen(self) -> tuple[BatchNote, ...]:
        return tuple(self._office.notes.read(self._seen))

    def _begin(self, parcel: Parcel) -> None:
        note = BatchNote.of(parcel, self._office.endpoint.base_url)
        rows = tuple(parcel.rows.values())
        self._learn(note)
        self._batches[note.key] = AwaitedBatch(
            note, example=rows[0].sent, rows=rows, office=self._office
        )

    def _learn(self, note: BatchNote) -> None:
        self._seen.add(note.key)
        if note.base_url == self._office.endpoint.base_url:
            self._places |= dict.fromkeys(note.rows.items(), note)

    def _known(self, row: BatchRow) -> AwaitedBatch | None:
        """The batch that has the row already, or had it when an earlier process ended."""
        note = self._places.get(row.place)
        if note is None:
            return None
        if note.key not in self._batches:
            self._batches[note.key] = AwaitedBatch(
                note, example=row.sent, rows=(), office=self._office
            )
        batch = self._batches[note.key]
        return batch if batch.holds(row) else None
