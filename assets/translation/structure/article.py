"""An article taken apart: its source, and the segments that a model translates."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from assets.translation.structure.marks import MARK, without_marks

Kind = Literal[
    "heading", "paragraph", "list_item", "quote", "table_cell", "footnote", "image", "title"
]
MarkKind = Literal[
    "code", "link", "image", "html", "url", "footnote", "break", "placeholder", "math"
]
Form = Literal["line", "closed_heading", "inside"]

_SHOWN = ("code", "placeholder", "math", "url")
_LABEL = r"((?:[^\[\]]|\[[^\[\]]*\])*)"
_WORD = re.compile(r"\w+(?:['\u2019.-]\w+)*")


@dataclass(frozen=True, slots=True)
class TitleSpan:
    """Where a link's title stands within its mark's source, and the segment that it is."""

    segment_id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mark:
    """Something of the source behind `⟦number⟧`: `source` is its bytes.

    `written` is what a translation gets: the same, but for a reference link that has only its
    text, which gets a label of its own. `target` is the address of a link or an image.
    """

    number: int
    kind: MarkKind
    source: str
    written: str
    target: str
    title: TitleSpan | None

    @property
    def name(self) -> str:
        """The mark as it stands in a segment's text."""
        return f"⟦{self.number}⟧"

    @property
    def meaning(self) -> str:
        """What a translator should know is there, on one line."""
        match self.kind:
            case "link" | "image":
                return f"{self.kind} to {self.target}"
            case "break":
                return "line break"
            case _:
                return " ".join(self.source.split())


@dataclass(frozen=True, slots=True)
class Segment:
    """One unit of text, on one line; `block` counts the article's top-level blocks from 1."""

    id: int
    kind: Kind
    text: str
    marks: tuple[Mark, ...]
    level: int
    block: int

    @property
    def plain(self) -> str:
        """The text without its marks."""
        return without_marks(self.text)

    @property
    def words(self) -> int:
        """How many words there are to translate."""
        return len(_WORD.findall(self.plain))

    @property
    def legend(self) -> str:
        """What each mark stands for, as one line; empty without marks."""
        return ", ".join(f"{mark.name} = {mark.meaning}" for mark in self.marks)

    @property
    def readable(self) -> str:
        """The text as it reads: code and placeholders in their places, links without address."""
        shown = {mark.number: mark.meaning for mark in self.marks if mark.kind in _SHOWN}
        text = self.text
        for mark in self.marks:
            if mark.kind in ("link", "image"):
                text = re.sub(rf"!?\[{_LABEL}\]{mark.name}", r"\1", text)
        return MARK.sub(lambda found: shown.get(int(found[1]), " "), text).strip()


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a segment stands in the source, and what its place allows.

    `line`: it begins a block, so that its first characters could make another one of it;
    `closed_heading`: it also may not end in `#`. `escaped` are the characters that would end it.
    """

    segment_id: int
    start: int
    end: int
    form: Form
    escaped: str


@dataclass(frozen=True)
class Article:
    """Slots are in the order of their start; a title's slot lies within its paragraph's."""

    source: str
    segments: tuple[Segment, ...]
    slots: tuple[Slot, ...]

    @cached_property
    def by_id(self) -> Mapping[int, Segment]:
        """The segments by their ids."""
        return {segment.id: segment for segment in self.segments}

    def segment(self, segment_id: int) -> Segment:
        """Raises KeyError for an id that no segment has."""
        return self.by_id[segment_id]

    @property
    def words(self) -> int:
        """How many words there are to translate."""
        return sum(segment.words for segment in self.segments)
