"""The simulator over HTTP, asked by the real client."""

import asyncio
import gc
import json
import socket
import threading
from typing import Any

import httpx2
import pytest
from openai import AsyncOpenAI, BadRequestError, NotFoundError, OpenAI

from resources.simulator.server import running_simulator, serve
from resources.simulator.settings import SimulatorSettings
from tests.simulator.asking import ask
from tests.simulator.briefs import block
from tests.simulator.chats import schema_format
from tests.simulator.conftest import Start


def test_models_health_and_any_model_name(start: Start) -> None:
    running, client = start()
    assert [m.id for m in client.models.list()] == ["simulator-reasoning", "simulator-fast"]
    assert ask(client, model="gpt-anything").model == "gpt-anything"
    health = httpx2.get(running.base_url.removesuffix("/v1") + "/health").json()
    assert health == {"status": "ok", "simulator": True, "requests": 1}


def test_it_says_what_it_is(start: Start) -> None:
    _, client = start()
    assert ask(client).system_fingerprint == "simulator"


def test_the_same_request_gives_the_same_answer_in_another_server(start: Start) -> None:
    _, first = start(seed=7)
    _, second = start(seed=7)
    _, other = start(seed=8)
    assert ask(first).choices == ask(second).choices == ask(first).choices
    assert ask(first).choices != ask(other).choices


def test_a_json_schema_answer_parses(start: Start) -> None:
    _, client = start()
    schema = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
    content = ask(client, response_format=schema_format(schema)).choices[0].message.content
    assert json.loads(content or "").keys() == {"title"}


def test_usage_counts_four_characters_to_the_token(start: Start) -> None:
    _, client = start()
    completion = ask(client)
    assert completion.usage is not None
    content = completion.choices[0].message.content or ""
    assert completion.usage.completion_tokens == -(-len(content) // 4)
    assert completion.usage.prompt_tokens == -(-len(block() + "Write the lede.") // 4)


@pytest.mark.parametrize("cap", ["max_tokens", "max_completion_tokens"])
def test_a_token_cap_cuts_the_answer(start: Start, cap: str) -> None:
    _, client = start()
    whole = ask(client).choices[0].message.content or ""
    caps: dict[str, Any] = {cap: 20}
    completion = ask(client, **caps)
    assert completion.choices[0].finish_reason == "length"
    assert completion.choices[0].message.content == whole[:80]
    assert completion.usage is not None
    assert completion.usage.completion_tokens == 20


def test_a_long_common_prefix_is_counted_as_cached(start: Start) -> None:
    _, client = start()
    long_brief = block() * 4

    def cached(prompt: str, model: str = "simulator-fast") -> int:
        usage = ask(client, long_brief + prompt, model=model).usage
        assert usage is not None
        assert usage.prompt_tokens_details is not None
        return usage.prompt_tokens_details.cached_tokens or 0

    assert cached("One.") == 0
    assert cached("Two.") >= 1024
    assert cached("Three.") % 128 == 0
    assert cached("Four.", "simulator-reasoning") == 0


def test_a_short_common_prefix_is_not_cached(start: Start) -> None:
    _, client = start()
    ask(client)
    usage = ask(client).usage
    assert usage is not None
    assert usage.prompt_tokens_details is not None
    assert usage.prompt_tokens_details.cached_tokens == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"content": "x"}]}, "no role"),
        ({"model": ""}, "model"),
        ({"response_format": {"type": "json_schema"}}, "response_format"),
        ({"response_format": schema_format({"type": "shape"})}, "'shape'"),
        ({"stream": True}, "stream"),
        ({"n": 2}, "one choice"),
        ({"max_tokens": 0}, "max_tokens"),
    ],
)
def test_a_malformed_request_is_refused_in_the_shape_of_the_protocol(
    start: Start, change: dict[str, Any], said: str
) -> None:
    _, client = start()
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}], **change}
    with pytest.raises(BadRequestError, match=said) as caught:
        client.post("/chat/completions", body=body, cast_to=object)
    assert isinstance(caught.value.body, dict)
    assert caught.value.body.keys() == {"message", "type", "param", "code"}
    assert caught.value.body["type"] == "invalid_request_error"


def test_a_body_that_is_no_json_is_refused(start: Start) -> None:
    running, _ = start()
    answer = httpx2.post(f"{running.base_url}/chat/completions", content=b"{")
    assert answer.status_code == 400
    assert "no JSON" in answer.json()["error"]["message"]


def test_an_unknown_path_is_an_error_in_the_shape_of_the_protocol(start: Start) -> None:
    running, client = start()
    with pytest.raises(NotFoundError):
        client.post("/responses", body={}, cast_to=object)
    answer = httpx2.get(f"{running.base_url}/chat/completions")
    assert answer.status_code == 405
    assert answer.json()["error"].keys() == {"message", "type", "param", "code"}


def test_64_requests_of_50_ms_are_in_flight_together(start: Start) -> None:
    running, _ = start(latency_ms=50, jitter=0.2)

    async def asked_at_once() -> int:
        async with AsyncOpenAI(base_url=running.base_url, api_key="none") as client:
            answers = await asyncio.gather(
                *(
                    client.chat.completions.create(
                        model="m", messages=[{"role": "user", "content": f"{block()}{n}"}]
                    )
                    for n in range(64)
                )
            )
        return len({answer.choices[0].message.content for answer in answers})

    assert asyncio.run(asked_at_once()) == 64
    assert running.simulator.most_in_flight >= 32
    assert running.simulator.in_flight == 0


def test_the_port_is_free_again_afterwards_and_nothing_is_left_open() -> None:
    threads = threading.active_count()
    with running_simulator(SimulatorSettings()) as running:
        with OpenAI(base_url=running.base_url, api_key="none") as client:
            ask(client)
        port = int(running.base_url.split(":")[2].removesuffix("/v1"))
    gc.collect()
    assert threading.active_count() == threads
    with running_simulator(SimulatorSettings(), port=port) as again:
        assert again.base_url == running.base_url


def test_a_taken_port_is_an_error_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(OSError, match="in use"),
            running_simulator(SimulatorSettings(), port=port),
        ):
            pass
        with pytest.raises(OSError, match="in use"):
            serve(SimulatorSettings(), host="127.0.0.1", port=port, on_ready=lambda _: None)


def test_settings_that_no_clock_can_follow_are_refused() -> None:
    with pytest.raises(ValueError, match="latency_ms"):
        SimulatorSettings(latency_ms=-1)
    with pytest.raises(ValueError, match="jitter"):
        SimulatorSettings(jitter=1.5)
