"""When tasks begin: working days from the publication, computed from effort and dependencies."""

from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter
from math import ceil

HOURS_A_DAY = 6
"""Hours of an eight-hour day that a planned task gets; the rest goes to what nobody plans."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a task's dates follow from."""

    effort_hours: int
    waiting_days: int
    depends_on: tuple[str, ...]


def days(effort_hours: int) -> int:
    """Working days that an effort takes, at least one."""
    return max(1, ceil(effort_hours / HOURS_A_DAY))


def offsets(work: Mapping[str, Work], *, anchor: str) -> dict[str, int]:
    """The working day on which each task begins, 0 being the day of `anchor`.

    A task begins as early as it can: the day after the last of its dependencies has ended, plus
    its days of waiting.

    Raises:
        graphlib.CycleError: tasks wait for each other.
        KeyError: a dependency that is no task.
    """
    begins: dict[str, int] = {}
    graph = {name: item.depends_on for name, item in work.items()}
    for name in TopologicalSorter(graph).static_order():
        ends = [begins[need] + days(work[need].effort_hours) for need in work[name].depends_on]
        begins[name] = max(ends, default=0) + work[name].waiting_days
    return {name: begins[name] - begins[anchor] for name in work}
