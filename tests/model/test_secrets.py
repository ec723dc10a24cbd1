"""The key is nowhere but in the request's header: not in an error, a log, a repr or a reply."""

import json
import logging
import traceback
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote

import pytest

from orch_dagster.model import ModelError
from orch_dagster.settings import SettingError, Settings
from resources.model.client import Limits, ModelClient
from resources.model.endpoint import open_endpoint
from resources.model.probe import glance_at_model, probe_model
from tests.model.asks import answer, ask
from tests.model.conftest import KEY, Raw
from tests.model.raw_server import Deed, Heard, RawServer, Said, completion, reply, running_server

PASSWORD = "l@velace-1843"
LOGIN = "ada:l%40velace-1843"
BASIC = "YWRhOmxAdmVsYWNlLTE4NDM="
SECRETS = (KEY, PASSWORD, "l%40velace-1843", BASIC)
LIMITS = Limits(in_flight=4, call_timeout_s=1, first_pause_s=0.01)


def echo(heard: Heard) -> str:
    """What a server that quotes the request says."""
    given = heard.headers["authorization"]
    return f"I got {given!r}, that is {PASSWORD if BASIC in given else KEY}"


def failing(status: int) -> Any:
    return lambda heard: reply({"error": {"message": echo(heard), "code": KEY}}, status=status)


def page(heard: Heard) -> bytes:
    body = f"<html><title>{echo(heard)}</title></html>".encode()
    return reply(body, headers={"content-type": "text/html"})


def half(heard: Heard) -> tuple[Said, ...]:
    return (reply({"said": echo(heard)})[:-3], Deed.CLOSE)


def moved(heard: Heard) -> bytes:
    location = f"http://ada:{KEY}@127.0.0.1/v1?key={KEY}"
    return reply(b"", status=307, headers={"location": location})


def error_with_200(heard: Heard) -> bytes:
    return reply({"error": {"message": echo(heard), "code": 401}})


def refusal(heard: Heard) -> bytes:
    return reply(completion(None, message={"refusal": echo(heard)}))


def tunnel(heard: Heard) -> tuple[Said, ...]:
    return (f"HTTP/1.1 nonsense {echo(heard)}\r\n\r\n".encode(), Deed.CLOSE)


WAYS = {
    **{str(status): failing(status) for status in (400, 401, 402, 403, 404, 413, 418, 429, 500)},
    "page": page,
    "half": half,
    "moved": moved,
    "200": error_with_200,
    "refusal": refusal,
    "nonsense": tunnel,
    "reset": lambda _: (Deed.RESET,),
    "silent": lambda _: (Deed.HANG,),
}


@pytest.fixture
def everything_logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """All loggers at DEBUG."""
    with caplog.at_level(logging.DEBUG):
        for name in ("openai", "httpx2", "httpcore2", "httpx", "httpcore", "asyncio"):
            caplog.set_level(logging.DEBUG, logger=name)
        yield caplog


def told(error: BaseException) -> str:
    """All that an exception carries: words, causes, attributes, and the frames' own words."""
    seen, parts = error, [*traceback.format_exception(error)]
    while seen is not None:
        parts += [repr(seen), repr(seen.args), repr(vars(seen))]
        seen = seen.__cause__ or seen.__context__
    return "\n".join(parts)


def assert_clean(text: str) -> None:
    assert [secret for secret in SECRETS if secret in text] == []


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("login", ["", f"{LOGIN}@"])
def test_no_error_and_no_log_holds_a_secret(
    monkeypatch: pytest.MonkeyPatch,
    everything_logged: pytest.LogCaptureFixture,
    way: str,
    login: str,
) -> None:
    with running_server(WAYS[way]) as server:
        address = server.base_url.replace("http://", f"http://{login}") + "?token=" + KEY[3:]
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        with closing(ModelClient(LIMITS)) as client:
            with pytest.raises(ModelError) as caught:
                answer(client)
            assert_clean(repr(client) + repr(client.settings("fast")) + repr(vars(client)))
    assert any(secret in heard_all(server) for secret in SECRETS)  # it was sent
    assert_clean(told(caught.value))
    assert caught.value.__cause__ is None and caught.value.__context__ is None
    assert len(everything_logged.records) > 2
    everything_logged.handler.setFormatter(logging.Formatter("%(name)s %(message)s %(args)s"))
    for record in everything_logged.records:
        assert_clean(everything_logged.handler.format(record) + str(record.exc_text))


