"""Files of addresses (`*.urls`): articles to be fetched, and feeds to be followed."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

SUFFIX = ".urls"

_COMMENT = re.compile(r"(^|\s)#.*")
"""From a `#` at the start or after a space: elsewhere it is part of an address."""

_LOGIN = re.compile(r"(?<=://)[^\s/?#]*@")


@dataclass(frozen=True, slots=True)
class Line:
    """A line that says something: an address, and whether it leads to a feed."""

    number: int
    address: str
    feed: bool


@dataclass(frozen=True, slots=True)
class Wrong:
    """A line that says nothing we know; the sentence has its number."""

    fault: str


def read_lines(text: str) -> Iterator[Line | Wrong]:
    """One address a line, `feed` before the address of a feed, `#` before a comment."""
    for number, line in enumerate(text.splitlines(), start=1):
        words = _COMMENT.sub("", line).split()
        if not words:
            continue
        feed = len(words) == 2 and words[0].lower() == "feed"
        if len(words) > 1 and not feed:
            yield Wrong(
                f"line {number}: {_LOGIN.sub('', ' '.join(words))!r} is more than an address; write one address "
                "a line, or 'feed' and the address of a feed"
            )
        elif fault := address_fault(words[-1]):
            yield Wrong(f"line {number}: {fault}")
        else:
            yield Line(number, words[-1], feed)


def address_fault(address: str) -> str | None:
    """What is wrong with an address, if it cannot be one that is fetched."""
    if (shown := _LOGIN.sub("", address)) != address:  # it would be registered, and published
        return f"{shown}: holds a user name; give the address without what stands before '@'"
    if not address.lower().startswith(("http://", "https://")):
        return f"{address}: only http and https addresses are fetched"
    try:
        host = urlsplit(address).hostname
    except ValueError as error:
        return f"{address}: is no address ({error})"
    return None if host else f"{address}: names no host; check the address"


ArticleKey = Callable[[str], str]
"""The key of an article by its address or file name (DESIGN 4.6)."""
