"""Rate limits: the process waits as a whole, comes back one by one, and ends in words."""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from orch_dagster.model import ConfigurationError, ModelError, Reply
from resources.model.client import Limits
from resources.simulator.log import read_log
from tests.model.asks import answer, answers, ask
from tests.model.conftest import LIMITS, Raw, Simulated
from tests.model.raw_server import Deed, Heard, Said, completion, in_turn, reply

GOOD = reply(completion())
LIMITED = {"error": {"message": "Rate limit reached", "code": "rate_limit_exceeded"}}


def limited(headers: dict[str, str] | None = None, body: Any = LIMITED) -> bytes:
    return reply(body, status=429, headers=headers)


def http_date(seconds: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize(
    ("headers", "body", "least"),
    [
        ({"retry-after": "1"}, LIMITED, 1),
        ({"retry-after": "0.4"}, LIMITED, 0.4),
        ({"retry-after-ms": "300", "retry-after": "9"}, LIMITED, 0.3),
        ({}, {"error": {"message": "Limit reached. Please try again in 450ms."}}, 0.45),
        ({}, {"error": {"details": [{"retryDelay": "0.5s"}], "message": "quota exceeded"}}, 0.5),
    ],
)
def test_the_time_that_the_server_names_is_waited(
    raw: Raw, headers: dict[str, str], body: Any, least: float
) -> None:
    client, server = raw(in_turn(limited(headers, body), GOOD))
    said = answer(client)
    assert (said.text, said.tries) == ("Words.", 2)
    assert said.waited_ms >= least * 1000
    assert server.heard[1].time - server.heard[0].time >= least
    assert said.latency_ms < least * 1000


def test_a_date_counts_on_the_server_s_own_clock(raw: Raw) -> None:
    slow = {"date": http_date(-3_600), "retry-after": http_date(-3_599)}
    client, server = raw(in_turn(limited(slow), GOOD))
    assert answer(client).text == "Words."
    assert 0.9 <= server.heard[1].time - server.heard[0].time <= 10


@pytest.mark.parametrize("named", ["0", "-5", "soon", "", "Mon, 30 Nov 2015 17:08:45 GMT"])
def test_a_time_that_is_none_to_come_means_a_pause_of_our_own(raw: Raw, named: str) -> None:
    client, server = raw(in_turn(limited({"retry-after": named}), limited(), GOOD))
    assert answer(client).tries == 3
    assert server.heard[1].time > server.heard[0].time + 0.004


def test_nobody_of_the_process_asks_before_the_time(simulated: Simulated, tmp_path: Path) -> None:
    log = tmp_path / "log"
    rule = {"message": "Write 0", "status": 429, "headers": {"Retry-After": 1}, "times": 1}
    client, _ = simulated(rule, log=log, limits=Limits(in_flight=1, call_timeout_s=30))
    said = answers(client, [ask(f"Write {n}.", max_tokens=2_000) for n in range(20)])
    assert all(isinstance(one, Reply) for one in said)
    records = read_log(log)
    told = next(r["time"] for r in records if r["event"] == "answered" and r["status"] == 429)
    came = [r["time"] for r in records if r["event"] == "asked" and r["time"] > told]
    assert len(came) == 20
    assert min(came) >= told + 1


class Bucket:
    """A limit as gateways have it: so many requests in a window, and a time to come back at."""

    def __init__(self, *, most: int, seconds: float) -> None:
        self.most, self.seconds = most, seconds
        self.opened, self.used = 0.0, 0
        self.refused: list[tuple[float, float]] = []

    def __call__(self, heard: Heard) -> Any:
        now = time.monotonic()
        if now >= self.opened + self.seconds:
            self.opened, self.used = now, 0
        self.used += 1
        if self.used <= self.most:
            return (0.02, GOOD)
        until = self.opened + self.seconds
        self.refused.append((now, until))
        return limited({"retry-after": f"{until - now:.3f}"})


def test_a_limit_that_lasts_is_approached_not_stormed(raw: Raw) -> None:
    bucket = Bucket(most=12, seconds=0.6)
    client, server = raw(bucket)
    said = answers(client, [ask(f"Write {n}.") for n in range(48)])
    assert all(isinstance(one, Reply) for one in said)
    # The storm of the first moment was on its way when the limit showed; after it, a few a window.
    first_window = bucket.refused[0][1]
    later = [at for at, _ in bucket.refused if at > first_window]
    windows = (max(heard.time for heard in server.heard) - first_window) / bucket.seconds
    assert len(later) <= 6 * (windows + 1)


def test_after_a_limit_one_goes_first_and_each_answer_makes_room_for_one_more(raw: Raw) -> None:
    crowd, answered, seen = 0, 0, []

    def limit_the_first_16(heard: Heard) -> Iterator[Said]:
        nonlocal crowd, answered
        if heard.number <= 16:
            yield 0.05
            yield limited({"retry-after": "0.5"})
            return
        crowd += 1
        seen.append((crowd, answered))
        yield 0.05
        crowd, answered = crowd - 1, answered + 1
        yield GOOD

    client, _ = raw(limit_the_first_16, Limits(in_flight=16, call_timeout_s=30))
    assert all(isinstance(one, Reply) for one in answers(client, [ask(f"{n}") for n in range(16)]))
    assert len(seen) == 16
    assert all(crowded <= 1 + answered_before for crowded, answered_before in seen)


def test_a_server_that_lets_nothing_through_ends_all_calls_in_words(raw: Raw) -> None:
    client, server = raw(
        in_turn(limited()), Limits(in_flight=8, call_timeout_s=1, first_pause_s=0.05)
    )
    started = time.monotonic()
    said = answers(client, [ask(f"Write {n}.") for n in range(24)])
    assert time.monotonic() - started < 8
    assert {type(one) for one in said} == {ModelError}
    assert "limits the rate and let no request through in 1 s" in str(said[0])
    assert len(server.heard) < 24


def test_a_limit_of_long_ago_is_forgotten(raw: Raw) -> None:
    turns = in_turn(limited({"retry-after": "0.2"}), (Deed.HANG,), limited(), GOOD)
    client, _ = raw(turns, Limits(in_flight=1, call_timeout_s=0.5, first_pause_s=0.01))
    with pytest.raises(ModelError, match="ORCH_CALL_TIMEOUT"):
        answer(client)
    time.sleep(0.5)
    assert answer(client).text == "Words."


def test_a_time_beyond_all_patience_ends_at_once(raw: Raw) -> None:
    client, server = raw(in_turn(limited({"retry-after": "86400"})))
    with pytest.raises(ModelError, match="limits the rate"):
        answer(client)
    assert len(server.heard) == 1


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (429, {"code": "insufficient_quota", "message": "You exceeded your current quota"}),
        (429, {"message": "Your credit balance is too low to go on"}),
        (403, {"message": "Monthly quota reached"}),
        (402, {"message": "Payment required"}),
    ],
)
def test_a_quota_that_is_used_up_stops_at_once(raw: Raw, status: int, error: Any) -> None:
    client, server = raw(in_turn(reply({"error": error}, status=status)))
    with pytest.raises(ConfigurationError, match=r"^OPENAI_API_KEY: the quota at .* is used up"):
        answer(client)
    assert len(server.heard) == 1


