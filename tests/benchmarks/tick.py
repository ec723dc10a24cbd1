"""What a heartbeat costs with a long past: 100, 1,000 and 10,000 finished articles, and a burst.

    python -m tests.benchmarks.tick [--database postgresql+psycopg2://...]

Each tick is one evaluation of the sensor of the content pipeline, all its libraries, with one
article changed since the last: a weak episode, so that one run is due. The sizes take turns, so
that a busy machine slows all of them alike; beside the time on the clock stands the CPU time of
this process. Without a database the event log is the one that `orch` makes, on SQLite files; with
one, each size gets a new schema in it.

Measured on two cores (Dagster 1.13.28, medians of 21; 100 / 1,000 / 10,000 finished articles):

    SQLite      nothing changed     15 / 15 / 15 ms
                one changed         42 / 41 / 42 ms, ratio 1.00
                500 in a pause      8 ticks, the longest 0.8 / 0.9 / 1.0 s
    PostgreSQL  nothing changed     135 / 137 / 140 ms
                one changed         666 / 686 / 661 ms, ratio 0.99 (122 / 123 / 124 ms CPU)
                500 in a pause      8 ticks, the longest 3.0 / 3.2 / 3.1 s

On PostgreSQL most of it is connections: Dagster's storage opens one for each query.
"""

import argparse
import logging
import os
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import dagster as dg

from assets.content.pipeline import content_pipeline
from orch_dagster.heartbeat import Cursor
from orch_dagster.home import EVENTS_AT_ONCE
from orch_dagster.orchestrator import orchestrator
from orch_dagster.step import DeclaredPipeline
from tests.benchmarks.speed.home import write_home
from tests.dagster_glue.briefs import brief
from tests.heartbeat.history import MODEL_ARTICLE, materialize_record, write_history

SIZES, TICKS, BURST = (100, 1_000, 10_000), 21, 500
LIMIT = 1.5
"""How many times the tick with 100 the one with 10,000 may take (DESIGN 7)."""


class Took(NamedTuple):
    """Seconds on the clock, and of this process on a CPU."""

    clock: float
    cpu: float


class Past:
    """An instance with so many finished articles, and the sensor that beats on it."""

    def __init__(self, instance: dg.DagsterInstance, declared: DeclaredPipeline, size: int) -> None:
        self.instance, self.declared, self.size = instance, declared, size
        self._sensor = orchestrator(declared, articles_per_run=1)
        self._cursor: str | None = None
        self._next = 0
        articles = [f"article-{number:05}" for number in range(size)]
        write_history(instance, declared, brief(MODEL_ARTICLE), articles)
        self.tick()
        while cursor_of(self._cursor).round is not None:  # until the first round is over
            self.tick()

    def tick(self) -> tuple[Took, dg.SensorResult]:
        """What one evaluation took, and what it gave."""
        context = dg.build_sensor_context(instance=self.instance, cursor=self._cursor)
        clock, cpu = time.perf_counter(), time.process_time()
        result = self._sensor(context)
        took = Took(time.perf_counter() - clock, time.process_time() - cpu)
        assert isinstance(result, dg.SensorResult)
        self._cursor = result.cursor
        return took, result

    def idle_tick(self) -> Took:
        """A tick after which nothing is due."""
        took, result = self.tick()
        assert not result.run_requests
        return took

    def changed_tick(self) -> Took:
        """A tick after one article got a weak episode."""
        step = next(step for step in self.declared.pipeline.steps if step.gates)
        article = f"article-{self._next * 7919 % self.size:05}"
        self._next += 1
        materialize_record(self.instance, self.declared, step, article, voice=3.1)
        took, result = self.tick()
        requests = result.run_requests or []
        assert [request.tags["dagster/partition"] for request in requests] == [article]
        return took

    def burst(self) -> list[Took]:
        """The ticks that work off articles that came to their end in a pause."""
        articles = [f"burst-{number:03}" for number in range(BURST)]
        write_history(self.instance, self.declared, brief(MODEL_ARTICLE), articles)
        ticks: list[Took] = []
        while True:
            before = cursor_of(self._cursor)
            took, result = self.tick()
            assert not result.run_requests
            if cursor_of(self._cursor).event == before.event:
                return ticks
            ticks.append(took)


def cursor_of(text: str | None) -> Cursor:
    """The cursor that a tick left."""
    cursor = Cursor.read(text)
    assert cursor is not None
    return cursor


@contextmanager
def opened(folder: Path, database: str | None) -> Iterator[dg.DagsterInstance]:
    """An instance of our settings in a new home, on this database if one is given."""
    write_home(folder, database)
    with dg.DagsterInstance.from_config(str(folder)) as instance:
        yield instance


def main() -> None:
    """Print the medians, their ratio, and the ticks after a burst."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", help="a PostgreSQL database to measure on")
    database = parser.parse_args().database
    with pasts(database) as found:
        compare("nothing changed", found, Past.idle_tick)
        compare("one article changed", found, Past.changed_tick)
        for past in found:
            took = past.burst()
            longest = Took(max(one.clock for one in took), max(one.cpu for one in took))
            say(
                f"{past.size:6,} finished, then {BURST} in a pause: {len(took)} ticks, the longest "
                f"{longest.clock:.2f} s ({longest.cpu:.2f} s CPU), "
                f"together {sum(one.clock for one in took):.1f} s"
            )


@contextmanager
def pasts(database: str | None) -> Iterator[list[Past]]:
    """A past of each size, after its first round."""
    warnings.simplefilter("ignore")
    logging.disable(logging.INFO)
    os.environ["DAGSTER_EVENT_BATCH_SIZE"] = EVENTS_AT_ONCE
    declared = content_pipeline().declared
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        found: list[Past] = []
        for size in SIZES:
            started = time.perf_counter()
            home = Path(folder) / str(size)
            # Dagster's storage on SQLite files lies where this says.
            os.environ["DAGSTER_HOME"] = str(home)
            instance = stack.enter_context(opened(home, database))
            found.append(Past(instance, declared, size))
            say(f"{size:6} finished articles written in {time.perf_counter() - started:.1f} s")
        yield found


def medians(pasts: list[Past], tick: Callable[[Past], Took]) -> dict[int, Took]:
    """Ticks of each size in turn; their medians by size."""
    took: dict[int, list[Took]] = {past.size: [] for past in pasts}
    for _ in range(TICKS):
        for past in pasts:
            took[past.size].append(tick(past))
    return {
        size: Took(*(statistics.median(column) for column in zip(*ticks, strict=True)))
        for size, ticks in took.items()
    }


def compare(what: str, pasts: list[Past], tick: Callable[[Past], Took]) -> None:
    """Prints the medians, and the ratio of the largest to the smallest."""
    found = medians(pasts, tick)
    smallest, largest = found[min(SIZES)], found[max(SIZES)]
    figures = ", ".join(
        f"{size:,}: {one.clock * 1000:.0f} ms ({one.cpu * 1000:.0f} ms CPU)"
        for size, one in found.items()
    )
    ratio = largest.clock / smallest.clock
    say(
        f"{what}: {figures}; ratio {ratio:.2f} ({largest.cpu / smallest.cpu:.2f} of CPU), "
        f"{'within' if ratio <= LIMIT else 'ABOVE'} {LIMIT}"
    )


def say(line: str) -> None:
    """One line of the result."""
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
