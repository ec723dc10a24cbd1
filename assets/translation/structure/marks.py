"""The numbered marks that stand for what a translation must not touch."""

import re

MARK = re.compile(r"⟦\s*(\d{1,6})\s*⟧")
BRACKETS = "⟦⟧"


def numbers_in(text: str) -> list[int]:
    """The numbers of the marks in `text`, in their order, repetitions included."""
    return [int(number) for number in MARK.findall(text)]


def without_marks(text: str) -> str:
    """The text with its marks taken out."""
    return MARK.sub("", text)
