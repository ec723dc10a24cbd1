"""Forms that a server refuses: said otherwise at once, and remembered for the process."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from orch_dagster.model import ModelError, Reply
from tests.model.asks import FITTING, SCHEMA, TRACE, answer, answers, ask
from tests.model.conftest import Raw, Simulated
from tests.model.raw_server import Answer, Heard, completion, in_turn, reply

GOOD = reply(completion(FITTING))


def openai_error(message: str, **more: Any) -> bytes:
    return reply(
        {"error": {"message": message, "type": "invalid_request_error", **more}}, status=400
    )


def pydantic_error(name: str, body: Any) -> bytes:
    """As FastAPI says it, with the whole request in it."""
    detail = {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted", "input": body}  # fmt: skip
    return reply({"detail": [detail]}, status=422)


def refusing(sign: Callable[[Mapping[str, Any]], bytes | None]) -> Answer:
    return lambda heard: sign(heard.body) or GOOD


def new_cap_unknown(body: Mapping[str, Any]) -> bytes | None:
    if "max_completion_tokens" not in body:
        return None
    return openai_error("Unrecognized request argument supplied: max_completion_tokens")


def new_cap_not_permitted(body: Mapping[str, Any]) -> bytes | None:
    is_new = "max_completion_tokens" in body
    return pydantic_error("max_completion_tokens", dict(body)) if is_new else None


def cap_required(body: Mapping[str, Any]) -> bytes | None:
    if "max_tokens" in body:
        return None
    return reply({"message": {"detail": [{"loc": ["max_tokens"], "msg": "Field required"}]}}, status=422)  # fmt: skip


@pytest.mark.parametrize("sign", [new_cap_unknown, new_cap_not_permitted, cap_required])
def test_the_cap_is_said_by_its_other_name(raw: Raw, sign: Any) -> None:
    client, server = raw(refusing(sign))
    assert answer(client).text == answer(client).text == FITTING
    assert [heard.body.get("max_tokens") for heard in server.heard] == [None, 100, 100]


def test_a_server_that_knows_neither_cap_gets_none(raw: Raw) -> None:
    def no_caps(body: Mapping[str, Any]) -> bytes | None:
        named = [name for name in body if name.startswith("max_")]
        return openai_error(f"Unsupported parameter: '{named[0]}'") if named else None

    client, server = raw(refusing(no_caps))
    assert answer(client).text == answer(client).text == FITTING
    assert len(server.heard) == 4


def format_of(heard: Heard) -> str | None:
    return heard.body.get("response_format", {}).get("type")


@pytest.mark.parametrize(
    "message",
    [
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model",
        "'response_format.type' must be 'json_object'",
        "Invalid schema for response_format 'Scored': 'additionalProperties' is required",
        "xgrammar: the grammar cannot be compiled",
    ],
)
def test_structure_falls_back_by_steps(raw: Raw, message: str) -> None:
    def no_formats(body: Mapping[str, Any]) -> bytes | None:
        return openai_error(message) if "response_format" in body else None

    client, server = raw(refusing(no_formats))
    request = ask(schema=SCHEMA)
    assert answer(client, request).text == answer(client, request).text == FITTING
    assert [format_of(heard) for heard in server.heard] == [
        "json_schema",
        "json_object",
        None,
        None,
    ]
    said = server.heard[-1].body["messages"]
    assert said[0]["content"] == "You are an editor."  # the prefix stays, and stays cached
    assert json.dumps(SCHEMA) in said[-1]["content"]


def test_json_mode_is_enough_where_it_is_taken(raw: Raw) -> None:
    def no_schema(body: Mapping[str, Any]) -> bytes | None:
        kind = body.get("response_format", {}).get("type")
        return openai_error("json_schema is not supported") if kind == "json_schema" else None

    client, server = raw(refusing(no_schema))
    assert answer(client, ask(schema=SCHEMA)).text == FITTING
    assert [format_of(heard) for heard in server.heard] == ["json_schema", "json_object"]
    assert answer(client).text == FITTING
    assert format_of(server.heard[-1]) is None


@pytest.mark.parametrize(
    "ignored", ["Sure, 4.5 I would say.", '{"rating": 4}', "```json\n[4]\n```"]
)
def test_a_schema_that_is_taken_and_ignored_is_put_into_words_from_then_on(
    raw: Raw, ignored: str
) -> None:
    client, server = raw(in_turn(reply(completion(ignored)), GOOD))
    assert answer(client, ask(schema=SCHEMA)).text == ignored  # the chain asks for a repair
    assert answer(client, ask(schema=SCHEMA)).text == FITTING
    assert [format_of(heard) for heard in server.heard] == ["json_schema"] * 2
    first, second = (heard.body["messages"][-1]["content"] for heard in server.heard)
    assert second.startswith(first)
    assert json.dumps(SCHEMA) in second


def test_an_option_that_is_refused_is_dropped_and_remembered(raw: Raw) -> None:
    def no_temperature(body: Mapping[str, Any]) -> bytes | None:
        if "temperature" not in body:
            return None
        return openai_error(
            "Unsupported value: 'temperature' does not support 0.2 with this model. Only the "
            "default (1) value is supported.", param="temperature", code="unsupported_value",
        )  # fmt: skip

    client, server = raw(refusing(no_temperature), ORCH_TEMPERATURE="0.2")
    assert answer(client).text == answer(client).text == FITTING
    assert [heard.body.get("temperature") for heard in server.heard] == [0.2, None, None]


def test_the_temperature_is_sent_and_part_of_what_an_answer_depends_on(raw: Raw) -> None:
    client, server = raw(in_turn(GOOD))
    assert client.settings("fast") == {"model": "a-model"}
    answer(client)
    assert "temperature" not in server.heard[0].body
    client, server = raw(in_turn(GOOD), ORCH_TEMPERATURE="0")
    assert client.settings("fast") == {"model": "a-model", "temperature": 0}
    answer(client)
    assert server.heard[0].body["temperature"] == 0


def test_a_template_without_system_role_gets_one_message(raw: Raw) -> None:
    def no_system(body: Mapping[str, Any]) -> bytes | None:
        is_system = body["messages"][0]["role"] == "system"
        return openai_error("System role not supported") if is_system else None

    client, server = raw(refusing(no_system))
    answer(client)
    said = {"role": "user", "content": "You are an editor.\n\nWrite the lede."}
    assert server.heard[-1].body["messages"] == [said]
    assert len(server.heard) == 2


def test_all_of_it_at_once_is_learned_by_64_in_flight_without_loops(raw: Raw) -> None:
    def old_server(body: Mapping[str, Any]) -> bytes | None:
        return new_cap_unknown(body) or (
            openai_error("unknown field response_format") if "response_format" in body else None
        )

    client, server = raw(lambda heard: (0.05, old_server(heard.body) or GOOD))
    said = answers(client, [ask(f"Score {n}.", schema=SCHEMA) for n in range(64)])
    assert {one.text for one in said if isinstance(one, Reply)} == {FITTING}
    assert all(isinstance(one, Reply) and one.tries == 4 for one in said)
    before = len(server.heard)
    answer(client, ask(schema=SCHEMA))
    assert len(server.heard) == before + 1


def test_each_model_of_a_server_has_a_dialect_of_its_own(raw: Raw) -> None:
    def by_model(body: Mapping[str, Any]) -> bytes | None:
        wrong = "max_tokens" if body["model"] == "thinker" else "max_completion_tokens"
        return openai_error(f"Unsupported parameter: '{wrong}'") if wrong in body else None

    client, server = raw(
        refusing(by_model), ORCH_MODEL_REASONING="thinker", ORCH_MODEL_FAST="writer"
    )
    for _ in range(3):
        answer(client, ask(role="fast"))
        answer(client, ask(role="reasoning"))
    assert len(server.heard) == 7


def test_what_did_not_help_is_not_remembered(raw: Raw) -> None:
    client, server = raw(in_turn(*[openai_error("max_tokens? No: the moon is wrong")] * 3, GOOD))
    with pytest.raises(
        ModelError, match=rf"^{TRACE}: the server refused the request \(400: .*moon"
    ):
        answer(client)
    assert answer(client).text == FITTING
    assert server.heard[-1].body["max_completion_tokens"] == 100


@pytest.mark.parametrize(
    "error",
    [
        openai_error("'messages' must alternate"),
        reply({"detail": "Unprocessable"}, status=422),
        reply(b"Bad Request", status=400, headers={"content-type": "text/plain"}),
        reply(b"", status=418),
    ],
)
def test_other_mistakes_are_not_tried_again(raw: Raw, error: bytes) -> None:
    client, server = raw(in_turn(error))
    with pytest.raises(ModelError, match=rf"^{TRACE}: the server refused the request \(4"):
        answer(client)
    assert len(server.heard) == 1


def test_the_simulator_learns_us_to_speak_too(simulated: Simulated) -> None:
    error = {"error": {"message": "response_format is not supported", "param": "response_format"}}
    client, running = simulated({"status": 400, "body": error, "times": 2})
    said = answer(client, ask("Score it.", schema=SCHEMA))
    assert json.loads(said.text).keys() == {"score", "notes"}
    assert running.simulator.requests == 3


@pytest.mark.parametrize(
    ("message", "window"),
    [
        (
            "This model's maximum context length is 8192 tokens. However, your messages resulted in "
            "9000 tokens.",
            "8,192 tokens",
        ),
        (
            "'max_tokens' or 'max_completion_tokens' is too large: 100. This model's maximum "
            "context length is 4096 tokens and your request has 4000 input tokens.",
            "4,096 tokens",
        ),
        ("prompt is too long: 210000 tokens > 200000 maximum", "200,000 tokens"),
        (
            "`inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3000 `inputs` tokens",
            "2,048 tokens",
        ),
        ("Please reduce the length of the messages.", "size not told"),
    ],
)
def test_a_prompt_larger_than_the_window_is_named_with_its_size(
    raw: Raw, message: str, window: str
) -> None:
    client, server = raw(in_turn(openai_error(message)))
    with pytest.raises(ModelError) as caught:
        answer(client, ask("x" * 1_000))
    assert str(caught.value).startswith(f"{TRACE}: the prompt (1,018 characters, and 100 tokens")
    assert f"the window of 'a-model' ({window})" in str(caught.value)
    assert len(server.heard) == 1


def test_a_window_that_llama_cpp_tells_is_found(raw: Raw) -> None:
    error = {
        "code": 400,
        "message": "the request exceeds the available context size, try increasing it",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": 5000,
        "n_ctx": 4096,
    }
    client, _ = raw(in_turn(reply({"error": error}, status=400)))
    with pytest.raises(ModelError, match=r"the window of 'a-model' \(4,096 tokens\)"):
        answer(client)


def test_a_page_that_says_too_large_is_about_the_prompt(raw: Raw) -> None:
    page = b"<html><title>413 Request Entity Too Large</title></html>"
    client, _ = raw(in_turn(reply(page, status=413, headers={"content-type": "text/html"})))
    with pytest.raises(ModelError, match=r"the prompt .* 413 Request Entity Too Large$"):
        answer(client)
