"""The measurements (a) to (f), each as a function that gives its results."""

import multiprocessing
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from tests.benchmarks import default_executor, tick
from tests.benchmarks.one_article import OVER_THE_CHAIN_S, Figures, warm
from tests.benchmarks.speed.bare import measure_bare
from tests.benchmarks.speed.many import Measured, Plan, measure
from tests.benchmarks.speed.result import Bar, Part, Result, at_least, at_most
from tests.postgres import running_postgres

ARTICLES, ROUNDS, PAIRS = 30, 3, 1
TWO = "two run processes of 15"
ONE = "one run process"
BARE = "bare asyncio + openai"

Found = TypeVar("Found")


def one_article() -> Iterator[Result]:
    """(a) One article in a warm process."""
    yield from _one_article(Part("a"), "", _own_process(_warm, 7, None), at_most(OVER_THE_CHAIN_S))


def many_articles() -> Iterator[Result]:
    """(b) 30 articles by two run processes and by one, and the bare script, in turn."""
    part = Part("b")
    for latency_ms, rounds, bar in ((500, ROUNDS, 1.25), (2_000, 1, 1.1)):
        times: dict[str, list[float]] = {TWO: [], ONE: [], BARE: []}
        server: list[float] = []
        for _ in range(rounds):
            two, chains = measure(_plan(2, latency_ms))
            bare = measure_bare(chains, latency_ms)
            one, _ = measure(_plan(1, latency_ms))
            times[TWO].append(two.over_limit)
            times[ONE].append(one.over_limit)
            times[BARE].append(bare.wall / two.limit)
            server.append(two.server_cpu)
        what = f"{ARTICLES} articles, {latency_ms} ms"
        for who, samples in times.items():
            its_bar = None if who == BARE else at_most(bar)
            yield part.result(f"{what}, {who}", "x limit", samples, its_bar)
        for who in (TWO, ONE):
            ratios = [ours / other for ours, other in zip(times[who], times[BARE], strict=True)]
            yield part.result(f"{what}, {who}, beside the bare script", "x bare", ratios)
        yield part.result(f"{what}, the simulator's own CPU", "s", server)


def default() -> Iterator[Result]:
    """(c) The same assets on Dagster's multiprocess executor."""
    part, pairs = Part("c"), _own_process(_pairs, PAIRS)
    yield part.result("one article, our executor", "s", [ours for ours, _ in pairs])
    yield part.result("one article, multiprocess", "s", [default for _, default in pairs])
    ratios = [default / ours for ours, default in pairs]
    yield part.result("multiprocess beside ours", "x", ratios, at_least(default_executor.BAR))


def costs() -> Iterator[Result]:
    """(d) CPU, events and memory by number of articles, in runs of 30; 50 ms a prompt."""
    part = Part("d")
    found: dict[int, Measured] = {}
    for articles in (ARTICLES, 2 * ARTICLES, 4 * ARTICLES):
        found[articles], chains = measure(Plan(articles, 1, ARTICLES, 50))
        most = max(found[articles].peaks_mb)
        yield part.result(f"peak memory, {articles} articles", "MB", [most])
    largest = found[4 * ARTICLES]
    bare = measure_bare(chains, 50)
    an_article = largest.cpu / largest.plan.articles
    calls = bare.cpu / largest.plan.articles
    yield part.result("CPU of an article, calls included", "s", [an_article])
    yield part.result("CPU beyond the bare script's calls", "s", [an_article - calls], at_most(0.4))
    yield part.result("CPU of a prompt, all of it", "ms", [largest.cpu / largest.calls * 1000])
    yield part.result("CPU of a call, bare openai", "ms", [bare.cpu / largest.calls * 1000])
    yield part.result("events of an article", "", [largest.events / largest.plan.articles])


def ticks() -> Iterator[Result]:
    """(e) The sensor's tick by finished articles."""
    yield from _ticks(Part("e"), "", _own_process(_tick_medians, None), at_most(tick.LIMIT))


def postgres() -> Iterator[Result]:
    """(f) The same on PostgreSQL."""
    part, on = Part("f"), ", PostgreSQL"
    with running_postgres() as url:
        articles = _own_process(_warm, 3, url)
        yield from _one_article(part, on, articles, at_most(OVER_THE_CHAIN_S))
        two, _ = measure(_plan(2, 500, url))
        what = f"{ARTICLES} articles, 500 ms, {TWO}{on}"
        yield part.result(what, "x limit", [two.over_limit], at_most(1.25))
        yield part.result(f"{what}: CPU of an article", "s", [two.cpu / ARTICLES])
        yield from _ticks(part, on, _own_process(_tick_medians, url), at_most(tick.LIMIT))


PARTS: Mapping[str, Callable[[], Iterator[Result]]] = {
    "a": one_article,
    "b": many_articles,
    "c": default,
    "d": costs,
    "e": ticks,
    "f": postgres,
}


def _plan(processes: int, latency_ms: float, database: str | None = None) -> Plan:
    return Plan(ARTICLES, processes, ARTICLES // processes, latency_ms, database)


def _one_article(part: Part, on: str, found: list[Figures], bar: Bar) -> Iterator[Result]:
    yield part.result(f"one article{on}: over its longest chain", "s", [f.over for f in found], bar)
    yield part.result(f"one article{on}: CPU, calls included", "s", [f.cpu for f in found])
    yield part.result(f"one article{on}: events", "", [f.events for f in found])


def _ticks(
    part: Part, on: str, found: Mapping[str, Mapping[int, tick.Took]], bar: Bar
) -> Iterator[Result]:
    for what, by_size in found.items():
        for size, took in by_size.items():
            yield part.result(f"tick{on}, {what}, {size} finished", "ms", [took.clock * 1000])
        ratio = by_size[max(by_size)].clock / by_size[min(by_size)].clock
        yield part.result(f"tick{on}, {what}: 10,000 beside 100", "x", [ratio], bar)


def _own_process(measuring: Callable[..., Found], *given: object) -> Found:
    """What it gives when it is called in a new process, whose settings it may change."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        return pool.submit(measuring, *given).result()


def _warm(articles: int, database: str | None) -> list[Figures]:
    return list(warm(articles, 50.0, database=database))


def _pairs(times: int) -> list[tuple[float, float]]:
    return list(default_executor.pairs(times))


def _tick_medians(database: str | None) -> dict[str, dict[int, tick.Took]]:
    with tick.pasts(database) as pasts:
        return {
            "nothing changed": tick.medians(pasts, tick.Past.idle_tick),
            "one article changed": tick.medians(pasts, tick.Past.changed_tick),
        }
