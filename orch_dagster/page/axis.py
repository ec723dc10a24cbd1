"""A scale of days: where each falls between the first and the last, and where marks stand."""

from collections.abc import Iterable
from dataclasses import dataclass

_STEPS = (1, 2, 5, 7, 14, 28, 91, 364)
_MOST_TICKS = 8


@dataclass(frozen=True, slots=True)
class Axis:
    """Days from `first` to `last`, `last` being later."""

    first: int
    last: int

    def percent(self, day: int) -> str:
        """Where a day begins, in per cent from the left, as CSS takes it."""
        return f"{self._share(day):.2f}%"

    def width(self, days: int) -> str:
        """How wide so many days are."""
        return f"{min(100.0, 100 * days / (self.last - self.first)):.2f}%"

    @property
    def ticks(self) -> tuple[int, ...]:
        """At most nine days to mark, day 0 among them where it is in reach."""
        length = self.last - self.first
        step = next((step for step in _STEPS if length / step <= _MOST_TICKS), length)
        begin = -(-self.first // step) * step
        return tuple(range(begin, self.last + 1, step))

    def _share(self, day: int) -> float:
        return min(100.0, max(0.0, 100 * (day - self.first) / (self.last - self.first)))


def axis(days: Iterable[int]) -> Axis:
    """The axis that all of these days lie on, at least one day long."""
    known = [*days]
    first, last = min(known, default=0), max(known, default=0)
    return Axis(first, max(last, first + 1))
