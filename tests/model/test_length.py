"""Answers that were cut or came empty: asked for once more with a larger cap, then a sentence."""

from typing import Any

import pytest

from orch_dagster.model import ModelError
from resources.model.dialect import ROOM_FOR_REASONING
from tests.model.asks import SCHEMA, TRACE, answer, ask
from tests.model.conftest import Raw, Simulated
from tests.model.raw_server import RawServer, completion, in_turn, reply

CUT = reply(completion('{"score": 4, "no', finish_reason="length"))
REASONED = completion(
    "",
    finish_reason="length",
    usage={
        "prompt_tokens": 10,
        "completion_tokens": 100,
        "completion_tokens_details": {"reasoning_tokens": 100},
    },
)


def caps(server: RawServer) -> list[Any]:
    return [heard.body.get("max_completion_tokens") for heard in server.heard]


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS"])
def test_a_cut_answer_is_asked_for_once_with_a_larger_cap(raw: Raw, reason: str) -> None:
    cut = reply(completion("Snow f", finish_reason=reason))
    client, server = raw(in_turn(cut, reply(completion())))
    said = answer(client)
    assert (said.text, said.tries, said.usage.total) == ("Words.", 2, 30)
    assert caps(server) == [100, 200]


def test_a_second_cut_fails_naming_prompt_and_cap(raw: Raw) -> None:
    client, server = raw(in_turn(CUT))
    with pytest.raises(ModelError) as caught:
        answer(client, ask(schema=SCHEMA))
    assert str(caught.value).startswith(f"{TRACE}: the answer was cut at 200 tokens")
    assert "cap of 100" in str(caught.value)
    assert "max_tokens" in str(caught.value)
    assert caught.value.usage.total == 30
    assert caps(server) == [100, 200]


def test_the_simulator_cuts_as_a_model_does(simulated: Simulated) -> None:
    client, running = simulated()
    prompt = "Write an essay of about 600 words on snow, its kinds and its names."
    assert len(answer(client, ask(prompt, max_tokens=600)).text.split()) > 300
    before = running.simulator.requests
    with pytest.raises(ModelError, match="was cut at 40 tokens"):
        answer(client, ask(prompt, max_tokens=20))
    assert running.simulator.requests - before == 2


def test_an_answer_spent_on_reasoning_gets_room_for_it_and_the_room_is_remembered(raw: Raw) -> None:
    client, server = raw(in_turn(reply(REASONED), reply(completion())))
    assert answer(client).text == "Words."
    assert answer(client).text == "Words."
    assert caps(server) == [100, 200 + ROOM_FOR_REASONING, 100 + ROOM_FOR_REASONING]


@pytest.mark.parametrize(
    "spent",
    [
        REASONED,
        completion("<think>Hm, snow", finish_reason="length"),
        completion(None, message={"reasoning_content": "Hm."}, finish_reason="length"),
        completion("<think>Hm, snow", finish_reason="stop"),
    ],
)
def test_reasoning_without_an_answer_is_said_to_be_that(raw: Raw, spent: Any) -> None:
    client, server = raw(in_turn(reply(spent)))
    with pytest.raises(ModelError, match=rf"^{TRACE}: .* is empty, all of it was spent on reason"):
        answer(client)
    assert len(server.heard) == 2


def test_a_server_that_calls_spent_caps_a_mistake_is_understood(raw: Raw) -> None:
    text = "Could not finish the message because max_tokens or model output limit was reached."
    spent = reply({"error": {"message": text, "type": "invalid_request_error"}}, status=400)
    client, server = raw(in_turn(spent, reply(completion())))
    assert answer(client).text == "Words."
    assert caps(server) == [100, 200 + ROOM_FOR_REASONING]


def test_an_empty_answer_is_asked_for_once_more_too(raw: Raw) -> None:
    client, server = raw(in_turn(reply(completion(None))))
    with pytest.raises(ModelError, match="the answer is empty at 200 tokens"):
        answer(client)
    assert caps(server) == [100, 200]


def test_a_server_without_finish_reasons_is_cut_where_the_cap_is_used_up(raw: Raw) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 100}
    client, server = raw(
        in_turn(reply(completion("Snow f", finish_reason=None, usage=usage)), reply(completion()))
    )
    assert answer(client).text == "Words."
    assert caps(server) == [100, 200]


def test_a_larger_cap_that_is_refused_is_told_with_the_cut(raw: Raw) -> None:
    refused = reply(
        {"error": {"message": "max_tokens is too large: 200. At most 150.", "param": "max_tokens"}},
        status=400,
    )
    client, server = raw(in_turn(CUT, refused))
    with pytest.raises(ModelError, match=r"was cut at the prompt's cap of 100 .* At most 150"):
        answer(client)
    assert len(server.heard) == 2


def test_where_no_cap_is_taken_the_same_is_not_asked_twice(raw: Raw) -> None:
    def without_caps(heard: Any) -> bytes:
        named = [name for name in ("max_tokens", "max_completion_tokens") if name in heard.body]
        if named:
            return reply({"detail": f"Unsupported parameter: {named[0]}"}, status=400)
        return CUT

    client, server = raw(without_caps)
    with pytest.raises(ModelError, match="takes no cap to raise"):
        answer(client)
    assert len(server.heard) == 3
