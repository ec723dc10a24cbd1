"""Offline models on a store, opened and left again like processes."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from orch_dagster.core.ledger import Document
from resources.model.batch.note import BatchNote, BatchNotes
from resources.model.batch.pace import Pace
from resources.model.client import Limits, ModelClient
from resources.model.offline import OfflineModel
from resources.output_store import OutputStore

QUICK = Pace(
    quiet_s=0.1,
    gather_s=2,
    first_look_s=0.01,
    longest_look_s=0.05,
    send_s=3,
    patience_s=3,
    doubt_s=0.4,
)
LIMITS = Limits(in_flight=64, call_timeout_s=30, first_pause_s=0.01)


class Killed(Exception):
    """The process ends here."""


class DyingStore(OutputStore):
    """The process ends before or after the write of this number, from 1."""

    def __init__(self, url: str, *, before: int | None = None, after: int | None = None) -> None:
        super().__init__(url)
        self._before, self._after = before, after
        self._writes = 0

    def write(self, path: str, data: bytes) -> Document:
        self._writes += 1
        if self._writes == self._before:
            raise Killed
        document = super().write(path, data)
        if self._writes == self._after:
            raise Killed
        return document


@contextmanager
def offline(store: OutputStore, pace: Pace = QUICK) -> Iterator[OfflineModel]:
    """An offline model as one process has it."""
    with (
        closing(ModelClient(LIMITS)) as client,
        closing(OfflineModel(client, store, pace)) as model,
    ):
        yield model


def store_in(folder: Path) -> OutputStore:
    """A store in a folder."""
    return OutputStore((folder / "store").as_uri())


def notes(store: OutputStore) -> list[BatchNote]:
    """What is noted there."""
    return list(BatchNotes(store).read(()))
