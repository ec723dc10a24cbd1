"""Numbers for an answer: scores that sometimes miss their gate, and plain ones within bounds."""

import hashlib
import math
import random
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from resources.simulator.place import Place, Unanswerable

_SCORE_WORDS = ("score", "consistency", "coherence", "quality")
_SCORE_TOPS = (5, 10)
_COUNTED_BY_ONE = frozenset({"id", "number", "order", "index", "position", "rank", "step"})
# In fifths of the maximum: the gate is 4, a weak first score lies under it, each attempt adds.
_WEAK_SHARE = 1 / 3
_WEAK = (3.2, 3.9)
_STRONG = (4.1, 5.0)
_PER_ATTEMPT = 0.6


class Scores:
    """The scores of one answer: about one task in three is weak at first and heals by attempts."""

    def __init__(self, *, seed: int, task: str, attempt: int) -> None:
        """`task` is the trace without its attempt, which starts at 1."""
        self._key = f"{seed}\0{task}"
        self._risen = _PER_ATTEMPT * (attempt - 1)
        self._span = _WEAK if _share(self._key, "weak") < _WEAK_SHARE else _STRONG

    def of_five(self, path: str) -> float:
        """The score at `path`, as if the maximum were 5; a few tenths apart from its neighbours."""
        low, high = self._span
        middle = low + (high - low) * _share(self._key, "level")
        apart = (_share(self._key, path) - 0.5) * 0.4
        return round(min(5.0, min(high, max(low, middle + apart)) + self._risen), 1)


def is_score(schema: Mapping[str, Any], place: Place) -> bool:
    """Whether a number is a score, by its name or by bounds of 0 to 5 or 0 to 10.

    In an array's items bounds alone make no score of an integer: there it may well be a delay.
    """
    if any(word in place.name.lower() for word in _SCORE_WORDS):
        return True
    if schema.get("type") == "integer" and place.index is not None:
        return False
    return schema.get("minimum") == 0 and schema.get("maximum") in _SCORE_TOPS


def score(schema: Mapping[str, Any], place: Place, scores: Scores) -> int | float:
    """A score within the schema's own bounds; without a maximum numbers go to 5, integers to 10."""
    whole = schema.get("type") == "integer"
    top = schema.get("maximum", 10 if whole else 5)
    exact = scores.of_five(place.path) / 5 * top
    if "multipleOf" in schema:
        exact -= exact % schema["multipleOf"]
        return _multiple(schema, place, exact, whole=whole)
    return _nearest(
        math.floor(exact + 1e-9) if whole else round(exact, 1 if top >= 5 else 2), schema
    )


def integer(schema: Mapping[str, Any], place: Place, rng: random.Random) -> int:
    """An integer within bounds; in an array's items they rise, so that ids and dates are in order."""
    low, high = _bounds(schema, whole=True)
    unit = _integer_unit(schema)
    start, last = math.ceil(low / unit), math.floor(high / unit)
    if start > last:
        raise Unanswerable(f"no integer at {place.path} is within its bounds")
    if place.index is None:
        return unit * rng.randint(start, min(last, start + 8))
    step = 1 if place.name_parts & _COUNTED_BY_ONE or place.count < 2 else 2
    step = min(step, max(1, (last - start) // max(1, place.count - 1)))
    return unit * min(start + place.index * step, last)


def number(schema: Mapping[str, Any], place: Place, rng: random.Random) -> int | float:
    """A number within bounds, of as few decimals as they allow."""
    low, high = _bounds(schema, whole=False)
    if "multipleOf" in schema:
        return _multiple(schema, place, low, whole=False)
    drawn = low + (high - low) * rng.random()
    for value in (*(round(drawn, digits) for digits in (1, 2, 4, 8)), (low + high) / 2, low, high):
        if _fits(value, schema):
            return value
    raise Unanswerable(f"no number at {place.path} is within its bounds")


def _bounds(schema: Mapping[str, Any], *, whole: bool) -> tuple[float, float]:
    lows = [schema[key] for key in ("minimum", "exclusiveMinimum") if key in schema]
    highs = [schema[key] for key in ("maximum", "exclusiveMaximum") if key in schema]
    low = max(lows) if lows else min(1, min(highs) - 10) if highs else 1
    high = min(highs) if highs else low + 1_000_000 if whole else low + 10
    if not whole:
        return low, high
    low = math.floor(low) + 1 if low == schema.get("exclusiveMinimum") else math.ceil(low)
    high = math.ceil(high) - 1 if high == schema.get("exclusiveMaximum") else math.floor(high)
    return low, high


def _integer_unit(schema: Mapping[str, Any]) -> int:
    multiple = Decimal(str(schema.get("multipleOf", 1)))
    return multiple.as_integer_ratio()[0]


def _multiple(schema: Mapping[str, Any], place: Place, low: float, *, whole: bool) -> int | float:
    unit = Decimal(str(_integer_unit(schema) if whole else schema["multipleOf"]))
    first = math.floor(Decimal(str(low)) / unit)
    for value in (float(unit * factor) for factor in range(first, first + 200)):
        if _fits(value, schema) and (value / schema["multipleOf"]).is_integer():
            return int(value) if whole else value
    raise Unanswerable(
        f"no multiple of {schema['multipleOf']!r} at {place.path} is within its bounds"
    )


def _nearest(value: float, schema: Mapping[str, Any]) -> int | float:
    if _fits(value, schema):
        return value
    whole = schema.get("type") == "integer"
    low, high = _bounds(schema, whole=whole)
    if whole:
        return int(min(max(value, low), high))
    value = min(max(value, low), high)
    return value if _fits(value, schema) else (low + high) / 2


def _fits(value: float, schema: Mapping[str, Any]) -> bool:
    return (
        value >= schema.get("minimum", -math.inf)
        and value <= schema.get("maximum", math.inf)
        and value > schema.get("exclusiveMinimum", -math.inf)
        and value < schema.get("exclusiveMaximum", math.inf)
    )


def _share(*parts: str) -> float:
    digest = hashlib.blake2b("\0".join(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64
