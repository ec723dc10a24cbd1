"""Words and figures for a reader who is not an engineer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Standing:
    """What a state looks like to a reader: its sign, its tone, and what it asks of them."""

    sign: str
    tone: str
    meaning: str


_STANDINGS: Mapping[str, Standing] = {
    "new": Standing("○", "open", "Registered; no work has begun."),
    "running": Standing("◐", "open", "Work is going on or due; this is what is there so far."),
    "rework": Standing("◐", "open", "A quality pass is due; this is what is there so far."),
    "assembled": Standing("✓", "good", "Done: every library has delivered, and the row stands."),
    "published": Standing("✓", "good", "Done and published."),
    "needs_review": Standing("!", "warn", "A person must look at it before it counts as done."),
    "stuck": Standing("✕", "bad", "It cannot go on without a person."),
    "refused": Standing("✕", "bad", "A model refused; it waits for a person to run it again."),
    "budget": Standing("✕", "bad", "It stopped at its budget."),
}


def standing(state: str) -> Standing:
    """How an article's state is shown."""
    return _STANDINGS[state]


def wording(name: Any) -> str:
    """A name from a model or a file, in words: `fact_checker` is `fact checker`."""
    return " ".join(str(name).lstrip("$").replace("_", " ").split())


def cost(value: float | None) -> str:
    """A cost, or that no price is known."""
    return "no price" if value is None else f"${value:,.4f}"


def thousands(value: float) -> str:
    """A number with its thousands set apart."""
    return f"{value:,}"


def file_size(count: int) -> str:
    """A file's size."""
    return f"{count:,} bytes" if count < 1_000 else f"{count / 1_000:,.1f} kB"


def clock(seconds: float) -> str:
    """Minutes and seconds of a film."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}"


def days(count: int) -> str:
    """A number of days."""
    return f"{count} day{'' if count == 1 else 's'}"


def day(offset: int) -> str:
    """A day by its distance from publication."""
    if offset == 0:
        return "publication day"
    return f"{days(abs(offset))} {'before' if offset < 0 else 'after'}"
