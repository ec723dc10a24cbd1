"""Who wants to see prompts being answered says so here; runs tell it as they go."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum


class Moment(StrEnum):
    """What happened to a prompt."""

    ASKED = "asked"
    ANSWERED = "answered"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Progress:
    """One prompt of one article has come further."""

    article: str
    library: str
    prompt: str
    moment: Moment


Listener = Callable[[Progress], None]

_listeners: list[Listener] = []


def report(progress: Progress) -> None:
    """Tell all who listen in this process."""
    for listener in tuple(_listeners):
        listener(progress)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Hear of every prompt of this process inside the block; calls come from other threads."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
