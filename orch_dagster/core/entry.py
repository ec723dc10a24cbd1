"""What is handed in: the input of one article, and what one file gives."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """The input of one article: its document for the store, and what is known of it.

    `fingerprint` is the hash of what the input says, 16 hex digits; `metadata` is for people.
    """

    article: str
    fingerprint: str
    data: bytes
    metadata: Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Contents:
    """What a file gives: good entries, the addresses of feeds to follow, a sentence a mistake."""

    entries: tuple[Entry, ...]
    feeds: tuple[str, ...]
    mistakes: tuple[str, ...]


def refused(*mistakes: str) -> Contents:
    """The contents of a file that gives nothing but mistakes."""
    return Contents((), (), mistakes)
