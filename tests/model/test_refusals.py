"""Refusals: of the model, of a filter behind it, of a filter before it."""

from typing import Any

import pytest

from orch_dagster.core.spending import Usage
from orch_dagster.model import RefusalError
from tests.model.asks import TRACE, answer
from tests.model.conftest import Raw, Simulated
from tests.model.raw_server import completion, in_turn, reply


@pytest.mark.parametrize(
    ("declined", "why"),
    [
        (completion(None, message={"refusal": "No snow, please."}), "No snow, please."),
        (completion([{"type": "refusal", "refusal": "No snow."}]), "No snow."),
        (completion("Snow f", finish_reason="content_filter"), "content_filter"),
        (completion(None, finish_reason="SAFETY"), "safety"),
    ],
)
def test_a_refusal_keeps_its_reason_and_counts_what_it_cost(
    raw: Raw, declined: Any, why: str
) -> None:
    client, server = raw(in_turn(reply(declined)))
    with pytest.raises(RefusalError, match=rf"^{TRACE}: the model refused: .*{why}") as caught:
        answer(client)
    assert caught.value.usage == Usage(prompt_tokens=10, completion_tokens=5)
    assert caught.value.cost_usd is None
    assert len(server.heard) == 1


def test_an_empty_refusal_is_none(raw: Raw) -> None:
    client, _ = raw(in_turn(reply(completion(message={"refusal": ""}))))
    assert answer(client).text == "Words."


@pytest.mark.parametrize("status", [400, 403])
def test_a_filter_before_the_model_refuses_too(raw: Raw, status: int) -> None:
    error = {
        "message": "The response was filtered due to the prompt triggering our policy.",
        "code": "content_filter",
        "innererror": {"code": "ResponsibleAIPolicyViolation"},
    }
    client, server = raw(in_turn(reply({"error": error}, status=status)))
    with pytest.raises(RefusalError, match="the server's filter refused the request") as caught:
        answer(client)
    assert caught.value.cost_usd == 0
    assert len(server.heard) == 1


def test_a_refusal_after_a_cut_counts_both(raw: Raw) -> None:
    cut = reply(completion("Snow f", finish_reason="length"))
    client, _ = raw(in_turn(cut, reply(completion(None, message={"refusal": "No."}))))
    with pytest.raises(RefusalError) as caught:
        answer(client)
    assert caught.value.usage.total == 30


def test_the_simulator_refuses_on_cue(simulated: Simulated) -> None:
    client, running = simulated({"refusal": "I would rather not."})
    with pytest.raises(RefusalError, match="I would rather not"):
        answer(client)
    assert running.simulator.requests == 1
