"""How many words a prompt asks for."""

import re
from dataclasses import dataclass

_ASKED = re.compile(
    r"(?:(?P<least>at least |no fewer than |minimum of )|(?P<between>between ))?"
    r"(?<![\d.,])(?P<low>\d{1,3}(?:,\d{3})+|\d+)"
    r"(?:\s*(?:-|\u2013|\u2014|to|(?(between)and|-))\s*(?P<high>\d{1,3}(?:,\d{3})+|\d+))?[\s-]+words?\b",
    re.IGNORECASE,
)
_SLACK = 0.07
LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Length:
    """A span of words that an answer has to hit, both ends included."""

    least: int
    most: int


def span(words: int) -> Length:
    """`words` or a little less, because a count in a prompt is mostly meant as a cap."""
    most = max(1, min(words, LONGEST))
    return Length(most - int(most * _SLACK), most)


def asked_length(text: str) -> Length | None:
    """The last of "N words", "N-word" and "N-M words" in `text`; of a range its middle third.

    "At least N words" is answered with N or a little more. Above 20,000 words nothing is written.
    """
    found = None
    for found in _ASKED.finditer(text):  # noqa: B007
        pass
    if found is None:
        return None
    low = _number(found["low"])
    if found["high"]:
        return _between(low, _number(found["high"]))
    if found["least"]:
        least = max(1, min(low, LONGEST))
        return Length(least, least + int(least * _SLACK))
    return span(low)


def _between(low: int, high: int) -> Length:
    low, high = sorted((max(1, min(low, LONGEST)), max(1, min(high, LONGEST))))
    third = (high - low) // 3
    middle = (low + high) / 2
    least = max(low + third, round(middle * (1 - _SLACK)))
    return Length(least, max(least, min(high - third, int(middle * (1 + _SLACK)))))


def _number(digits: str) -> int:
    return int(digits.replace(",", ""))
