"""The measured figures: series for the drawing, medians for the table, one JSON file for both."""

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from tests.benchmarks.flat.meter import Request
from tests.benchmarks.flat.price import Cost, cost_of
from tests.benchmarks.flat.reading import Reading

WINDOWS = (128_000, 200_000, 1_000_000)
"""Context windows that models are sold with."""

_CONFIG = ConfigDict(frozen=True, extra="forbid")


class Article(BaseModel):
    """What one article took: requests, tokens, and US dollars with and without a prefix cache."""

    model_config = _CONFIG

    requests: int
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    cost_cached: float
    cost_uncached: float


class Way(BaseModel):
    """One way of working: context tokens of its first requests, and its whole articles.

    `incomplete` counts the articles that came to an end without every prompt: a chain failed.
    """

    model_config = _CONFIG

    steps: tuple[int, ...]
    articles: tuple[Article, ...]
    incomplete: int
    requests: int
    largest: int
    seconds: float

    def middle(self, name: str) -> float:
        """The median of a figure over the articles."""
        return median(getattr(article, name) for article in self.articles)


class Orchestrator(BaseModel):
    """What the decisions were made on: tokens of decision views, and of the whole ledgers.

    `flagged` are the flagged episodes of each decision. `decided` counts decisions by the number
    of episodes that they read and the state that they found.
    """

    model_config = _CONFIG

    steps: tuple[int, ...]
    ledgers: tuple[int, ...]
    episodes: tuple[int, ...]
    flagged: tuple[int, ...]
    largest_episode: int
    largest_flagged: int
    over_budget: int
    states: dict[str, int]


class Figures(BaseModel):
    """Everything that was measured, and on what."""

    model_config = _CONFIG

    articles: Annotated[int, Field(ge=1)]
    tokenizer: str
    priced_as: str
    load_before: tuple[float, float, float]
    load_after: tuple[float, float, float]
    orchestrator: Orchestrator
    libraries: Way
    article_window: Way
    one_window: Way

    @classmethod
    def load(cls, path: Path) -> "Figures":
        """The figures of an earlier run."""
        return cls.model_validate_json(path.read_text(encoding="utf-8"))

    def save(self, path: Path) -> None:
        """Write them as JSON."""
        path.write_text(self.model_dump_json() + "\n", encoding="utf-8")


def way(
    requests: Sequence[Request],
    *,
    finished: Sequence[str],
    prompts: frozenset[str],
    steps: int,
    model: str,
    seconds: float,
) -> Way:
    """The figures of logged requests, in the order of their answers.

    Of the `finished` articles those are whole that asked all the `prompts`.
    """
    by_article: dict[str, list[Request]] = {article: [] for article in finished}
    for request in requests:
        if request.article in by_article:
            by_article[request.article].append(request)
    whole = [own for own in by_article.values() if prompts <= {r.prompt for r in own}]
    return Way(
        steps=tuple(request.context for request in requests[:steps]),
        articles=tuple(_article(own, model) for own in whole),
        incomplete=len(by_article) - len(whole),
        requests=len(requests),
        largest=max(request.context for request in requests),
        seconds=seconds,
    )


def orchestrator(readings: Sequence[Reading]) -> Orchestrator:
    """The figures of all decisions, in their order."""
    states: dict[str, int] = {}
    for reading in readings:
        name = f"{reading.state} on {len(reading.episodes) + len(reading.flagged)} episodes"
        states[name] = states.get(name, 0) + 1
    return Orchestrator(
        steps=tuple(reading.context for reading in readings),
        ledgers=tuple(reading.ledger for reading in readings),
        episodes=tuple(len(reading.episodes) + len(reading.flagged) for reading in readings),
        flagged=tuple(len(reading.flagged) for reading in readings),
        largest_episode=max((n for reading in readings for n in reading.episodes), default=0),
        largest_flagged=max((n for reading in readings for n in reading.flagged), default=0),
        over_budget=sum(not reading.keeps_budget for reading in readings),
        states=states,
    )


def _article(requests: Sequence[Request], model: str) -> Article:
    cost = sum((cost_of(request, model) for request in requests), Cost(0.0, 0.0))
    return Article(
        requests=len(requests),
        prompt_tokens=sum(request.context for request in requests),
        cached_tokens=sum(request.cached for request in requests),
        completion_tokens=sum(request.completion for request in requests),
        cost_cached=round(cost.cached, 6),
        cost_uncached=round(cost.uncached, 6),
    )
