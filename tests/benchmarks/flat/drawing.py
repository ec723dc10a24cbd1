"""The figure: `python -m tests.benchmarks.flat.drawing FIGURES.json PICTURE.png` draws it again."""

import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from tests.benchmarks.flat.figures import WINDOWS, Figures

# Okabe and Ito's colours, which people with any colour vision can tell apart.
ONE_WINDOW, ARTICLE_WINDOW, LIBRARIES, ORCHESTRATOR = "#D55E00", "#CC79A7", "#0072B2", "#000000"
_GREY = "#5f5f5f"

_STYLE: dict[Any, Any] = {
    "font.size": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
}


def draw(figures: Figures, path: Path) -> None:
    """Draw context tokens by step beside prompt tokens by article, as PNG."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(10.5, 5.2), layout="constrained")
        steps, articles = figure.subplots(1, 2, width_ratios=(1.45, 1))
        _draw_steps(steps, figures)
        _draw_articles(articles, figures)
        figure.supxlabel(_caption(figures), fontsize=8, color=_GREY, ha="center")
        figure.savefig(path, dpi=150, metadata={"Software": None})


def _draw_steps(axes: Any, figures: Figures) -> None:
    one, own = figures.one_window.steps, figures.article_window.steps
    libraries, decided = figures.libraries.steps, figures.orchestrator.steps
    most = max(map(len, (one, own, libraries)))
    read = decided[:most]
    _lines(axes, one, ONE_WINDOW, 1.8)
    _lines(axes, own, ARTICLE_WINDOW, 1.0)
    axes.plot(_numbers(libraries), libraries, ".", color=LIBRARIES, ms=2.2, alpha=0.7)
    axes.plot(_numbers(read), read, ".", color=ORCHESTRATOR, ms=3)
    axes.set(
        yscale="symlog",
        title="Context tokens at each step",
        xlabel="step: one prompt asked, or one decision of the orchestrator",
        ylabel="tokens (o200k_base), log scale",
        xlim=(0, most * 1.01),
    )
    axes.set_yscale("symlog", linthresh=100, linscale=0.35)
    axes.set_ylim(-8, 4_000_000)
    _ticks(axes, (0, 100, 1_000, 10_000, 100_000, 1_000_000))
    for window in WINDOWS:
        _mark_window(axes, window, one)
    labels = (
        (one[-1] * 1.5, "one agent, one window", ONE_WINDOW),
        (max(own) * 1.45, "one agent, a new window for each article", ARTICLE_WINDOW),
        (max(libraries) * 1.25, "libraries: each prompt sees what it declares", LIBRARIES),
        (
            max(read) * 1.35,
            f"orchestrator: the nine episodes of an article, {_span(read)} tokens",
            ORCHESTRATOR,
        ),
    )
    for height, text, colour in labels:
        _label(axes, (most * 0.99, height), text, colour, ha="right")


def _mark_window(axes: Any, window: int, steps: Sequence[int]) -> None:
    axes.axhline(window, color=_GREY, lw=0.7, ls=(0, (4, 3)), zorder=1)
    passed = next((n for n, tokens in enumerate(steps, 1) if tokens > window), None)
    how = {"color": _GREY, "fontsize": 7.5, "va": "bottom"}
    said, most = f"window of {_short(window)}", len(steps)
    if passed is None:  # the curve stays below, so the left end is free
        axes.text(most * 0.005, window * 1.06, said, **how)
        return
    axes.plot([passed], [window], "o", color=ONE_WINDOW, ms=5, mfc="white", zorder=5)
    axes.text(most * 0.99, window * 1.06, f"{said}, full at step {passed}", ha="right", **how)


def _draw_articles(axes: Any, figures: Figures) -> None:
    ways = (
        (figures.one_window, ONE_WINDOW, "one window"),
        (figures.article_window, ARTICLE_WINDOW, "a window for each"),
        (figures.libraries, LIBRARIES, "libraries"),
    )
    for way, colour, name in ways:
        tokens = [article.prompt_tokens for article in way.articles]
        if not tokens:  # the one window was to make fewer steps than an article has prompts
            continue
        axes.plot(_numbers(tokens), tokens, color=colour, lw=1.6)
        middle = median(tokens)
        if way is figures.one_window:
            said = (
                f" {name}: {_short(tokens[-1])}\n at article {len(tokens)}, step {len(way.steps):,}"
            )
            _label(axes, (len(tokens), tokens[-1]), said, colour, va="center")
        else:
            said = f"{name}: median {_short(middle)}"
            _label(axes, (figures.articles, middle * 1.35), said, colour, ha="right")
    axes.set(
        yscale="log",
        title="Prompt tokens of a whole article",
        xlabel="article",
        ylabel="tokens sent, log scale",
        ylim=(50_000, 200_000_000),
        xlim=(0, figures.articles * 1.01),
    )
    _ticks(axes, (100_000, 1_000_000, 10_000_000, 100_000_000))


def _caption(figures: Figures) -> str:
    return (
        f"{figures.articles} articles, nine libraries, the same prompts. Counted in the logged "
        "request bodies. The answers come from the simulator, so this says how much is read,\n"
        "not how well it is written. The agent's window holds each brief, instruction and answer "
        "once; the orchestrator is plain code, and 0 is a decision before any episode."
    )


def _label(axes: Any, place: tuple[float, float], text: str, colour: str, **how: Any) -> None:
    behind = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0}
    axes.text(*place, text, color=colour, weight="bold", fontsize=9, bbox=behind, **how)


def _ticks(axes: Any, values: Sequence[int]) -> None:
    axes.set_yticks(values, [_short(value) for value in values])
    axes.yaxis.set_minor_locator(NullLocator())


def _lines(axes: Any, values: Sequence[int], colour: str, width: float) -> None:
    axes.plot(_numbers(values), values, color=colour, lw=width)


def _span(read: Sequence[int]) -> str:
    """Of the decisions that read any episodes."""
    some = [tokens for tokens in read if tokens] or [0]
    return " to ".join(dict.fromkeys((str(min(some)), str(max(some)))))


def _numbers(values: Sequence[int]) -> range:
    return range(1, len(values) + 1)


def _short(tokens: float) -> str:
    if tokens >= 1_000_000:
        return f"{tokens / 1_000_000:.3g}M"
    return f"{tokens / 1_000:.3g}k" if tokens >= 1_000 else f"{tokens:.0f}"


if __name__ == "__main__":
    draw(Figures.load(Path(sys.argv[1])), Path(sys.argv[2]))
