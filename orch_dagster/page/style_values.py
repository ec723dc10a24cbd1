"""Values that a model wrote, on their way into CSS: only plain ones pass."""

import re
from collections.abc import Iterable
from math import isfinite

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_GENERIC = {"serif", "sans-serif", "monospace", "system-ui", "cursive"}
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9 -]")


def hex_colour(value: str) -> str:
    """The colour, or `transparent` where it is none."""
    return value if _HEX.fullmatch(value) else "transparent"


def font_stack(names: Iterable[str]) -> str:
    """The fonts as a `font-family`; signs that no font's name needs are left out."""
    plain = (_NOT_IN_NAMES.sub("", name).strip() for name in names)
    return ", ".join(name if name in _GENERIC else f"'{name}'" for name in plain if name)


def length(value: float, unit: str) -> str:
    """A length for the page, at most what a page has room for; `0` where it is none."""
    if unit not in ("px", "rem") or not isfinite(value):
        return "0"
    most = 2_000 if unit == "px" else 125
    return f"{number(value, low=0, high=most)}{unit}"


def number(value: float, *, low: float, high: float) -> str:
    """A plain number between two bounds, the lower one where it is none; never `1e-07`."""
    bounded = (min(max(value, low), high) if isfinite(value) else low) + 0.0  # no minus zero
    return f"{bounded:.4f}".rstrip("0").rstrip(".")
