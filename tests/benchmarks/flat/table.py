"""The measured figures as a table for the terminal."""

from collections.abc import Iterator
from statistics import median

from tests.benchmarks.flat.figures import WINDOWS, Figures, Way


def table(figures: Figures) -> str:
    """All that the README says, and what it stands on."""
    return "\n".join((*_orchestrator(figures), "", *_steps(figures), "", *_articles(figures)))


def _orchestrator(figures: Figures) -> Iterator[str]:
    found = figures.orchestrator
    yield f"orchestrator: {len(found.steps):,} decisions on {figures.articles} articles"
    for name, count in sorted(found.states.items()):
        yield f"  {count:6,} {name}"
    whole = [n for n, episodes in enumerate(found.episodes) if episodes]
    for name, values in (("decision views", found.steps), ("whole ledgers", found.ledgers)):
        read = [values[n] for n in whole]
        yield (
            f"  {name}: {read[0]:,} tokens at the first decision on episodes, {read[-1]:,} at the "
            f"last (number {whole[-1] + 1:,}); {min(read):,} to {max(read):,}, median {median(read):,.0f}"
        )
    flagged = sum(1 for n in whole if found.flagged[n])
    yield (
        f"  largest episode: {found.largest_episode} tokens without flags, "
        f"{found.largest_flagged} with; {flagged:,} decisions saw flags; "
        f"{found.over_budget} decisions over the budget"
    )


def _steps(figures: Figures) -> Iterator[str]:
    yield f"{'context tokens of a request':28} {'first':>9} {'last drawn':>11} {'largest':>11} {'requests':>9}"
    for name, way in _ways(figures):
        yield (
            f"{name:28} {way.steps[0]:9,} {way.steps[-1]:11,} {way.largest:11,} {way.requests:9,}"
        )
    for window in WINDOWS:
        passed = next((n for n, t in enumerate(figures.one_window.steps, 1) if t > window), None)
        yield f"  one window passes {window:,} tokens at step {passed or 'none'}"


def _articles(figures: Figures) -> Iterator[str]:
    yield f"medians of an article, priced as {figures.priced_as}"
    yield (
        f"{'':28} {'articles':>8} {'requests':>8} {'prompt':>11} {'cached':>11} {'answers':>8} "
        f"{'USD, cache':>10} {'USD, none':>10} {'seconds':>8}"
    )
    for name, way in _ways(figures):
        if way.articles:
            yield f"{name:28} {_article(way)} {way.seconds:8,.0f}"
        if way.incomplete:
            yield f"  {way.incomplete} more did not ask every prompt, and are left out"
    last = figures.one_window.articles[-1:]
    for article in last:
        yield (
            f"{'one window, its last':28} {'':8} {article.requests:8,} {article.prompt_tokens:11,} "
            f"{article.cached_tokens:11,} {article.completion_tokens:8,} "
            f"{article.cost_cached:10.2f} {article.cost_uncached:10.2f}"
        )
    before, after = (
        ", ".join(f"{value:.2f}" for value in load)
        for load in (figures.load_before, figures.load_after)
    )
    yield f"load before {before}; after {after}"


def _article(way: Way) -> str:
    return (
        f"{len(way.articles):8,} {way.middle('requests'):8,.0f} {way.middle('prompt_tokens'):11,.0f} "
        f"{way.middle('cached_tokens'):11,.0f} {way.middle('completion_tokens'):8,.0f} "
        f"{way.middle('cost_cached'):10.2f} {way.middle('cost_uncached'):10.2f}"
    )


def _ways(figures: Figures) -> tuple[tuple[str, Way], ...]:
    return (
        ("libraries", figures.libraries),
        ("a window for each article", figures.article_window),
        ("one window", figures.one_window),
    )
