"""What of an article must be the same in every language."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from assets.translation.structure.composing import Hidden, Part, compose
from assets.translation.structure.parsing import Text, parse
from assets.translation.structure.protected import amounts

_LISTS = {"bullet_list_open": "bulleted list", "ordered_list_open": "numbered list"}
_NAMES = {
    "code": "inline code",
    "url": "address",
    "footnote": "note",
    "html": "HTML tag",
    "break": "line break",
    "math": "formula",
}
_LISTS_ENDED = ("bullet_list_close", "ordered_list_close")


@dataclass(frozen=True, slots=True)
class Inline:
    """What one text holds besides words: (kind, exact value), and its first words."""

    begins: str
    held: Counter[tuple[str, str]]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Each field in the order of the article.

    A list is (kind, depth, items), a table (rows, columns), a code block (language, code).
    """

    headings: tuple[int, ...]
    lists: tuple[tuple[str, int, int], ...]
    tables: tuple[tuple[int, int], ...]
    code: tuple[tuple[str, str], ...]
    html: tuple[str, ...]
    notes: tuple[str, ...]
    quotations: int
    rules: int
    paragraphs: int
    definitions: tuple[tuple[str, str], ...]
    texts: tuple[Inline, ...]


def skeleton(markdown: str) -> Skeleton:
    """The skeleton of a Markdown text."""
    document = parse(markdown)
    tokens = document.tokens
    count = Counter(token.type for token in tokens)
    return Skeleton(
        headings=tuple(int(t.tag[1]) for t in tokens if t.type == "heading_open"),
        lists=tuple(_lists(tokens)),
        tables=tuple(_tables(tokens)),
        code=tuple((t.info, t.content) for t in tokens if t.type in ("fence", "code_block")),
        html=tuple(t.content for t in tokens if t.type == "html_block"),
        notes=tuple(t.meta["label"] for t in tokens if t.type == "footnote_reference_open"),
        quotations=count["blockquote_open"],
        rules=count["hr"],
        paragraphs=count["paragraph_open"],
        definitions=document.definitions,
        texts=tuple(_inline(text) for text in document.texts),
    )


def _lists(tokens: Sequence[Token]) -> Iterator[tuple[str, int, int]]:
    """Kind, depth and number of items of each list, by where it ends."""
    open_lists: list[tuple[str, int]] = []
    for token in tokens:
        if token.type in _LISTS:
            open_lists.append((_LISTS[token.type], 0))
        elif token.type == "list_item_open":
            name, items = open_lists[-1]
            open_lists[-1] = (name, items + 1)
        elif token.type in _LISTS_ENDED:
            name, items = open_lists.pop()
            yield name, len(open_lists) + 1, items


def _tables(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    rows = columns = 0
    for token in tokens:
        if token.type == "table_open":
            rows = columns = 0
        rows += token.type == "tr_open"
        columns += token.type == "th_open"
        if token.type == "table_close":
            yield rows, columns


def _inline(text: Text) -> Inline:
    _, parts = compose(text)
    held = Counter(found for part in parts for found in _held(text, part))
    notes = tuple(value for part in parts for kind, value in _held(text, part) if kind == "note")
    return Inline(" ".join(text.content.text.split()[:6]), held, notes)


def _held(text: Text, part: Part) -> Iterator[tuple[str, str]]:
    if not isinstance(part, Hidden):
        for amount in amounts(part):
            yield "amount", amount
        for _ in range(part.count("^[")):
            yield "note within the text", ""
        return
    exact = " ".join(text.content.text[part.start : part.end].split("\n"))
    value = {"link": part.target, "image": part.target, "break": ""}.get(part.kind, exact)
    yield _NAMES.get(part.kind, part.kind), value
