"""One look into an inbox: what has changed is read and enrolled. Nothing is run, moved or removed."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from orch_dagster.core.entry import refused
from orch_dagster.core.inbox import Listed, Memory, Reading, judge, miss, plan, to_be_read_again
from orch_dagster.enrolment import Allowance, Enrolment
from orch_dagster.inbox_feeds import Feeds, Rhythm, follow
from orch_dagster.intake import Intake, is_passing, name_fault, size_fault, unreadable


class FolderError(Exception):
    """The inbox's folder cannot be used; the message names it and its setting."""


class Folder(Protocol):
    """Where people put files."""

    @property
    def url(self) -> str:
        """The folder, as a URL."""
        ...

    def listing(self) -> tuple[Listed, ...]:
        """The files directly in it; raises `FolderError`."""
        ...

    def read(self, name: str) -> bytes:
        """A file's bytes; raises `OSError`."""
        ...


@dataclass(frozen=True, slots=True)
class Inbox:
    """A watched folder, who reads its files, and who follows the feeds that they name, how often."""

    folder: Folder
    intake: Intake
    feeds: Feeds
    feed_minutes: int

    def rhythm(self, pace: "Pace", now: float) -> Rhythm:
        """Which feeds are due now."""
        return Rhythm(now=now, every_s=self.feed_minutes * 60, at_most=pace.feeds)


@dataclass(frozen=True, slots=True)
class Pace:
    """What one look does at most; the next goes on.

    Dagster ends a sensor's tick after 60 s, and evaluates one sensor after another: the
    orchestrator waits for a look to end.

    Reading stops after `reading_s` seconds and enrolling after `enrolling_s`, both from the start;
    at least one file and one entry are taken in each look.
    """

    files: int = 200
    entries: int = 100
    feeds: int = 8
    reading_s: float = 5.0
    enrolling_s: float = 15.0
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True)
class Look:
    """What a look found: articles enrolled, sentences that are new, files seen, and left to do."""

    memory: Memory
    enrolled: tuple[str, ...]
    news: tuple[str, ...]
    files: int
    left: int


def look(inbox: Inbox, enrolment: Enrolment, memory: Memory, *, now: float, pace: Pace) -> Look:
    """Read what has changed since `memory` and enrol what is new; `now` in seconds since 1970.

    Enrolling comes before remembering: what is cut off between them is found enrolled next time.

    Raises:
        FolderError: the folder cannot be listed.
    """
    started = pace.clock()
    allowance = Allowance(enrolment, pace.entries, started + pace.enrolling_s, pace.clock)
    listing = [file for file in inbox.folder.listing() if not is_passing(file.name)]
    planned = plan(memory, listing, now)
    readings, unread = _read(inbox, planned.read, pace, until=started + pace.reading_s)
    judged = judge(planned.memory, readings, called=inbox.intake.called)
    missed = miss(judged.memory, unread)
    done = allowance.take([entry for entries in judged.given.values() for entry in entries])
    undone = {
        name: frozenset(entry.article for entry in entries if entry.article not in done)
        for name, entries in judged.given.items()
    }
    unfinished = {name: articles for name, articles in undone.items() if articles}
    files = to_be_read_again(missed.memory, unfinished)
    feeds = follow(inbox.feeds, inbox.intake, files, allowance, inbox.rhythm(pace, now))
    return Look(
        memory=feeds.memory,
        enrolled=tuple(allowance.enrolled),
        news=(*judged.news, *missed.news, *feeds.news),
        files=len(listing),
        left=len(planned.read) - len(readings) - len(unread) + len(unfinished),
    )


def _read(
    inbox: Inbox, files: Iterable[Listed], pace: Pace, *, until: float
) -> tuple[list[Reading], dict[str, str]]:
    """The files as read, and a sentence for each that could not be."""
    readings: list[Reading] = []
    unread: dict[str, str] = {}
    for file in files:
        late = bool(readings) and pace.clock() > until
        if len(readings) == pace.files or late:
            break
        try:
            readings.append(_reading(inbox, file))
        except FileNotFoundError:  # taken away since it was listed
            continue
        except OSError as error:
            unread[file.name] = unreadable(file.name, error)
    return readings, unread


def _reading(inbox: Inbox, file: Listed) -> Reading:
    intake = inbox.intake
    fault = name_fault(intake, file.name) or size_fault(
        file.name, file.bytes, largest=intake.largest, noun=intake.noun
    )
    if fault:
        return Reading(file, None, refused(fault))
    data = inbox.folder.read(file.name)
    return Reading(file, sha256(data).hexdigest()[:16], intake.read(file.name, data))
