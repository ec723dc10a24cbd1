"""A text as the inline parser sees it, each of whose characters knows its place in the source."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

_SPACE = " \t\n"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the source; `shown` is what stands for the characters that follow it.

    A line's span shows the line break and the next line's indentation as one newline; the span
    before an escaped pipe shows that pipe.
    """

    start: int
    end: int
    shown: str


@dataclass(frozen=True, slots=True)
class Content:
    """`offsets[i]` is where character `i` begins in the source, the last one where the text ends."""

    text: str
    offsets: tuple[int, ...]

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the source that characters `start` to `end` come from."""
        return self.offsets[start], self.offsets[end]


def content_of(source: str, spans: Iterable[Span], where: Callable[[int], int]) -> Content:
    """The text of `spans`, trimmed; `where` turns positions of `source` into those wanted."""
    characters: list[str] = []
    offsets: list[int] = []
    end = 0
    for span in spans:
        characters += source[span.start : span.end]
        offsets += range(span.start, span.end)
        if span.shown:
            characters.append(span.shown)
            offsets.append(span.end)
        end = span.end
    text = "".join(characters)
    first = len(text) - len(text.lstrip(_SPACE))
    last = max(first, len(text.rstrip(_SPACE)))
    offsets.append(end)
    return Content(text[first:last], tuple(where(offset) for offset in offsets[first : last + 1]))
