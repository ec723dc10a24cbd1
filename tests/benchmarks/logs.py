"""The simulator's log, counted by the benchmark's meter and once more by hand."""

import json
from pathlib import Path
from typing import Any

from resources.simulator.log import read_log
from tests.benchmarks.flat.meter import Meter, Request
from tests.tokens import tokens


def metered_log(path: Path) -> tuple[Request, ...]:
    """The answered requests of a log, as the benchmark counts them."""
    meter = Meter()
    for line in path.read_bytes().splitlines():
        meter.take(line)
    return meter.taken()


def counted_by_hand(body: dict[str, Any]) -> int:
    """The tokens of the messages and the schema in one body."""
    said = sum(tokens(message["content"]) for message in body["messages"])
    if "response_format" not in body:
        return said
    schema = body["response_format"]["json_schema"]["schema"]
    return said + tokens(json.dumps(schema, ensure_ascii=False))


def check_against_log(requests: tuple[Request, ...], log: Path) -> None:
    """Every answered request is there, in order, with the tokens of its own body."""
    records = read_log(log)
    asked = {r["request"]: r for r in records if r["event"] == "asked"}
    ends = [r for r in records if r["event"] == "answered"]
    assert [r.trace for r in requests] == [end["trace"] for end in ends]
    assert [r.completion for r in requests] == [e["usage"]["completion_tokens"] for e in ends]
    by_hand = [counted_by_hand(asked[end["request"]]["body"]) for end in ends]
    assert [r.context for r in requests] == by_hand
