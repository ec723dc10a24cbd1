"""Tables for the terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from orch_dagster.core.episode import SCORES

_COLOURS = {
    "assembled": "green",
    "published": "green",
    "needs_review": "yellow",
    "rework": "cyan",
    "running": "cyan",
    "stuck": "red",
    "refused": "red",
    "budget": "red",
}


def articles_table(reports: Sequence[Mapping[str, Any]]) -> Table:
    """One line an article: where it stands and what comes next."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("article", "state", "scores", "passes", "tokens", "cost", "next"):
        right = name in ("tokens", "cost", "passes")
        table.add_column(
            name, justify="right" if right else "left", no_wrap=name in ("article", "state")
        )
    for report in reports:
        libraries = report["libraries"]
        table.add_row(
            report["article"],
            state_text(report["state"]),
            lowest_scores(libraries),
            str(max((library["passes"] for library in libraries.values()), default=0)),
            f"{report['tokens']:,}",
            cost_text(report["cost_usd"]),
            report.get("next") or report.get("decision") or "",
        )
    return table


def headline(report: Mapping[str, Any]) -> str:
    """One article in a line."""
    why = report.get("decision") or report["next"]
    return (
        f"[bold]{report['article']}[/]: {state_text(report['state'])}, {why}; "
        f"{report['tokens']:,} tokens, {cost_text(report['cost_usd'])}"
    )


def libraries_table(report: Mapping[str, Any]) -> Table:
    """One line a library of one article."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    given = {score for library in report["libraries"].values() for score in library["scores"]}
    scores = [score for score in SCORES if score in given]
    heads = [score.split("_")[0] for score in scores]
    for name in ("library", *heads, "passes", "words", "tokens", "cost", "flags"):
        table.add_column(name, justify="left" if name in ("library", "flags") else "right")
    for name, library in report["libraries"].items():
        table.add_row(
            name,
            *(f"{library['scores'].get(score, '-')}" for score in scores),
            str(library["passes"]),
            f"{library['words']:,}",
            f"{library['tokens']:,}",
            cost_text(library["cost_usd"]),
            ", ".join(library["flags"]),
        )
    return table


def state_text(state: str) -> str:
    """The state in its colour."""
    colour = _COLOURS.get(state)
    return f"[{colour}]{state}[/]" if colour else state


def cost_text(cost: float | None) -> str:
    """A cost, or that no price is known."""
    return "no price" if cost is None else f"${cost:.4f}"


def lowest_scores(libraries: Mapping[str, Any]) -> str:
    """The lowest value of each score over the libraries."""
    lowest: dict[str, float] = {}
    for library in libraries.values():
        for name, value in library["scores"].items():
            lowest[name] = min(value, lowest.get(name, value))
    return ", ".join(f"{name.split('_')[0]} {lowest[name]:g}" for name in SCORES if name in lowest)