def test_a_prompt_that_no_minute_has_room_for_is_not_waited_with(raw: Raw) -> None:
    text = "Request too large for a-model on tokens per min (TPM): Limit 30000, Requested 45000."
    client, server = raw(in_turn(limited(body={"error": {"message": text}})))
    with pytest.raises(ModelError, match=r"the prompt \(33 characters"):
        answer(client)
    assert len(server.heard) == 1


@pytest.mark.parametrize("status", [503, 529])
def test_an_overload_with_a_time_slows_the_process_down_too(raw: Raw, status: int) -> None:
    busy = reply({"error": "overloaded"}, status=status, headers={"retry-after": "0.4"})
    client, server = raw(in_turn(busy, GOOD), LIMITS)
    assert answer(client).waited_ms >= 400
    assert len(server.heard) == 2


def test_a_quota_that_is_used_up_is_found_out_once_by_all_that_wait(raw: Raw) -> None:
    body = {"error": {"code": "insufficient_quota", "message": "You exceeded your quota."}}
    client, server = raw(lambda heard: reply(body, status=429), limits=replace(LIMITS, in_flight=1))
    outcomes = answers(client, [ask(f"Question {number}") for number in range(9)])
    assert all(isinstance(outcome, ConfigurationError) for outcome in outcomes)
    assert len({str(outcome) for outcome in outcomes}) == 1
    assert len(server.heard) == 1
