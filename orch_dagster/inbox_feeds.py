"""Feeds that an inbox names: asked now and then, each entry enrolled once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from orch_dagster.core.feed import Answer, Broken, FeedSeen, Page, Unchanged, due_feeds, sift
from orch_dagster.core.inbox import Memory, Remembered
from orch_dagster.enrolment import Allowance
from orch_dagster.intake import Intake


class Feeds(Protocol):
    """Asks feeds what is new."""

    def ask(self, feeds: Mapping[str, FeedSeen]) -> Mapping[str, Answer]:
        """What each feed answers, given what it said last."""
        ...


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Seconds since 1970, seconds between two questions to one feed, feeds asked in one look."""

    now: float
    every_s: float
    at_most: int


def follow(
    feeds: Feeds, intake: Intake, memory: Memory, allowance: Allowance, rhythm: Rhythm
) -> Remembered:
    """Ask the feeds that are due and enrol their new entries; none where nothing more may be."""
    named = dict.fromkeys(feed for file in memory.files.values() for feed in file.feeds)
    before = {address: memory.feeds.get(address, FeedSeen.never()) for address in named}
    due = due_feeds(before, now=rhythm.now, every_s=rhythm.every_s)[: rhythm.at_most]
    if not due or allowance.is_spent():
        return Remembered(memory.model_copy(update={"feeds": before}), ())
    after, known = dict(before), memory.known
    for address, answer in feeds.ask({address: before[address] for address in due}).items():
        if isinstance(answer, Page):
            after[address], keys = _take(intake, address, answer, known, allowance, rhythm.now)
            known |= keys
        else:
            after[address] = _untaken(before[address], answer, rhythm.now)
    news = [
        fault
        for address in due
        if after[address].faults != before[address].faults
        for fault in after[address].faults
    ]
    return Remembered(memory.model_copy(update={"feeds": after, "known": known}), tuple(news))


def _untaken(before: FeedSeen, answer: Unchanged | Broken, now: float) -> FeedSeen:
    if isinstance(answer, Unchanged):
        return before.model_copy(update={"asked_at": now})
    # Without what it said last, so that a feed that is mended is read whole.
    return FeedSeen(etag=None, modified=None, asked_at=now, faults=(answer.fault,))


def _take(
    intake: Intake,
    address: str,
    page: Page,
    known: frozenset[str],
    allowance: Allowance,
    now: float,
) -> tuple[FeedSeen, frozenset[str]]:
    """The feed as it is remembered, and the hashes of its entries that are enrolled.

    A feed whose entries are not all enrolled yet is asked again at the next look, for all of it.
    """
    sifted = sift(address, page, known, intake.address)
    done = allowance.take([new.entry for new in sifted.new])
    keys = sifted.known.union(*(new.keys for new in sifted.new if new.entry.article in done))
    if len(done) < len(sifted.new):
        return FeedSeen(etag=None, modified=None, asked_at=0.0, faults=sifted.faults), keys
    return FeedSeen(
        etag=page.etag, modified=page.modified, asked_at=now, faults=sifted.faults
    ), keys
