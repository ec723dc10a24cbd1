"""Backslashes before characters that would otherwise change what a text is."""

import re
from functools import cache

from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

_OPENING = re.compile(r"\A(\d{0,9})(?=[^\w\s])")
_TRAILING_HASHES = re.compile(r"(^|[ \t])(#+)$")
_A_PARAGRAPH = ["paragraph_open", "inline", "paragraph_close"]
# No block but a paragraph begins with a letter.
_OPENS_ANOTHER = re.compile(r"[^\w\s]|\d")


def escape(text: str, characters: str) -> str:
    """The text with a backslash before each of `characters` that has none."""
    if not characters:
        return text
    return re.sub(rf"(?<!\\)[{re.escape(characters)}]", r"\\\g<0>", text)


def end_inside(text: str) -> str:
    """The text so that it does not escape the quote or the pipe behind it."""
    backslashes = len(text) - len(text.rstrip("\\"))
    return f"{text}\\" if backslashes % 2 else text


def begin_block(text: str) -> str:
    """The text so that a block which begins with it is a paragraph, not a list, code, heading."""
    return _as_paragraph(text, before="")


def continue_block(text: str) -> str:
    """The text so that as a paragraph's later line it does not end that paragraph."""
    return _as_paragraph(text, before="x\n")


def end_heading(text: str) -> str:
    """The text so that hashes at the end of a heading stay."""
    return _TRAILING_HASHES.sub(r"\1\\\2", text)


def _as_paragraph(text: str, *, before: str) -> str:
    if not _OPENS_ANOTHER.match(text):
        return text
    line = text.split("\n", 1)[0]
    tokens = []
    _parser().block.parse(before + line, _parser(), {}, tokens)
    is_paragraph = [token.type for token in tokens] == _A_PARAGRAPH
    return text if is_paragraph else _OPENING.sub(r"\g<1>\\", text)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table").use(footnote_plugin)
