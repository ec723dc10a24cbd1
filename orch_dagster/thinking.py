"""Thinking that stands in an answer: what a model said to itself is no part of what it said."""

import re

_MARKS = (
    (r"<(think|thinking|thought|reasoning|seed:think)>", r"</{0}>"),
    (r"\[(THINK)\]", r"\[/{0}\]"),
    (r"<\|channel\|>(analysis)<\|message\|>", r"<\|channel\|>final<\|message\|>"),
)
"""How a thinking block opens and closes: DeepSeek, Qwen and their kin; Magistral; gpt-oss."""

_OPENED = tuple((re.compile(rf"\s*\ufeff?\s*{opens}"), closes) for opens, closes in _MARKS)
_CLOSED_ALONE = re.compile(
    r"(?:^[ \t]*</(?:think|thinking|thought|reasoning|seed:think)>)"
    r"|(?:</(?:think|thinking|thought|reasoning|seed:think)>[ \t\r]*$)",
    re.MULTILINE,
)
_ANY_OPENING = re.compile(r"<(?:think|thinking|thought|reasoning|seed:think)>")


def without_thinking(text: str) -> str:
    """What follows the thinking block at the head of a text; all of it where there is none.

    A block that is never closed is all thinking, so that nothing is left. Some servers keep the
    opening mark to themselves: then a closing mark that begins or ends a line counts, because it
    cannot stand so inside a JSON string.
    """
    for opens, closes in _OPENED:
        if opening := opens.match(text):
            closing = re.search(closes.format(opening[1]), text[opening.end() :])
            return text[opening.end() + closing.end() :] if closing else ""
    closing = _CLOSED_ALONE.search(text)
    if closing and not _ANY_OPENING.search(text, 0, closing.start()):
        return text[closing.end() :]
    return text
