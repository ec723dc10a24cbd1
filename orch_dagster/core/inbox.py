"""The inbox: what of a listing is to be read, which articles it gives, what people are told.

All of it is arithmetic on the memory of earlier looks; nothing here opens a file.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from pydantic import BaseModel, ConfigDict

from orch_dagster.core.entry import Contents, Entry
from orch_dagster.core.feed import FeedSeen

QUIET_S = 10.0
"""Seconds after a file's last change from which it is taken to be whole."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A file as its folder lists it.

    `stamp` changes with every change of the file, and sometimes without one; `modified` is in
    seconds since 1970, None where the folder does not say.
    """

    name: str
    stamp: str
    modified: float | None
    bytes: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A file and what it gives; `sha256` is None where its name or size says that it is none.

    Sixteen hex digits tell two contents apart.
    """

    file: Listed
    sha256: str | None
    contents: Contents


class Seen(BaseModel):
    """A file as it was read last.

    `stamp` is None where it is to be read again at the next look; `articles` maps those that were
    registered from it to their fingerprints, `lost` those that another file had given already to theirs.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    stamp: str | None
    sha256: str | None
    articles: Mapping[str, str] = {}
    lost: Mapping[str, str] = {}
    feeds: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


_BLANK = Seen(stamp=None, sha256=None)


class Memory(BaseModel):
    """All that is remembered of one inbox.

    `waiting` are files that have changed and were not read yet, with the stamps they had; `known`
    are hashes of feed entries that have been taken. It grows with them: 19 bytes an entry.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    inbox: str
    files: Mapping[str, Seen]
    waiting: Mapping[str, str]
    feeds: Mapping[str, FeedSeen]
    known: frozenset[str]

    @classmethod
    def blank(cls, inbox: str) -> Self:
        """The memory of an inbox that was never looked into."""
        return cls(inbox=inbox, files={}, waiting={}, feeds={}, known=frozenset())

    def faults(self) -> tuple[str, ...]:
        """Every sentence that stands: files by name, then feeds."""
        files = [fault for name in sorted(self.files) for fault in self.files[name].faults]
        feeds = [fault for name in sorted(self.feeds) for fault in self.feeds[name].faults]
        return (*files, *feeds)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be read now, and the memory without what is no longer there."""

    read: tuple[Listed, ...]
    memory: Memory


def plan(memory: Memory, listing: Iterable[Listed], now: float) -> Plan:
    """The files that have changed since they were read, and have stopped changing.

    A file that lost its article to another is read again once no other gives another version.
    """
    files = sorted(listing, key=lambda file: file.name)
    names = {file.name for file in files}
    seen = {name: one for name, one in memory.files.items() if name in names}
    given = {article: made for one in seen.values() for article, made in one.articles.items()}
    changed = [file for file in files if _is_changed(seen.get(file.name), file, given)]
    return Plan(
        read=tuple(file for file in changed if _is_whole(file, memory.waiting, now)),
        memory=memory.model_copy(
            update={"files": seen, "waiting": {file.name: file.stamp for file in changed}}
        ),
    )


def _is_changed(seen: Seen | None, file: Listed, given: Mapping[str, str]) -> bool:
    if seen is None or seen.stamp != file.stamp:
        return True
    return any(given.get(article, lost) == lost for article, lost in seen.lost.items())


def _is_whole(file: Listed, waiting: Mapping[str, str], now: float) -> bool:
    """Whether nobody seems to be writing it: unchanged for a while, or since the last look."""
    if file.modified is not None and now - file.modified >= QUIET_S:
        return True
    return waiting.get(file.name) == file.stamp


@dataclass(frozen=True, slots=True)
class Judged:
    """The entries that are new in each file, the memory of all, and the sentences that are new."""

    given: Mapping[str, tuple[Entry, ...]]
    memory: Memory
    news: tuple[str, ...]


def judge(memory: Memory, readings: Sequence[Reading], *, called: str) -> Judged:
    """Who gives which article. Of two files with one article the one that had it first keeps it.

    Among files that are new alike it is the first by name. `called` is what people change to
    name an article, as in "field 'slug'". A sentence is news unless the file said it before with
    the same content.
    """
    holders = _holders(memory, readings)
    given: dict[str, tuple[Entry, ...]] = {}
    seen = dict(memory.files)
    news: list[str] = []
    for reading in sorted(readings, key=lambda reading: reading.file.name):
        name = reading.file.name
        taken, new = _taken(reading, holders, called)
        before = seen.get(name, _BLANK)
        given[name] = tuple(
            entry for entry in taken if before.articles.get(entry.article) != entry.fingerprint
        )
        told = before.faults if before.sha256 == new.sha256 else ()
        news += [fault for fault in new.faults if fault not in told]
        seen[name] = new
    waiting = {name: stamp for name, stamp in memory.waiting.items() if name not in given}
    judged = memory.model_copy(update={"files": seen, "waiting": waiting})
    return Judged(given, judged, tuple(news))


def _holders(memory: Memory, readings: Sequence[Reading]) -> dict[str, tuple[str, str]]:
    """By article, the file that gave it before and does so still, and its fingerprint."""
    read = {reading.file.name: reading for reading in readings}
    holders = {
        article: (name, fingerprint)
        for name, seen in sorted(memory.files.items(), reverse=True)
        if name not in read
        for article, fingerprint in seen.articles.items()
    }
    for name, reading in sorted(read.items()):
        seen = memory.files.get(name)
        before: Mapping[str, str] = seen.articles if seen else {}
        for entry in reading.contents.entries:
            if entry.article in before:
                holders.setdefault(entry.article, (name, entry.fingerprint))
    return holders


def _taken(
    reading: Reading, holders: dict[str, tuple[str, str]], called: str
) -> tuple[tuple[Entry, ...], Seen]:
    name, contents = reading.file.name, reading.contents
    taken: dict[str, Entry] = {}
    lost: dict[str, str] = {}
    clashes: list[str] = []
    for entry in contents.entries:
        holder, fingerprint = holders.setdefault(entry.article, (name, entry.fingerprint))
        if fingerprint == entry.fingerprint:
            taken[entry.article] = entry
        else:
            lost[entry.article] = entry.fingerprint
            clashes.append(clash(name, entry.article, holder, called=called))
    seen = Seen(
        stamp=reading.file.stamp,
        sha256=reading.sha256,
        articles={article: entry.fingerprint for article, entry in taken.items()},
        lost=lost,
        feeds=contents.feeds,
        faults=(*contents.mistakes, *clashes),
    )
    return tuple(taken.values()), seen


def clash(name: str, article: str, holder: str, *, called: str) -> str:
    """What is said of a file whose article another one has given already."""
    return (
        f"{name}: {called} makes it the article {article!r}, which {holder!r} is already; that one "
        "stands, this one is not taken: change it here"
    )


@dataclass(frozen=True, slots=True)
class Remembered:
    """The memory of what has happened, and the sentences that are new."""

    memory: Memory
    news: tuple[str, ...]


def miss(memory: Memory, unread: Mapping[str, str]) -> Remembered:
    """Files that could not be opened, with what is said of each; they are tried at every look.

    What they gave before stands: no other file takes their articles in the meantime.
    """
    before = {name: memory.files.get(name, _BLANK) for name in unread}
    news = [fault for name, fault in unread.items() if before[name].faults != (fault,)]
    missed = {
        name: before[name].model_copy(update={"faults": (fault,)}) for name, fault in unread.items()
    }
    files = memory.model_copy(update={"files": {**memory.files, **missed}})
    return Remembered(to_be_read_again(files, dict.fromkeys(unread, frozenset())), tuple(news))


def to_be_read_again(memory: Memory, files: Mapping[str, frozenset[str]]) -> Memory:
    """The memory in which these files are read at the next look too, changed or not.

    By file, those of its articles that are not registered yet.
    """
    before = {name: memory.files[name] for name in files}
    again = {name: _without(before[name], undone) for name, undone in files.items()}
    waiting = {name: seen.stamp for name, seen in before.items() if seen.stamp is not None}
    return memory.model_copy(
        update={"files": {**memory.files, **again}, "waiting": {**memory.waiting, **waiting}}
    )


def _without(seen: Seen, undone: frozenset[str]) -> Seen:
    done = {name: made for name, made in seen.articles.items() if name not in undone}
    return seen.model_copy(update={"stamp": None, "articles": done})
