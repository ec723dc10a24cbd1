"""An article in pieces that one request can hold."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from assets.translation.structure.article import Article, Segment


@dataclass(frozen=True, slots=True)
class Piece:
    """Segments that follow each other; numbers start at 1."""

    number: int
    segments: tuple[Segment, ...]

    @property
    def words(self) -> int:
        """How many words there are to translate."""
        return _words(self.segments)

    @property
    def ids(self) -> tuple[int, ...]:
        """The segments' ids, in order."""
        return tuple(segment.id for segment in self.segments)


def pieces(article: Article, *, words: int) -> tuple[Piece, ...]:
    """The article's segments in pieces of about `words` words, cut between blocks.

    A heading stays with what follows it. A block (a list, a table, a footnote) is cut only where
    it alone is longer than a piece.

    Raises:
        ValueError: no piece can be that small.
    """
    if words < 1:
        raise ValueError(f"a piece of {words!r} words holds nothing")
    found: list[list[Segment]] = []
    for block in _blocks(article.segments):
        for part in _cut(block, words):
            if not found or _words(found[-1]) + _words(part) > words:
                found.append([])
            found[-1] += part
    return tuple(Piece(number, tuple(part)) for number, part in enumerate(found, start=1))


def outline(article: Article) -> str:
    """The headings, one a line, indented by two spaces a level below the highest."""
    headings = [segment for segment in article.segments if segment.kind == "heading"]
    highest = min((heading.level for heading in headings), default=1)
    lines = (f"{'  ' * (heading.level - highest)}- {heading.readable}" for heading in headings)
    return "\n".join(lines)


def _blocks(segments: Sequence[Segment]) -> Iterator[list[Segment]]:
    """The segments of each block, headings together with the block after them."""
    waiting: list[Segment] = []
    for _, group in groupby(segments, key=lambda segment: segment.block):
        block = list(group)
        waiting += block
        if any(segment.kind != "heading" for segment in block):
            yield waiting
            waiting = []
    if waiting:
        yield waiting


def _cut(block: list[Segment], words: int) -> Iterator[list[Segment]]:
    if _words(block) <= words:
        yield block
        return
    part: list[Segment] = []
    for segment in block:
        full = _words(part) + segment.words > words
        if full and any(before.kind != "heading" for before in part):
            yield part
            part = []
        part.append(segment)
    yield part


def _words(segments: Sequence[Segment]) -> int:
    return sum(segment.words for segment in segments)
