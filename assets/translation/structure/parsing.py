"""Markdown as blocks whose texts know where in the source they stand."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from markdown_it.token import Token

from assets.translation.structure.cells import cell_spans
from assets.translation.structure.content import Content, Span, content_of
from assets.translation.structure.inline_events import Event, inline_events
from assets.translation.structure.parser import parser

Container = Literal["list_item", "quote", "footnote"]
Form = Literal["paragraph", "heading", "closed_heading", "cell", "title"]
_ENDING = re.compile(r"\r\n?|\n")
_CLOSED_HEADING = re.compile(r"#{1,6}(?:[ \t]+|\Z)(.*?)(?:[ \t]+#+)?[ \t]*\Z", re.DOTALL)
_CONTAINERS: dict[str, Container] = {
    "list_item_open": "list_item",
    "blockquote_open": "quote",
    "footnote_reference_open": "footnote",
}
_CLOSINGS = {name.replace("_open", "_close") for name in _CONTAINERS}


@dataclass(frozen=True, slots=True)
class Text:
    """One run of inline text: `level` is a heading's, `block` counts top-level blocks from 1.

    The title of a link's definition is one too, in which there is no Markdown.
    """

    content: Content
    events: tuple[Event, ...]
    form: Form
    level: int
    block: int
    container: Container | None


@dataclass(frozen=True, slots=True)
class Document:
    """The block tokens in order, the texts in theirs, and the definitions of links."""

    tokens: tuple[Token, ...]
    texts: tuple[Text, ...]
    definitions: tuple[tuple[str, str], ...]


@lru_cache(maxsize=8)
def parse(markdown: str) -> Document:
    """CommonMark with tables, strikethrough and footnotes; any text parses.

    The last few documents are remembered: one article is looked at for several purposes.
    """
    source = _ENDING.sub("\n", markdown).replace("\0", "\ufffd")
    markdown_it, env, tokens = parser(), {}, []
    markdown_it.block.parse(source, markdown_it, env, tokens)
    where = _where(markdown)
    texts = tuple(
        _text(env, place, content_of(source, place.spans, where))
        for place in _places(source, tokens)
    )
    definitions = ((name, found["href"]) for name, found in env.get("references", {}).items())
    return Document(tuple(tokens), texts, tuple(definitions))


@dataclass(frozen=True, slots=True)
class _Place:
    spans: tuple[Span, ...]
    form: Form
    level: int
    block: int
    container: Container | None


def _text(env: dict, place: _Place, content: Content) -> Text:
    events = () if place.form == "title" else inline_events(parser(), content.text, env)
    return Text(content, events, place.form, place.level, place.block, place.container)


def _places(source: str, tokens: list[Token]) -> Iterator[_Place]:
    containers: tuple[Container, ...] = ()
    block, cells = 0, iter(())
    for index, token in enumerate(tokens):
        block += token.level == 0 and token.nesting >= 0
        containers = _entered(containers, token)
        if token.type == "tr_open":
            # Its first cell opens next, and the text in that one knows the row's line.
            cells = iter(cell_spans(source, *tokens[index + 2].meta["lines"][0]))
        elif token.type == "definition":
            yield from _definition_title(source, token, block)
        elif token.type == "inline":
            form, spans = _form(source, tokens[index - 1], token, cells)
            level = int(tokens[index - 1].tag[1]) if "heading" in form else 0
            if spans:
                yield _Place(spans, form, level, block, containers[-1] if containers else None)


def _entered(containers: tuple[Container, ...], token: Token) -> tuple[Container, ...]:
    """The containers after a token, outermost first."""
    if token.type in _CONTAINERS:
        return *containers, _CONTAINERS[token.type]
    return containers[:-1] if token.type in _CLOSINGS else containers


def _form(
    source: str, opening: Token, token: Token, cells: Iterator[tuple[Span, ...]]
) -> tuple[Form, tuple[Span, ...]]:
    lines: list[tuple[int, int]] = token.meta["lines"]
    if opening.type in ("th_open", "td_open"):
        return "cell", next(cells, ())
    if opening.type == "heading_open" and opening.markup.startswith("#"):
        start, end = lines[0]
        found = _CLOSED_HEADING.match(source[start:end])
        if found is None:
            raise AssertionError(f"no heading in {source[start:end]!r}")
        return "closed_heading", (Span(start + found.start(1), start + found.end(1), ""),)
    spans = tuple(Span(start, end, "\n") for start, end in lines)
    return "heading" if opening.type == "heading_open" else "paragraph", spans


def _definition_title(source: str, token: Token, block: int) -> Iterator[_Place]:
    """The title, unless it has escapes in it or several lines: then it stays as it is."""
    start, end = token.meta["lines"][-1]
    title = re.escape(token.meta["title"])
    found = re.search(rf"(?<=[\"'(]){title}(?=[\"')][ \t]*\n?\Z)", source[start:end])
    if title and found:
        span = Span(start + found.start(), start + found.end(), "")
        yield _Place((span,), "title", 0, block, None)


def _where(markdown: str) -> Callable[[int], int]:
    """From a position in the text with normal line endings to that in the source."""
    starts, lost = [0], [0]
    for found in re.finditer(r"\r\n", markdown):
        lost.append(lost[-1] + 1)
        starts.append(found.end() - lost[-1])
    return lambda position: position + lost[bisect_right(starts, position) - 1]