def heard_all(server: RawServer) -> str:
    return " ".join(str(heard.headers) + heard.path for heard in server.heard)


@pytest.mark.parametrize("probe", [probe_model, glance_at_model])
def test_the_probe_tells_none_either(
    monkeypatch: pytest.MonkeyPatch, everything_logged: pytest.LogCaptureFixture, probe: Any
) -> None:
    with running_server(failing(401)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url.replace("//", f"//{LOGIN}@"))
        with pytest.raises(SettingError) as caught:
            probe(Settings.from_environment({}))
    assert_clean(told(caught.value) + everything_logged.text)


def test_an_address_that_is_none_is_not_quoted() -> None:
    env = {"OPENAI_API_KEY": f"{KEY} {KEY}", "ORCH_MODEL": "m"}
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        with pytest.raises(SettingError) as caught, open_endpoint(env):
            pass
        assert str(caught.value).startswith(name)
        assert_clean(told(caught.value))
        env |= {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"http://{LOGIN}@models example/v1"}


def test_an_endpoint_shows_its_address_alone() -> None:
    env = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"https://{LOGIN}@h/v1?key={KEY}", "ORCH_MODEL": "m"}  # fmt: skip
    with open_endpoint(env) as endpoint:
        assert_clean(repr(endpoint))
        assert endpoint.base_url == "https://h/v1"


def test_a_reply_holds_no_key(raw: Raw) -> None:
    client, _ = raw(lambda _: reply(completion()))
    assert_clean(repr(answer(client, ask())))


MIXED = "sk-Proj-Zq9xWv8uTs7rQp6oNm5l/Kj4i+Hg3f=="
"""A key as they are: long, in capitals and small letters, with what servers escape."""


@pytest.mark.parametrize("before", range(230, 310, 7))
def test_a_key_is_not_shown_in_part_where_a_long_error_is_cut(raw: Raw, before: int) -> None:
    echo = {"error": {"message": "x" * before + MIXED + " is no good key"}}
    client, _ = raw(lambda _: reply(echo, status=400), OPENAI_API_KEY=MIXED)
    with pytest.raises(ModelError) as caught:
        answer(client)
    assert "sk-P" not in told(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"code": MIXED, "status": "bad"}},
        {"errors": [MIXED.upper(), {"param": MIXED}]},
        json.dumps({"error": {"message": MIXED}}).replace("/", "\\/").encode(),
        json.dumps({"error": {"message": MIXED}}).replace("+", "\\u002B").encode(),
        f"<title>{quote(MIXED, safe='')}</title>".encode(),
        f"<p>{MIXED.replace('+', '&#43;')}</p>".encode(),
    ],
)
def test_a_key_is_hidden_in_whatever_form_it_is_quoted(raw: Raw, body: Any) -> None:
    client, _ = raw(lambda _: reply(body, status=400), OPENAI_API_KEY=MIXED)
    with pytest.raises(ModelError) as caught:
        answer(client)
    said = told(caught.value)
    assert "***" in said
    assert "proj-zq9x" not in said.lower()


def test_an_answer_that_quotes_the_key_is_kept_without_it(raw: Raw) -> None:
    said = f"Your key is {MIXED}, and the rest is a text."
    client, _ = raw(lambda _: reply(completion(said)), OPENAI_API_KEY=MIXED)
    assert answer(client).text == "Your key is ***, and the rest is a text."


def test_a_short_key_does_not_change_a_text_that_has_the_word(raw: Raw) -> None:
    client, _ = raw(lambda _: reply(completion("An ollama is a llama.")), OPENAI_API_KEY="ollama")
    assert answer(client).text == "An ollama is a llama."
