"""An article as an editor counts it: blocks between blank lines, of which prose is numbered."""

import re
from collections.abc import Mapping

RELATED_HEADING = "Related"

_HEAD = re.compile(r"\A---\n(.*?)^---\n", re.DOTALL | re.MULTILINE)
_BLANK = re.compile(r"\n(?:[ \t]*\n)+")
_HEADING = re.compile(r"#{1,6}(?:\s|\Z)")
_DEFINITION = re.compile(r"\[\^[^\]\s]+\]:")
_TRAILING_MARKS = re.compile(r"(?:\[\^[^\]\s]+\])+\Z")


def head(markdown: str) -> str | None:
    """The YAML between the two rules at the top, or None where there is no head."""
    found = _HEAD.match(_lines(markdown))
    return None if found is None else found[1]


def body(markdown: str) -> str:
    """The article without its YAML head."""
    return _HEAD.sub("", _lines(markdown), count=1).strip()


def blocks(markdown: str) -> list[str]:
    """What stands between blank lines, head left out: headings, prose, quote, definitions."""
    text = body(markdown)
    return [block.strip() for block in _BLANK.split(text)] if text else []


def is_heading(block: str) -> bool:
    """Whether the block is an ATX heading."""
    return _HEADING.match(block) is not None


def is_definition(block: str) -> bool:
    """Whether the block is what a footnote mark points to."""
    return _DEFINITION.match(block) is not None


def is_quote(block: str) -> bool:
    """Whether the block is a block quotation: in an article, the pull quote."""
    return block.startswith(">")


def paragraphs(markdown: str) -> list[str]:
    """The blocks that a person wrote and may rewrite, in order; paragraph 1 is the first of them.

    Left out are headings, footnote definitions and the list of related articles: they come from
    the outline, the notes and the brief, and are not an editor's to change.
    """
    found = blocks(markdown)
    return [found[index] for index in _prose(found)]


def number_paragraphs(markdown: str) -> str:
    """The article with `[p1]`, `[p2]` before its paragraphs; the other blocks stand unnumbered."""
    found = blocks(markdown)
    for number, index in enumerate(_prose(found), start=1):
        found[index] = f"[p{number}] {found[index]}"
    return "\n\n".join(found)


def replace_paragraphs(markdown: str, texts: Mapping[int, str]) -> str:
    """The article, head left out, with the numbered paragraphs replaced; an empty text deletes.

    Raises KeyError for a number that no paragraph has.
    """
    found = blocks(markdown)
    index_of = dict(enumerate(_prose(found), start=1))
    for number, text in texts.items():
        found[index_of[number]] = text
    return "\n\n".join(block for block in found if block)


def split_marks(paragraph: str) -> tuple[str, str]:
    """The paragraph's text, and the footnote marks at its end (may be none)."""
    text = paragraph.strip()
    found = _TRAILING_MARKS.search(text)
    return (text, "") if found is None else (text[: found.start()].rstrip(), found[0])


def _prose(found: list[str]) -> list[int]:
    indexes: list[int] = []
    for index, block in enumerate(found):
        if block == f"## {RELATED_HEADING}":
            break
        if not is_heading(block) and not is_definition(block):
            indexes.append(index)
    return indexes


def _lines(markdown: str) -> str:
    return markdown.replace("\r\n", "\n").replace("\r", "\n")
