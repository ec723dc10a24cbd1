"""The results as a table for the terminal."""

from collections.abc import Iterable

from tests.benchmarks.speed.result import Result

HEAD = f"{'':3}{'what':68} {'median':>8} {'unit':8}{'of':>3}  {'from to':16} {'bar':8} {'':7}{'load':>5}"


def line(one: Result) -> str:
    """One result."""
    span = f"{min(one.samples):.2f} {max(one.samples):.2f}" if one.samples[1:] else ""
    bar = "" if one.bar is None else str(one.bar)
    return (
        f"{one.part:3}{one.what:68} {one.figure:8.2f} {one.unit:8}{len(one.samples):3d}  "
        f"{span:16} {bar:8} {one.verdict:7}{one.load:5.2f}"
    )


def table(results: Iterable[Result]) -> str:
    """All of them, below a head."""
    return "\n".join((HEAD, *map(line, results)))
