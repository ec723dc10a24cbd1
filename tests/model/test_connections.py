"""One pool, one loop: connections are kept, and nothing is left after the end."""

import asyncio
import gc
import os
import subprocess
import sys
import threading

import pytest

from orch_dagster.model import ModelError, Reply
from resources.model.client import Limits
from tests.model.asks import answer, answers, ask
from tests.model.conftest import Raw, Simulated
from tests.model.raw_server import Deed, completion, in_turn, reply

GOOD = reply(completion())


def test_two_hundred_requests_in_a_row_take_one_connection(raw: Raw) -> None:
    client, server = raw(in_turn(GOOD))

    async def in_a_row() -> None:
        for n in range(100):
            await client.ask(ask(f"Write {n}."))

    asyncio.run(in_a_row())
    asyncio.run(in_a_row())  # a second run of the process, with a loop of its own
    assert (len(server.heard), server.connections) == (200, 1)


def test_as_many_connections_as_requests_in_flight_and_no_more(raw: Raw) -> None:
    client, server = raw(in_turn((0.02, GOOD)), Limits(in_flight=64, call_timeout_s=30))
    for _ in range(3):
        said = answers(client, [ask(f"Write {n}.") for n in range(64)])
        assert all(isinstance(one, Reply) for one in said)
    assert len(server.heard) == 192
    assert server.connections <= 64


def test_no_more_are_in_flight_than_allowed(simulated: Simulated) -> None:
    limits = Limits(in_flight=5, call_timeout_s=30)
    client, running = simulated({"content": "Words."}, latency_ms=20, limits=limits)
    answers(client, [ask(f"Write {n}.") for n in range(40)])
    assert running.simulator.most_in_flight == 5


def test_a_connection_that_the_server_ended_is_replaced(raw: Raw) -> None:
    client, server = raw(in_turn((GOOD, Deed.CLOSE)))
    assert [answer(client).text for _ in range(3)] == ["Words."] * 3
    assert server.connections >= 3


def test_threads_with_loops_of_their_own_share_the_limit_and_the_pool(raw: Raw) -> None:
    client, server = raw(in_turn((0.01, GOOD)), Limits(in_flight=4, call_timeout_s=30))
    texts: list[str] = []

    def run(name: int) -> None:
        said = answers(client, [ask(f"Write {name} {n}.") for n in range(10)])
        texts.extend(one.text for one in said if isinstance(one, Reply))

    threads = [threading.Thread(target=run, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == ["Words."] * 40
    assert server.connections <= 4
    assert [thread.name for thread in threading.enumerate()].count("model") == 1


def test_nothing_is_left_after_the_end(raw: Raw) -> None:
    before = set(threading.enumerate())
    client, server = raw(in_turn(GOOD))
    between = set(threading.enumerate())
    answer(client)
    client.close()
    assert set(threading.enumerate()) <= between
    client.close()
    assert answer(client).text == "Words."  # it opens anew
    client.close()
    gc.collect()  # what was not closed warns here, and warnings are errors
    assert set(threading.enumerate()) <= between
    assert len(between - before) == 1
    assert server.connections == 2


def test_who_waits_at_the_end_is_told(raw: Raw) -> None:
    client, server = raw(in_turn((Deed.HANG,)))

    async def close_meanwhile() -> list[Reply | BaseException]:
        asking = asyncio.gather(
            *(client.ask(ask(f"Write {n % 2}.")) for n in range(4)), return_exceptions=True
        )
        while len(server.heard) < 2:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(client.close)
        return await asking

    said = asyncio.run(close_meanwhile())
    assert {type(one) for one in said} == {ModelError}
    assert "was closed" in str(said[0])


def test_without_a_server_the_simulator_answers_and_ends(
    monkeypatch: pytest.MonkeyPatch, raw: Raw
) -> None:
    client, _ = raw(in_turn(b""))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name)
    # A proxy for the outside world is not asked for what is inside.
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    said = answer(client, ask(max_tokens=2_000))
    assert (said.model, said.cost_usd) == ("simulator-fast", None)
    client.close()
    assert "simulator" not in [thread.name for thread in threading.enumerate()]


def test_a_process_that_ends_without_closing_ends_quietly(raw: Raw) -> None:
    _, server = raw(in_turn(GOOD))
    program = (
        "from resources.model.client import Limits, ModelClient\n"
        "from tests.model.asks import answer\n"
        "print(answer(ModelClient(Limits(4, 30))).text)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={
            **os.environ,
            "OPENAI_BASE_URL": server.base_url,
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "Words.\n", "")
