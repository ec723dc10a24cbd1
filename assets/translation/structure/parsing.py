"""Markdown as blocks whose texts know where in the source they stand."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, heading, lheading, paragraph, table
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from assets.translation.structure.cells import cell_spans
from assets.translation.structure.content import Content, Span, content_of
from assets.translation.structure.inline_events import Event, inline_events, record_inline

Container = Literal["list_item", "quote", "footnote"]
Form = Literal["paragraph", "heading", "closed_heading", "cell"]
Rule = Callable[[StateBlock, int, int, bool], bool]

# Deeper than any article; the parser's own 20 leaves a list in a quote in a list unread.
_DEEPEST = 40
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
    """One run of inline text: `level` is a heading's, `block` counts top-level blocks from 1."""

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


def parse(markdown: str) -> Document:
    """CommonMark with tables, strikethrough and footnotes; any text parses."""
    source = _ENDING.sub("\n", markdown).replace("\0", "\ufffd")
    parser, env, tokens = _parser(), {}, []
    parser.block.parse(source, parser, env, tokens)
    where = _where(markdown)
    texts = tuple(
        _text(parser, env, place, content_of(source, place.spans, where))
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


def _text(parser: MarkdownIt, env: dict, place: _Place, content: Content) -> Text:
    events = inline_events(parser, content.text, env)
    return Text(content, events, place.form, place.level, place.block, place.container)


def _places(source: str, tokens: list[Token]) -> Iterator[_Place]:
    containers: list[Container] = []
    block = cell = 0
    for index, token in enumerate(tokens):
        if token.level == 0 and token.nesting >= 0:
            block += 1
        if token.type in _CONTAINERS:
            containers.append(_CONTAINERS[token.type])
        elif token.type in _CLOSINGS:
            containers.pop()
        elif token.type == "tr_open":
            cell = 0
        elif token.type == "inline":
            form, spans = _form(source, tokens[index - 1], token, cell)
            cell += 1
            level = int(tokens[index - 1].tag[1]) if "heading" in form else 0
            if spans:
                yield _Place(spans, form, level, block, containers[-1] if containers else None)


def _form(source: str, opening: Token, token: Token, cell: int) -> tuple[Form, tuple[Span, ...]]:
    lines: list[tuple[int, int]] = token.meta["lines"]
    if opening.type in ("th_open", "td_open"):
        cells = cell_spans(source, *lines[0])
        return "cell", cells[cell] if cell < len(cells) else ()
    if opening.type == "heading_open" and opening.markup.startswith("#"):
        start, end = lines[0]
        found = _CLOSED_HEADING.match(source[start:end])
        if found is None:
            raise AssertionError(f"no heading in {source[start:end]!r}")
        return "closed_heading", (Span(start + found.start(1), start + found.end(1), ""),)
    spans = tuple(Span(start, end, "\n") for start, end in lines)
    return "heading" if opening.type == "heading_open" else "paragraph", spans


def _where(markdown: str) -> Callable[[int], int]:
    """From a position in the text with normal line endings to that in the source."""
    starts, lost = [0], [0]
    for found in re.finditer(r"\r\n", markdown):
        lost.append(lost[-1] + 1)
        starts.append(found.end() - lost[-1])
    return lambda position: position + lost[bisect_right(starts, position) - 1]


@cache
def _parser() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable(["table", "strikethrough"])
    markdown.use(footnote_plugin)
    rules: dict[str, tuple[Rule, list[str]]] = {
        "paragraph": (paragraph, []),
        "lheading": (lheading, []),
        "heading": (heading, ["paragraph", "reference", "blockquote"]),
        "table": (table, ["paragraph", "reference"]),
    }
    for name, (rule, may_end) in rules.items():
        markdown.block.ruler.at(name, _placed(rule), {"alt": may_end})
    record_inline(markdown)
    return markdown


def _placed(rule: Rule) -> Rule:
    """The rule, which also notes of its texts where each line starts, containers left out."""

    def placing(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        count = len(state.tokens)
        if not rule(state, start, end, silent):
            return False
        for token in state.tokens[count:]:
            if token.type == "inline" and token.map is not None:
                token.meta["lines"] = [
                    (state.bMarks[line] + state.tShift[line], state.eMarks[line])
                    for line in range(*token.map)
                ]
        return True

    return placing
