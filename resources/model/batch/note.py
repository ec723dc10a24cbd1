"""What is kept of a batch in the output store, so that it outlives the process that sent it."""

import time
from collections.abc import Container, Iterator, Mapping
from secrets import token_hex

from pydantic import BaseModel, ConfigDict, ValidationError

from resources.model.batch.row import Parcel
from resources.output_store import OutputStore, StoreError

FOLDER = "batch"

KEPT_S = 30 * 24 * 3600
"""Seconds that a server keeps the files of a batch (OpenAI's API reference, "Upload file"): then the
note is of no use either, and is removed."""


class BatchNote(BaseModel):
    """One batch: the key that is also in its metadata, where it is, and its rows' hashes by id.

    It is written before anything is sent; `batch_id` is None until the server gave one. When the
    batch has ended, the note is `settled` and only those rows stay in it that got an answer: they
    are looked up again where the process was killed before it had kept them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    base_url: str
    model: str
    made_at: float
    rows: Mapping[str, str]
    batch_id: str | None = None
    settled: bool = False

    @classmethod
    def of(cls, parcel: Parcel, base_url: str) -> "BatchNote":
        """The note of a batch that is about to be sent."""
        return cls(
            key=token_hex(8),
            base_url=base_url,
            model=parcel.model,
            made_at=time.time(),
            rows={row.custom_id: row.digest for row in parcel.rows.values()},
        )

    @property
    def path(self) -> str:
        """Where it lies below the store's root."""
        return f"{FOLDER}/{self.key}.json"


class BatchNotes:
    """The notes in a store."""

    def __init__(self, store: OutputStore) -> None:
        self._store = store

    def read(self, known: Container[str]) -> Iterator[BatchNote]:
        """The notes whose keys are not known yet; those of the long past are removed.

        Raises:
            StoreError: one cannot be read.
        """
        for name in self._store.names(FOLDER):
            if name.removesuffix(".json") in known:
                continue
            data = self._store.read(f"{FOLDER}/{name}")
            if data is None:  # another process has just removed it
                continue
            note = _note(name, data)
            if time.time() - note.made_at < KEPT_S:
                yield note
            else:
                self.remove(note)

    def write(self, note: BatchNote) -> None:
        """Put it into the store."""
        self._store.write(note.path, note.model_dump_json(indent=1).encode())

    def remove(self, note: BatchNote) -> None:
        """Forget a batch of which nothing can be had any more."""
        self._store.remove(note.path)


def _note(name: str, data: bytes) -> BatchNote:
    try:
        return BatchNote.model_validate_json(data)
    except ValidationError as error:
        raise StoreError(
            f"ORCH_STORE: {FOLDER}/{name} is no note of a batch; remove it, and what was asked in "
            "that batch is asked again"
        ) from error
