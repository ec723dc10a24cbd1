"""Failing and silent servers: growing pauses, and one limit for all of a call that holds."""

import asyncio
import time
from itertools import pairwise
from typing import Any

import pytest

from orch_dagster.model import ModelError, Reply
from resources.model.client import Limits
from resources.model.verdicts import TRIES
from tests.model.asks import TRACE, answer, answers, ask
from tests.model.conftest import Raw, Simulated
from tests.model.raw_server import Deed, RawServer, completion, in_turn, reply

GOOD = reply(completion())
SECOND = Limits(in_flight=4, call_timeout_s=1, first_pause_s=0.01)


@pytest.mark.parametrize("status", [408, 500, 502, 503, 520, 529])
def test_a_failing_server_is_tried_again_and_given_up(raw: Raw, status: int) -> None:
    page = b"<html><head><title>Bad Gateway</title></head></html>"
    failing = reply(page, status=status, headers={"content-type": "text/html"})
    client, server = raw(in_turn(failing, failing, GOOD))
    assert answer(client).tries == 3
    client, server = raw(in_turn(failing))
    with pytest.raises(
        ModelError,
        match=rf"^{TRACE}: given up after {TRIES} tries: .* answered {status}: Bad Gateway$",
    ):
        answer(client)
    assert len(server.heard) == TRIES


def test_pauses_grow_and_differ(raw: Raw) -> None:
    limits = Limits(in_flight=8, call_timeout_s=30, first_pause_s=0.04)
    client, server = raw(in_turn(reply(b"", status=502)), limits)
    answers(client, [ask(f"Write {n}.") for n in range(8)])
    spans: dict[str, list[float]] = {}
    for heard in server.heard:
        spans.setdefault(heard.body["messages"][1]["content"], []).append(heard.time)
    for times in spans.values():
        pauses = [later - earlier for earlier, later in pairwise(times)]
        assert all(p >= 0.02 * 2**n for n, p in enumerate(pauses))
    assert len({round(times[-1] - times[0], 3) for times in spans.values()}) > 1


def test_the_simulator_breaks_and_recovers(simulated: Simulated) -> None:
    client, running = simulated(
        {"reset": "before", "times": 1},
        {"reset": "middle", "times": 1},
        {"status": 500, "times": 1},
        {"content": "Words."},
    )
    assert answer(client).tries == 4
    assert running.simulator.requests == 4


@pytest.mark.parametrize(
    "said",
    [
        (Deed.HANG,),
        (b"HTTP/1.1 200 X\r\n", Deed.HANG),
        tuple(part for byte in GOOD for part in (bytes([byte]), 0.2)),
        (0.45, reply(b"", status=500)),
        (reply(b"", status=503, headers={"retry-after": "5"}),),
    ],
    ids=["silent", "half a head", "a trickle", "slow and failing", "busy for longer"],
)
def test_a_second_is_a_second(raw: Raw, said: Any) -> None:
    client, server = raw(in_turn(said), SECOND)
    started = time.monotonic()
    with pytest.raises(ModelError, match=rf"^{TRACE}: .*(ORCH_CALL_TIMEOUT)"):
        answer(client)
    assert time.monotonic() - started < 4
    client.close()
    assert _all_closed(server)


@pytest.mark.parametrize(
    "turns",
    [
        ((0.6, reply(b"", status=500)), (0.6, GOOD)),
        (reply(b"", status=500, headers={"retry-after": "0.6"}),) * 2 + (GOOD,),
    ],
    ids=["requests", "pauses"],
)
def test_retries_and_pauses_are_within_the_limit(raw: Raw, turns: Any) -> None:
    client, _ = raw(in_turn(*turns), SECOND)
    with pytest.raises(ModelError, match="ORCH_CALL_TIMEOUT"):
        answer(client)


def test_waiting_for_a_place_is_not_counted(raw: Raw) -> None:
    client, _ = raw(in_turn((0.3, GOOD)), Limits(in_flight=1, call_timeout_s=1))
    said = answers(client, [ask(f"Write {n}.") for n in range(5)])
    assert all(isinstance(one, Reply) and one.waited_ms == 0 for one in said)


def test_a_pause_keeps_no_place(raw: Raw) -> None:
    def failing_first(heard: Any) -> Any:
        return reply(b"", status=500) if heard.number == 1 else GOOD

    client, server = raw(failing_first, Limits(in_flight=1, call_timeout_s=30, first_pause_s=0.5))
    said = answers(client, [ask("Write 1."), ask("Write 2.")])
    assert all(isinstance(one, Reply) for one in said)
    assert [h.body["messages"][1]["content"][-2:] for h in server.heard] == ["1.", "2.", "1."]


def test_the_longest_chain_goes_first(raw: Raw) -> None:
    client, server = raw(in_turn((0.05, GOOD)), Limits(in_flight=1, call_timeout_s=30))
    answers(client, [ask(f"Write {n}.", chain_length=n) for n in (5, 1, 3, 9, 7)])
    asked = [heard.body["messages"][1]["content"] for heard in server.heard]
    assert asked == [f"Write {n}." for n in (5, 9, 7, 3, 1)]


def test_of_chains_of_one_length_one_library_goes_before_another(raw: Raw) -> None:
    client, server = raw(in_turn((0.05, GOOD)), Limits(in_flight=1, call_timeout_s=30))
    asks = [ask(f"{n} of {name}.", library=name) for n in (1, 2) for name in ("task", "design")]
    answers(client, asks)
    asked = [heard.body["messages"][1]["content"] for heard in server.heard]
    assert asked == ["1 of task.", "1 of design.", "2 of design.", "2 of task."]


def test_who_is_cancelled_frees_place_and_connection(raw: Raw) -> None:
    def hang_first(heard: Any) -> Any:
        return (Deed.HANG,) if "hang" in heard.body["messages"][1]["content"] else GOOD

    client, server = raw(hang_first, Limits(in_flight=1, call_timeout_s=30))

    async def cancel_one() -> Reply:
        hanging = asyncio.create_task(client.ask(ask("hang")))
        while not server.heard:
            await asyncio.sleep(0.01)
        waiting = asyncio.create_task(client.ask(ask("hang too")))
        asking = asyncio.create_task(client.ask(ask("Write.")))
        await asyncio.sleep(0.05)
        waiting.cancel()
        hanging.cancel()
        reply = await asking
        assert hanging.cancelled() and waiting.cancelled()
        return reply

    assert asyncio.run(cancel_one()).text == "Words."
    assert len(server.heard) == 2
    client.close()
    assert _all_closed(server)


def _all_closed(server: RawServer) -> bool:
    for _ in range(200):
        if server.open_connections == 0:
            return True
        time.sleep(0.01)
    return False
