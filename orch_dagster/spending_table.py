"""Where a step's money went, as the Markdown table that its materialization carries.

One text for people and for us: Dagster unpacks JSON or a table of its own value by value, which
took 150 microseconds an event longer, twice the rest of it (1.13.28).
"""

from collections.abc import Iterator

from orch_dagster.core.spending import Spending, Spent, Usage

IN_VAIN, EARLIER = "in vain", "earlier inputs"
"""Rows beside those of prompts, whose names hold no space."""

UNKNOWN = "?"

_COLUMNS = (
    "prompt", "calls", "tries", "prompt tokens", "cached", "completion tokens", "reasoning",
    "cost in USD", "latency in ms", "waited in ms",
)  # fmt: skip
_HEAD = (f"| {' | '.join(_COLUMNS)} |", "|---" + "|---:" * (len(_COLUMNS) - 1) + "|")


def spending_table(spending: Spending) -> str:
    """The table: a row for each prompt, and what was in vain or for earlier inputs, if anything."""
    rows = (f"| {name} | {' | '.join(_cells(spent))} |" for name, spent in _rows(spending))
    return "\n".join((*_HEAD, *rows))


def read_spending(table: str) -> Spending:
    """The spending that a table was made of.

    Raises:
        ValueError: it is no such table.
    """
    head, rule, *lines = table.split("\n")
    if (head, rule) != _HEAD:
        raise ValueError(f"no table of spending: {head!r}")
    rows = dict(_read(line) for line in lines)
    in_vain, earlier = rows.pop(IN_VAIN, Spent()), rows.pop(EARLIER, Spent())
    return Spending(prompts=rows, in_vain=in_vain, earlier=earlier)


def _rows(spending: Spending) -> Iterator[tuple[str, Spent]]:
    yield from spending.prompts.items()
    others = {IN_VAIN: spending.in_vain, EARLIER: spending.earlier}
    yield from ((name, spent) for name, spent in others.items() if spent != Spent())


def _cells(spent: Spent) -> tuple[str, ...]:
    usage = spent.usage
    figures = (
        spent.calls, spent.tries, usage.prompt_tokens, usage.cached_tokens,
        usage.completion_tokens, usage.reasoning_tokens, spent.cost_usd, spent.latency_ms,
        spent.waited_ms,
    )  # fmt: skip
    return tuple(UNKNOWN if figure is None else repr(figure) for figure in figures)


def _read(line: str) -> tuple[str, Spent]:
    name, calls, tries, prompt, cached, completion, reasoning, cost, latency, waited = (
        cell.strip() for cell in line.strip("|").split("|")
    )
    usage = Usage(
        prompt_tokens=_count(prompt),
        cached_tokens=_count(cached),
        completion_tokens=_count(completion),
        reasoning_tokens=_count(reasoning),
    )
    spent = Spent(
        usage=usage,
        cost_usd=None if cost == UNKNOWN else float(cost),
        latency_ms=int(latency),
        calls=int(calls),
        tries=int(tries),
        waited_ms=int(waited),
    )
    return name, spent


def _count(cell: str) -> int | None:
    return None if cell == UNKNOWN else int(cell)
