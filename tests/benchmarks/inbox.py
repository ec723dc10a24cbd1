"""What a tick of an inbox costs: so many files that have not changed, one that has, and the first.

    python -m tests.benchmarks.inbox [--files 5000]

Each tick is one evaluation of the sensor of `content_inbox`, on the instance that `orch` makes
(SQLite files); folder and store lie on the local disk.

Measured on two cores (Dagster 1.13.28, 5,000 briefs), alone and while a test suite ran beside it:

    5,000 new           50 ticks, 137 s, the longest 5.4 s      51 ticks, 422 s, the longest 12.9 s
    nothing changed     205 ms (102 ms CPU)                     505 ms (115 ms CPU)
    one changed         303 ms (133 ms CPU)                     706 ms (166 ms CPU)

What is remembered of them is 780 kB, written when something has changed; the cursor is the
folder's address.
"""

import argparse
import logging
import os
import statistics
import tempfile
import time
import warnings
from pathlib import Path

import dagster as dg
import yaml

from assets.content.pipeline import content_pipeline
from orch_dagster.brief_intake import BriefIntake
from orch_dagster.home import open_instance
from orch_dagster.inbox import Inbox
from orch_dagster.inbox_memory import remembered
from orch_dagster.inbox_sensor import inbox_sensor
from resources.inbox_folder import InboxFolder
from resources.output_store import OutputStore
from resources.web.feeds import FeedReader
from tests.dagster_glue.briefs import brief_fields

TICKS = 11


def write(folder: Path, number: int, title: str) -> None:
    """A brief, long since written."""
    path = folder / f"a-brief-of-some-length-{number:05}.yaml"
    text = yaml.safe_dump(brief_fields(path.stem) | {"title": title}, sort_keys=False)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (time.time() - 60, time.time() - 60))


class Ticker:
    """The sensor, and its cursor from tick to tick."""

    def __init__(self, inbox: Path, home: Path) -> None:
        self.instance = open_instance(home)
        self.declared = content_pipeline().declared
        self.store = OutputStore((home / "store").as_uri())
        self.folder = InboxFolder(str(inbox), setting="ORCH_INBOX")
        feeds = FeedReader(allow_private=False)
        watched = Inbox(self.folder, BriefIntake(), feeds, feed_minutes=15)
        self.sensor = inbox_sensor(self.declared, watched)
        self.cursor: str | None = None

    def tick(self) -> tuple[float, float, str]:
        """Seconds on the clock, of a CPU, and what was said."""
        context = dg.build_sensor_context(
            instance=self.instance, cursor=self.cursor, resources={"store": self.store}
        )
        clock, cpu = time.perf_counter(), time.process_time()
        result = self.sensor(context)
        clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
        assert isinstance(result, dg.SensorResult)
        assert isinstance(result.skip_reason, dg.SkipReason)
        self.cursor = result.cursor
        return clock, cpu, result.skip_reason.skip_message or ""


def main() -> None:
    """Print what the ticks took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=5_000)
    files = parser.parse_args().files
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as name:
        inbox = Path(name) / "inbox"
        inbox.mkdir()
        for number in range(files):
            write(inbox, number, "A title")
        ticker = Ticker(inbox, Path(name) / "home")
        first = catch_up(ticker)
        say(
            f"{files:,} new: {len(first)} ticks, {sum(first):.0f} s, the longest {max(first):.1f} s"
        )
        memory = remembered(ticker.instance, ticker.declared, ticker.folder.url)
        assert memory is not None
        say(
            f"memory: {len(memory.model_dump_json(exclude_defaults=True)) / 1000:.0f} kB, cursor {ticker.cursor!r}"
        )
        say(f"nothing changed: {medians([ticker.tick()[:2] for _ in range(TICKS)])}")
        changed: list[tuple[float, float]] = []
        for number in range(TICKS):
            write(inbox, number, f"Another title {number}")
            clock, cpu, said = ticker.tick()
            assert said.startswith("registered a-brief"), said
            changed.append((clock, cpu))
        say(f"one changed: {medians(changed)}")


def catch_up(ticker: Ticker) -> list[float]:
    """The ticks until nothing is new."""
    took: list[float] = []
    while True:
        clock, _, said = ticker.tick()
        if said.startswith("nothing new"):
            return took
        took.append(clock)


def medians(ticks: list[tuple[float, float]]) -> str:
    """The medians on the clock and of the CPU, in words."""
    clock, cpu = (statistics.median(column) * 1000 for column in zip(*ticks, strict=True))
    return f"{clock:.0f} ms ({cpu:.0f} ms CPU)"


def say(line: str) -> None:
    """One line of the result."""
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
