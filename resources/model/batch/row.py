"""A row of a batch: one request as a line of the file, and how rows are put into files."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from resources.model.failure import Failure
from resources.model.verdicts import Sent

URL = "/v1/chat/completions"


@dataclass(frozen=True, slots=True)
class Room:
    """How many rows, and how many bytes, go into one file."""

    rows: int
    bytes: int


ROOM = Room(rows=50_000, bytes=200_000_000)
"""50,000 requests and 200 MB; besides, they are of one model, and each has an id of its own (OpenAI's
API reference, "Create batch", and guide "Batch API")."""


@dataclass(frozen=True, slots=True, eq=False)
class BatchRow:
    """One request: its trace as its id, the hash of its body, its line in the file."""

    sent: Sent
    custom_id: str
    digest: str
    line: bytes = field(repr=False)

    @property
    def place(self) -> tuple[str, str]:
        """By what a row is known again: a changed prompt under the same trace is another row."""
        return self.custom_id, self.digest


def batch_row(sent: Sent) -> BatchRow | Failure:
    """The row of a request, or why it can be none: half a surrogate pair is no text."""
    body = sent.body()
    row = {"custom_id": sent.request.trace, "method": "POST", "url": URL, "body": body}
    try:
        line = json.dumps(row, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:
        return Failure(400, "the prompt holds half a surrogate pair, which is no text")
    digest = sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:16]
    return BatchRow(sent, sent.request.trace, digest, line)


@dataclass(slots=True)
class Parcel:
    """The rows of one file."""

    model: str
    room: Room
    rows: dict[str, BatchRow] = field(default_factory=dict)
    size: int = 0

    def takes(self, row: BatchRow) -> bool:
        """Whether there is room for a row, by model, id, number and bytes."""
        return (
            row.sent.model == self.model
            and row.custom_id not in self.rows
            and len(self.rows) < self.room.rows
            and self.size + len(row.line) <= self.room.bytes
        )

    def put(self, row: BatchRow) -> None:
        """Put a row in."""
        self.rows[row.custom_id] = row
        self.size += len(row.line)


def parcels(rows: Iterable[BatchRow], room: Room) -> list[Parcel]:
    """Rows by file, each in the first that takes it. A row too large for any has one of its own."""
    packed: list[Parcel] = []
    for row in rows:
        parcel = next((parcel for parcel in packed if parcel.takes(row)), None)
        if parcel is None:
            parcel = Parcel(row.sent.model, room)
            packed.append(parcel)
        parcel.put(row)
    return packed
