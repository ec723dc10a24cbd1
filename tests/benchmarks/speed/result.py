"""A figure with its bar: what was measured, how often, and whether it is within."""

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median


@dataclass(frozen=True, slots=True)
class Bar:
    """What a figure may be at most, or must be at least."""

    value: float
    at_least: bool

    def is_met(self, figure: float) -> bool:
        """Whether a figure is on the right side of it."""
        return figure >= self.value if self.at_least else figure <= self.value

    def __str__(self) -> str:
        """As a table shows it."""
        return f"{'>=' if self.at_least else '<='} {self.value:g}"


def at_most(value: float) -> Bar:
    """A bar that a figure must not pass."""
    return Bar(value, at_least=False)


def at_least(value: float) -> Bar:
    """A bar that a figure must reach."""
    return Bar(value, at_least=True)


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the table: the samples that were taken, their unit, and the load at their end.

    `part` is the letter of the measurement, `load` the machine's average of the last minute.
    """

    part: str
    what: str
    unit: str
    samples: tuple[float, ...]
    bar: Bar | None
    load: float

    @property
    def figure(self) -> float:
        """The median of the samples."""
        return median(self.samples)

    @property
    def verdict(self) -> str:
        """`met` or `MISSED`; nothing where there is no bar."""
        if self.bar is None:
            return ""
        return "met" if self.bar.is_met(self.figure) else "MISSED"


@dataclass(frozen=True, slots=True)
class Part:
    """The results of one letter, made now."""

    letter: str

    def result(
        self, what: str, unit: str, samples: Iterable[float], bar: Bar | None = None
    ) -> Result:
        """One of them, with the load as it is."""
        return Result(self.letter, what, unit, tuple(samples), bar, os.getloadavg()[0])


def save(results: Iterable[Result], path: Path) -> None:
    """Write all samples as JSON."""
    found = [{**asdict(one), "median": one.figure, "verdict": one.verdict} for one in results]
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def load(path: Path) -> list[Result]:
    """The results that were saved; none where there is no file."""
    if not path.exists():
        return []
    return [_result(one) for one in json.loads(path.read_text("utf-8"))]


def _result(one: dict) -> Result:
    bar = one["bar"] and Bar(**one["bar"])
    return Result(one["part"], one["what"], one["unit"], tuple(one["samples"]), bar, one["load"])
