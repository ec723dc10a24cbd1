"""The figure: times the limit, the tick by history, and memory by number of articles."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from tests.benchmarks.speed.result import Result

# Okabe and Ito's colours, which people with any colour vision can tell apart.
BLUE, SKY, ORANGE, GREY = "#0072B2", "#56B4E9", "#D55E00", "#8a8a8a"

_STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
}
_COLOURS = {"two run": BLUE, "one run": SKY, "bare": GREY}


def draw(results: Sequence[Result], path: Path) -> None:
    """Draw what there is of them, as PNG."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(11, 3.6), layout="constrained")
        limits, ticks, memory = figure.subplots(1, 3, width_ratios=(1.5, 1, 1))
        _draw_limits(limits, [one for one in results if one.part == "b"])
        _draw_ticks(ticks, results)
        _draw_memory(memory, _by_number(results, r"peak memory, (\d+) articles"))
        figure.savefig(path, dpi=150, metadata={"Software": None})


def _draw_limits(axes: Any, results: Sequence[Result]) -> None:
    names, place = [], 0
    for one in results:
        if one.unit != "x limit":
            continue
        colour = next(c for who, c in _COLOURS.items() if f", {who}" in one.what)
        axes.barh(place, one.figure, color=colour)
        axes.plot(one.samples, [place] * len(one.samples), "|", color="black", ms=7)
        if one.bar:
            axes.plot([one.bar.value] * 2, [place - 0.45, place + 0.45], color=ORANGE, lw=2)
        axes.text(one.figure + 0.03, place, f"{one.figure:.2f}", va="center", fontsize=8)
        names.append(one.what.removeprefix("30 articles, ").replace(", ", "\n", 1))
        place += 1
    axes.set_yticks(range(place), names, fontsize=8)
    axes.invert_yaxis()
    axes.set(title="30 articles: time, in limits (orange: the bar)", xlim=(0, 1.8))
    axes.axvline(1, color="black", lw=0.8)


def _draw_ticks(axes: Any, results: Sequence[Result]) -> None:
    for name, on, colour in (("SQLite", "", BLUE), ("PostgreSQL", ", PostgreSQL", ORANGE)):
        found = _by_number(results, rf"tick{on}, one article changed, (\d+) finished")
        if found:
            axes.plot(list(found), list(found.values()), "o-", color=colour, label=name)
            axes.legend(frameon=False)
    axes.set(title="A tick, one article changed", xlabel="finished articles", ylabel="ms")
    axes.set(xscale="log")
    axes.set_ylim(bottom=0)
    axes.grid(axis="y")


def _draw_memory(axes: Any, found: Mapping[int, float]) -> None:
    axes.plot(list(found), list(found.values()), "o-", color=BLUE)
    axes.set(title="Peak memory, runs of 30 articles", xlabel="articles", ylabel="MB")
    axes.set_ylim(bottom=0)
    axes.grid(axis="y")


def _by_number(results: Sequence[Result], pattern: str) -> dict[int, float]:
    matches = ((re.fullmatch(pattern, one.what), one.figure) for one in results)
    return {int(match[1]): figure for match, figure in matches if match}
