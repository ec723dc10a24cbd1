"""Many articles at once, by as many run processes as asked for, on a simulator of their own."""

import multiprocessing
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from orch_dagster.brief_file import read_brief
from orch_dagster.core.brief import Brief
from resources.simulator.log import read_log
from tests.benchmarks.one_article import BRIEF
from tests.benchmarks.server import Server, simulator
from tests.benchmarks.speed.bodies import Chains, chains_in
from tests.benchmarks.speed.home import write_home
from tests.benchmarks.speed.share import Share, Took, work_off

IN_FLIGHT = 64
"""Requests at once, of all processes together (DESIGN 7)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """So many articles by so many processes, in runs of at most `together` articles each."""

    articles: int
    processes: int
    together: int
    latency_ms: float
    database: str | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What it took: seconds on the clock and of CPU, the server's beside ours.

    `longest` is the number of prompts of the longest chain, `peaks_mb` the most memory of each process.
    """

    plan: Plan
    wall: float
    cpu: float
    server_cpu: float
    calls: int
    longest: int
    events: int
    peaks_mb: tuple[float, ...]

    @property
    def limit(self) -> float:
        """What no way of asking can go below, in seconds (DESIGN 7)."""
        return max(self.longest, self.calls / IN_FLIGHT) * self.plan.latency_ms / 1000

    @property
    def over_limit(self) -> float:
        """How many times the limit it took."""
        return self.wall / self.limit


def measure(plan: Plan) -> tuple[Measured, Chains]:
    """Work it off; what it took, and the bodies that were sent, for others to send again."""
    with tempfile.TemporaryDirectory() as name, simulator(Path(name), plan.latency_ms) as server:
        home = Path(name) / "home"
        write_home(home, plan.database)
        shares = _shares(plan)
        before, took = _at_once(shares, server, home)
        server_cpu = server.cpu() - before.cpu
        records = read_log(server.log)
        slugs = {brief.slug for share in shares for brief in share.measured}
        asked = [r for r in records if r["event"] == "asked" and _article(r) in slugs]
        measured = Measured(
            plan=plan,
            wall=max(one.end for one in took) - min(one.begin for one in took),
            cpu=sum(one.cpu for one in took),
            server_cpu=server_cpu,
            calls=len(asked),
            longest=max(Counter(r["trace"].rpartition("/")[0] for r in asked).values()),
            events=sum(one.events for one in took),
            peaks_mb=tuple(one.peak_mb for one in took),
        )
        return measured, chains_in(asked)


@dataclass(frozen=True, slots=True)
class _Before:
    cpu: float


def _at_once(
    shares: Sequence[Share], server: Server, home: Path
) -> tuple[_Before, tuple[Took, ...]]:
    """All shares, each in its process, begun together once all are warm."""
    environment = server.environment(home)
    environment["ORCH_MAX_IN_FLIGHT"] = str(IN_FLIGHT // len(shares))
    spawn = multiprocessing.get_context("spawn")
    with ExitStack() as started:
        pipes: list[Connection] = []
        for share in shares:
            ours, theirs = spawn.Pipe()
            process = spawn.Process(target=work_off, args=(share, environment, theirs))
            process.start()
            theirs.close()  # so that a process that breaks ends our waiting
            started.callback(process.join)
            pipes.append(ours)
        for pipe in pipes:
            pipe.recv()
        before = _Before(server.cpu())
        for pipe in pipes:
            pipe.send("begin")
        return before, tuple(pipe.recv() for pipe in pipes)


def _shares(plan: Plan) -> tuple[Share, ...]:
    brief = read_brief(BRIEF)
    briefs = [_numbered(brief, number) for number in range(plan.articles + plan.processes)]
    warm, measured = briefs[plan.articles :], briefs[: plan.articles]
    return tuple(
        Share(warm=(warm[n],), measured=_every(measured, n, plan.processes), together=plan.together)
        for n in range(plan.processes)
    )


def _numbered(brief: Brief, number: int) -> Brief:
    """The same brief under another title, so that its requests are no others' and need no repair."""
    named = {"slug": f"{brief.slug}-{number}", "title": f"{brief.title} {number}"}
    return brief.model_copy(update=named)


def _every(briefs: Sequence[Brief], first: int, step: int) -> tuple[Brief, ...]:
    return tuple(briefs[first::step])


def _article(record: dict[str, str]) -> str:
    return record["trace"].split("/")[1]
