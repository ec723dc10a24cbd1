"""Feeds: which of their entries are new, and when a feed is asked again."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from pydantic import BaseModel, ConfigDict

from orch_dagster.core.entry import Entry


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a feed, as far as it says."""

    id: str | None
    link: str | None
    title: str | None


@dataclass(frozen=True, slots=True)
class Page:
    """A feed as it came; `etag` and `modified` are what its server wants to be told next time.

    `fault` is what is wrong with a feed whose entries could be read all the same.
    """

    items: tuple[Item, ...]
    etag: str | None
    modified: str | None
    fault: str | None


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The server says that the feed is the one that came last."""


@dataclass(frozen=True, slots=True)
class Broken:
    """No feed came; the sentence says why and what to do."""

    fault: str


Answer = Page | Unchanged | Broken


class FeedSeen(BaseModel):
    """A feed as it was last; `asked_at` in seconds since 1970, 0 where it is to be asked at once."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    etag: str | None
    modified: str | None
    asked_at: float
    faults: tuple[str, ...]

    @classmethod
    def never(cls) -> "FeedSeen":
        """A feed that was never asked."""
        return cls(etag=None, modified=None, asked_at=0.0, faults=())


@dataclass(frozen=True, slots=True)
class New:
    """A new entry, and the hashes by which it is known from then on."""

    entry: Entry
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Sifted:
    """A feed's new entries, its last one first (feeds put the newest on top), and its faults.

    `known` are all hashes of the entries that were known by one of theirs.
    """

    new: tuple[New, ...]
    known: frozenset[str]
    faults: tuple[str, ...]


def sift(
    address: str, page: Page, known: frozenset[str], enter: Callable[[str], Entry | str]
) -> Sifted:
    """The entries that are known neither by their id nor by their link, each once.

    `enter` gives the input that a link stands for, or a sentence that says why it is none.
    """
    new: dict[str, New] = {}
    seen, again = set(known), set[str]()
    faults: list[str] = [page.fault] if page.fault else []
    for item in reversed(page.items):
        keys = item_keys(address, item)
        entry = _entry(item, enter)
        if isinstance(entry, str):
            name = repr(item.title or item.id or "without title")
            faults.append(f"feed {address}: the entry {name} is not taken: {entry}")
            continue
        if entry.article in new:
            new[entry.article] = New(entry, new[entry.article].keys | keys)
        elif seen.isdisjoint(keys):
            new[entry.article] = New(entry, keys)
        else:
            again |= keys
        seen |= keys
    return Sifted(tuple(new.values()), frozenset(again), tuple(dict.fromkeys(faults)))


def _entry(item: Item, enter: Callable[[str], Entry | str]) -> Entry | str:
    return enter(item.link) if item.link else "it has no link, so there is nothing to fetch"


def item_keys(address: str, item: Item) -> frozenset[str]:
    """The hashes, 16 hex digits each, by which an entry is known again.

    An id that is an address or a URN is the same entry in every feed; any other, such as a number,
    belongs to its feed alone.
    """
    keys: set[str] = set()
    if item.link:
        keys.add(_hash(f"link {item.link}"))
    if item.id:
        everywhere = re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", item.id)
        keys.add(_hash(f"id {item.id}" if everywhere else f"id {item.id} of {address}"))
    return frozenset(keys)


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def due_feeds(feeds: Mapping[str, FeedSeen], *, now: float, every_s: float) -> tuple[str, ...]:
    """The feeds that were not asked for so long, the longest first."""
    late = {
        address: seen.asked_at for address, seen in feeds.items() if now - seen.asked_at >= every_s
    }
    return tuple(sorted(late, key=lambda address: (late[address], address)))
