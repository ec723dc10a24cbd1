"""Batches that are waited for: who wants to see how far they are says so here."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Waiting:
    """A batch as it was last seen: its id, the server's word for its status, rows done of all.

    `is_over` is true where there is nothing left to wait for.
    """

    batch: str
    status: str
    done: int
    rows: int
    is_over: bool


Watcher = Callable[[Waiting], None]

_watchers: list[Watcher] = []


def tell(waiting: Waiting) -> None:
    """Tell all who watch in this process."""
    for watcher in tuple(_watchers):
        watcher(waiting)


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """See every look at a batch inside the block; calls come from other threads."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)
