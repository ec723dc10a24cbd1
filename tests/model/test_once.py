"""Identical requests in flight: one call, everyone's answer, paid once."""

import asyncio
import threading
from dataclasses import replace
from typing import Any

import pytest

from orch_dagster.model import Ask, ModelError, RefusalError, Reply
from tests.model.asks import FITTING, SCHEMA, answer, answers, ask
from tests.model.conftest import Raw, Simulated
from tests.model.raw_server import Deed, completion, in_turn, reply

SLOW = (0.2, reply(completion(FITTING)))


def test_the_same_is_asked_once_and_paid_once(raw: Raw) -> None:
    client, server = raw(in_turn(SLOW))
    requests = [ask(trace=f"content/a{n}/article/lede#1", chain_length=n) for n in range(8)]
    said = answers(client, requests)
    assert len(server.heard) == 1
    replies = [one for one in said if isinstance(one, Reply)]
    assert {one.text for one in replies} == {FITTING}
    assert sorted(one.usage.total for one in replies) == [0] * 7 + [15]
    assert sorted(one.tries for one in replies) == [0] * 7 + [1]
    assert sorted(one.cost_usd is None for one in replies) == [False] * 7 + [True]


def test_another_form_model_cap_or_prompt_is_another_request(raw: Raw) -> None:
    client, server = raw(in_turn(SLOW), ORCH_MODEL_REASONING="thinker")
    first = ask()
    answers(
        client,
        [
            first,
            replace(first, max_tokens=101),
            replace(first, role="reasoning"),
            ask("Write the end."),
            ask(schema=SCHEMA),
        ],
    )
    assert len(server.heard) == 5


def test_what_was_answered_is_asked_again(raw: Raw) -> None:
    client, server = raw(in_turn(SLOW))
    assert answer(client).usage == answer(client).usage
    assert len(server.heard) == 2


def test_threads_and_loops_share_too(simulated: Simulated) -> None:
    client, running = simulated({"content": "Words.", "delay_ms": 300})
    said: list[Reply] = []
    threads = [threading.Thread(target=lambda: said.append(answer(client))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.text for one in said] == ["Words."] * 6
    assert running.simulator.requests == 1


def asked_together(client: Any, *, then: Any) -> list[Reply | BaseException]:
    async def together() -> list[Reply | BaseException]:
        tasks = [asyncio.create_task(client.ask(ask())) for _ in range(3)]
        await then(tasks)
        return await asyncio.gather(*tasks, return_exceptions=True)

    return asyncio.run(together())


def test_one_that_is_cancelled_leaves_the_others_their_answer_and_the_cost(raw: Raw) -> None:
    client, server = raw(in_turn(SLOW))

    async def cancel_first(tasks: list[Any]) -> None:
        while not server.heard:
            await asyncio.sleep(0.01)
        tasks[0].cancel()

    first, *others = asked_together(client, then=cancel_first)
    assert isinstance(first, asyncio.CancelledError)
    assert sorted(one.usage.total for one in others if isinstance(one, Reply)) == [0, 15]
    assert len(server.heard) == 1


def test_the_last_that_is_cancelled_ends_the_request(raw: Raw) -> None:
    client, server = raw(in_turn((Deed.HANG,), SLOW))

    async def cancel_all(tasks: list[Any]) -> None:
        while not server.heard:
            await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()

    said = asked_together(client, then=cancel_all)
    assert all(isinstance(one, asyncio.CancelledError) for one in said)
    assert answer(client).text == FITTING
    assert len(server.heard) == 2


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (completion(None, message={"refusal": "No."}), RefusalError),
        (completion("W", finish_reason="length"), ModelError),
    ],
)
def test_a_failure_is_everyone_s_and_its_cost_one_s(raw: Raw, said: Any, kind: Any) -> None:
    client, server = raw(in_turn((0.2, reply(said))))
    errors = answers(client, [ask()] * 4)
    assert {type(error) for error in errors} == {kind}
    assert len({str(error) for error in errors}) == 1
    billed = sorted(error.usage.total for error in errors if isinstance(error, ModelError))
    assert billed == [0, 0, 0, 15 * len(server.heard)]


def test_many_alike_take_one_place(raw: Raw) -> None:
    client, server = raw(in_turn(SLOW))
    requests: list[Ask] = [ask(f"Write {n % 4}.") for n in range(64)]
    assert all(isinstance(one, Reply) for one in answers(client, requests))
    assert len(server.heard) == 4
