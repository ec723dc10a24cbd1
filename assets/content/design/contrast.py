"""Contrast: every pair of colours that meets on the page, measured by WCAG 2.2."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import Literal

from coloraide import Color

Role = Literal[
    "background",
    "surface",
    "text",
    "text_muted",
    "heading",
    "link",
    "accent",
    "on_accent",
    "focus",
]

AA_TEXT, AA_LARGE = 4.5, 3.0
"""Success criterion 1.4.3 (text, large text) and 1.4.11 (what is no text, like large text)."""

_GROUNDS: tuple[Role, ...] = ("background", "surface")
_ON_GROUND: tuple[Role, ...] = ("text", "text_muted", "heading", "link", "focus")
PAIRS: tuple[tuple[Role, Role], ...] = (
    *((front, ground) for front in _ON_GROUND for ground in _GROUNDS),
    ("on_accent", "accent"),
)
"""Front and ground of all that is read or must be seen."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One pair: `ratio` as computed, and what level AA asks for."""

    front: Role
    ground: Role
    ratio: float
    required: float

    @property
    def passes(self) -> bool:
        """Whether the ratio, not rounded, reaches what is required."""
        return self.ratio >= self.required

    @property
    def shown(self) -> float:
        """The ratio cut off after two decimals, so that 4.499 is not shown as 4.5."""
        return floor(self.ratio * 100 + 1e-6) / 100


def measure(colours: Mapping[Role, str], *, large_headings: bool) -> tuple[Measure, ...]:
    """All pairs of a palette of hex colours.

    `large_headings`: whether every heading is large text, so that 3:1 is enough for it.
    """
    return tuple(
        Measure(front, ground, ratio(colours[front], colours[ground]), required)
        for front, ground in PAIRS
        for required in [_required(front, large_headings=large_headings)]
    )


def ratio(front: str, ground: str) -> float:
    """The contrast ratio of two hex colours, 1 to 21."""
    return Color(front).contrast(Color(ground), method="wcag21")


def is_large(px: float, weight: int) -> bool:
    """Whether text counts as large in WCAG 2.2: 18 point, or 14 point bold (1 point is 4/3 px)."""
    return px >= 24 or (px >= 14 * 4 / 3 and weight >= 700)


def components(colour: str) -> tuple[float, float, float]:
    """Red, green and blue of a hex colour, 0 to 1, to four decimals."""
    red, green, blue = (round(value, 4) for value in Color(colour).coords())
    return red, green, blue


def _required(front: Role, *, large_headings: bool) -> float:
    large = front == "focus" or (front == "heading" and large_headings)
    return AA_LARGE if large else AA_TEXT
