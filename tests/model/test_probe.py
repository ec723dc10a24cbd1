"""`orch check` finds every wrong setting, and a run finds it cheaply before any article starts."""

import re
from dataclasses import replace
from typing import Any

import pytest

from orch_dagster.core.budget import Budget
from orch_dagster.settings import SettingError, Settings
from resources.model.probe import glance_at_model, probe_model
from tests.model.conftest import KEY, Simulated
from tests.model.raw_server import (
    Deed,
    Heard,
    RawServer,
    completion,
    in_turn,
    reply,
    running_server,
)

CUT = reply(completion("W", finish_reason="length"))
LIST = reply({"object": "list", "data": [{"id": "thinker"}, {"id": "writer"}]})
NO_KEY = reply({"error": {"message": "No key."}}, status=401)


@pytest.fixture(params=[probe_model, glance_at_model])
def probe(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("ORCH_MODEL_REASONING", "thinker")
    monkeypatch.setenv("ORCH_MODEL_FAST", "writer")
    return Settings.from_environment({"ORCH_CALL_TIMEOUT": "1"})


def asked(
    monkeypatch: pytest.MonkeyPatch, server: RawServer, probe: Any, settings: Settings
) -> str:
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    return probe(settings)


def openai(heard: Heard) -> bytes:
    """A server that lists models for those who have the key."""
    if KEY not in heard.headers.get("authorization", ""):
        return NO_KEY
    return LIST if heard.path == "/v1/models" else CUT


def test_a_list_that_needs_the_key_is_all_that_a_glance_needs(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    with running_server(openai) as server:
        said = asked(monkeypatch, server, glance_at_model, settings)
        assert said == f"{server.base_url} answers (reasoning 'thinker', fast 'writer')"
        assert server.chats == []


def test_a_check_asks_each_model_for_one_token(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    with running_server(openai) as server:
        asked(monkeypatch, server, probe_model, settings)
        assert {heard.body["model"] for heard in server.heard} == {"thinker", "writer"}
        assert {heard.body["max_completion_tokens"] for heard in server.heard} == {1}


def test_a_list_for_anyone_proves_no_key(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    def open_list(heard: Heard) -> bytes:
        return LIST if heard.method == "GET" else NO_KEY

    with running_server(open_list) as server, pytest.raises(SettingError, match=r"^OPENAI_API_KEY"):
        asked(monkeypatch, server, glance_at_model, settings)


def test_a_model_that_is_not_listed_is_asked(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setenv("ORCH_MODEL_FAST", "alias")
    with running_server(openai) as server:
        asked(monkeypatch, server, glance_at_model, settings)
        assert [heard.body["model"] for heard in server.chats] == ["alias"]


def unknown(heard: Heard) -> bytes:
    if heard.method == "GET":
        return reply(b"", status=404)
    return reply({"error": {"message": f"model {heard.body['model']!r} not found"}}, status=404)


@pytest.mark.parametrize(
    ("server_says", "lines"),
    [
        (lambda _: NO_KEY, [r"OPENAI_API_KEY: http.* refused the key"]),
        (lambda _: reply(b"", status=403), [r"OPENAI_API_KEY: http.* refused the key"]),
        (unknown, [r"ORCH_MODEL_REASONING: .*'thinker'", r"ORCH_MODEL_FAST: .*'writer'"]),
        (lambda _: reply({"detail": "Not Found"}, status=404), [r"OPENAI_BASE_URL: .*'/v1'"]),
        (lambda _: reply(b"<html>Hello</html>"), [r"OPENAI_BASE_URL: .*'/v1'"]),
        (
            lambda _: reply(b"", status=301, headers={"location": "https://h/v1/chat/completions"}),
            [r"OPENAI_BASE_URL: .* sends on to 'https://h/v1'"],
        ),
        (
            lambda _: reply({"error": {"code": "insufficient_quota"}}, status=429),
            [r"OPENAI_API_KEY: the quota"],
        ),
        (lambda _: (Deed.HANG,), [r"no answer from http.* the limit of 1 s"]),
    ],
)
def test_everything_wrong_is_found_and_named(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, probe: Any, server_says: Any, lines: Any
) -> None:
    with running_server(server_says) as server, pytest.raises(SettingError) as caught:
        asked(monkeypatch, server, probe, settings)
    said = str(caught.value).splitlines()
    assert len(said) == len(lines)
    for line, pattern in zip(said, lines, strict=True):
        assert re.match(pattern, line), line


def test_a_server_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, probe: Any
) -> None:
    with running_server(in_turn(b"")) as server:
        pass
    with pytest.raises(SettingError, match=r"OPENAI_BASE_URL: .*Connection refused"):
        asked(monkeypatch, server, probe, settings)


def test_an_old_server_is_understood(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, probe: Any
) -> None:
    def old(heard: Heard) -> bytes:
        if heard.method == "GET":
            return reply(b"", status=404)
        if "max_completion_tokens" in heard.body:
            return reply({"error": {"message": "max_completion_tokens: unknown"}}, status=400)
        return CUT

    with running_server(old) as server:
        assert asked(monkeypatch, server, probe, settings).startswith(server.base_url)


def test_a_refusal_is_a_sign_of_life(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, probe: Any
) -> None:
    declined = reply(completion(None, message={"refusal": "No."}))
    with running_server(in_turn(declined)) as server:
        asked(monkeypatch, server, probe, settings)


def test_the_simulator_passes(simulated: Simulated, settings: Settings, probe: Any) -> None:
    _, running = simulated()
    assert probe(settings).startswith(running.base_url)


def test_none_configured_is_said(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, probe: Any
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert "simulator stands in" in probe(settings)


def test_a_budget_in_dollars_needs_prices(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, probe: Any
) -> None:
    with running_server(openai) as server:
        dollars = replace(settings, budget=Budget(usd=1))
        with pytest.raises(SettingError) as raised:
            asked(monkeypatch, server, probe, dollars)
        lines = str(raised.value).splitlines()
        assert [line.partition(" at ")[0] for line in lines] == [
            "ORCH_BUDGET_USD: the price of 'thinker'",
            "ORCH_BUDGET_USD: the price of 'writer'",
        ]
        both = replace(settings, budget=Budget(usd=1, tokens=1_000))
        assert "answers" in asked(monkeypatch, server, probe, both)
