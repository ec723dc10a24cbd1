"""The title within a link's or an image's destination."""

import re
from dataclasses import dataclass

from markdown_it.helpers import parseLinkDestination, parseLinkTitle

_SPACES = re.compile(r"[ \t\n]*")
DELIMITERS = {'"': '"', "'": "'", "(": "()"}


@dataclass(frozen=True, slots=True)
class Title:
    """Characters `start` to `end` between the `delimiters`."""

    start: int
    end: int
    delimiters: str


def title_of(content: str, start: int, end: int) -> Title | None:
    """The title in `(destination "title")` from `start` to `end`, if there is one."""
    if content[start : start + 1] != "(":
        return None
    position = _after_spaces(content, start + 1)
    destination = parseLinkDestination(content, position, end)
    if not destination.ok:
        return None
    position = _after_spaces(content, destination.pos)
    title = parseLinkTitle(content, position, end)
    if position == destination.pos or not title.ok or title.pos <= position + 2:
        return None
    return Title(position + 1, title.pos - 1, DELIMITERS[content[position]])


def _after_spaces(content: str, position: int) -> int:
    found = _SPACES.match(content, position)
    return found.end() if found else position
