"""What a segment's text is besides words: emphasis, links, images, notes, tags."""

from collections import Counter
from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from assets.translation.structure.article import Mark
from assets.translation.structure.composing import Hidden, compose
from assets.translation.structure.content import Content
from assets.translation.structure.inline_events import inline_events
from assets.translation.structure.marks import MARK
from assets.translation.structure.parser import parser
from assets.translation.structure.parsing import Text

_NAMES = {
    "strong_open": "bold passages",
    "em_open": "passages in italics",
    "s_open": "passages struck through",
    "link_open": "links",
    "image": "images",
    "html_inline": "HTML tags",
    "code_inline": "code spans",
}
INLINE_NOTE = "^["


def inline_shape(text: str, marks: Sequence[Mark]) -> Counter[str]:
    """How many there are of each, by a name for people; marks count as what they stand for."""
    whole = with_marks(text, marks)
    tokens: list[Token] = []
    _parser().inline.parse(whole, _parser(), {}, tokens)
    shape = Counter(_NAMES[token.type] for token in _all(tokens) if token.type in _NAMES)
    shape["notes within the text"] = whole.count(INLINE_NOTE)
    shape["backticks outside of code"] = text.count("`")
    return shape


def protected_values(text: str, marks: Sequence[Mark]) -> Counter[str]:
    """Addresses, placeholders, formulas and the like, as they will be found in the article."""
    whole = with_marks(text, marks)
    content = Content(whole, tuple(range(len(whole) + 1)))
    events = inline_events(parser(), whole, {})
    _, parts = compose(Text(content, events, "paragraph", 0, 0, None))
    return Counter(_value(whole, part) for part in parts if isinstance(part, Hidden))


def _value(whole: str, part: Hidden) -> str:
    if part.kind in ("link", "image"):
        return f"{part.kind} {part.target}"
    return whole[part.start : part.end]


def with_marks(text: str, marks: Sequence[Mark]) -> str:
    """The text with what its marks stand for, links by the mark's number."""
    written = {mark.number: _stand_in(mark) for mark in marks}
    return MARK.sub(lambda found: written.get(int(found[1]), ""), text)


def _all(tokens: Sequence[Token]) -> list[Token]:
    return [inner for token in tokens for inner in (token, *_all(token.children or ()))]


def _stand_in(mark: Mark) -> str:
    match mark.kind:
        case "link" | "image":
            return f"(#{mark.number})"
        case "break":
            return " "
        case _:
            return mark.written


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("strikethrough")
