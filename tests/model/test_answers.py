"""Answers with status 200 of every kind: a right result, or one clear sentence."""

import gzip
import json
from typing import Any

import pytest

from orch_dagster.core.spending import Usage
from orch_dagster.model import ConfigurationError, ModelError
from resources.model.verdicts import TRIES, TRIES_OF_STRANGE
from tests.model.asks import FITTING, SCHEMA, TRACE, answer, ask
from tests.model.conftest import Raw
from tests.model.raw_server import Deed, Said, completion, in_turn, reply


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Snow fell.", "Snow fell."),
        ("  Snow fell.\n", "Snow fell."),
        ("<think>Hm.</think>\n\nSnow fell.", "Snow fell."),
        ([{"type": "text", "text": "Snow "}, {"type": "text", "text": "fell."}], "Snow fell."),
        (
            [
                {"type": "thinking", "thinking": [{"text": "Hm."}]},
                {"type": "text", "text": "Snow."},
            ],
            "Snow.",
        ),
    ],
)
def test_the_text_is_the_answer_without_thinking(raw: Raw, content: Any, text: str) -> None:
    client, _ = raw(in_turn(reply(completion(content, message={"reasoning_content": "Hm."}))))
    assert answer(client).text == text


@pytest.mark.parametrize("reason", ["stop", "eos", "stop_sequence", "end_turn", "tool_calls", None])
def test_any_finish_reason_is_a_good_end_but_those_that_are_not(raw: Raw, reason: Any) -> None:
    client, server = raw(in_turn(reply(completion(finish_reason=reason))))
    assert answer(client).text == "Words."
    assert len(server.heard) == 1


def test_a_bare_answer_of_a_gateway_will_do(raw: Raw) -> None:
    client, _ = raw(in_turn(reply({"choices": [{"message": {"content": "Words."}}]})))
    said = answer(client)
    assert (said.text, said.model, said.usage, said.cost_usd) == (
        "Words.",
        "a-model",
        Usage(),
        None,
    )


def test_more_fields_than_the_protocol_has_are_passed_over(raw: Raw) -> None:
    body = completion(
        message={"mood": "fine"}, timings={"ms": 1}, error=None, created=None, id=None
    )
    client, _ = raw(in_turn(reply(body)))
    assert answer(client).text == "Words."


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        (None, (None, None, None, None)),
        ([], (None, None, None, None)),
        ("many", (None, None, None, None)),
        ({"prompt_tokens": 7, "completion_tokens": None}, (7, None, None, None)),
        ({"prompt_tokens": "7", "completion_tokens": 3.0}, (7, None, 3, None)),
        ({"prompt_tokens": True, "completion_tokens": -3}, (None, None, None, None)),
        ({"prompt_tokens": 1e400, "completion_tokens": "three"}, (None, None, None, None)),
        ({"input_tokens": 7, "output_tokens": 3}, (7, None, 3, None)),
        (
            {"prompt_tokens": 7, "completion_tokens": 3, "prompt_cache_hit_tokens": 2},
            (7, 2, 3, None),
        ),
        (
            {
                "prompt_tokens": 7,
                "prompt_tokens_details": {"cached_tokens": 4, "audio_tokens": None},
                "completion_tokens": 9,
                "completion_tokens_details": {"reasoning_tokens": 6},
            },
            (7, 4, 9, 6),
        ),
        (
            {"prompt_tokens": 7, "prompt_tokens_details": None, "completion_tokens_details": 5},
            (7, None, None, None),
        ),
        (
            {
                "prompt_tokens": 7,
                "completion_tokens": 3,
                "total_tokens": 16,
                "completion_tokens_details": {"reasoning_tokens": 6},
            },
            (7, None, 9, 6),
        ),
    ],
)
def test_usage_is_read_as_far_as_it_is_told(raw: Raw, usage: Any, read: tuple[Any, ...]) -> None:
    client, _ = raw(in_turn(reply(completion(usage=usage))))
    assert tuple(answer(client).usage.model_dump().values()) == read


def test_a_structured_answer_may_come_as_a_tool_call_or_an_object(raw: Raw) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "x", "arguments": FITTING}}
    called = completion(None, message={"tool_calls": [call]}, finish_reason="tool_calls")
    client, server = raw(in_turn(reply(called), reply(completion(json.loads(FITTING)))))
    assert answer(client, ask(schema=SCHEMA)).text == FITTING
    assert answer(client, ask(schema=SCHEMA)).text == FITTING
    assert len(server.heard) == 2


def test_a_tool_call_is_no_text(raw: Raw) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    client, _ = raw(in_turn(reply(completion(None, message={"tool_calls": [call]}))))
    with pytest.raises(ModelError, match="is empty but for a tool call"):
        answer(client)


def events(*events: Any, end: str = "data: [DONE]\n\n") -> bytes:
    text = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + end
    return reply(text.encode(), headers={"content-type": "text/event-stream"})


def piece(delta: Any, reason: str | None = None) -> Any:
    return {"model": "a-model", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def test_events_that_nobody_asked_for_are_put_together(raw: Raw) -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
    client, _ = raw(
        in_turn(
            events(
                piece({"role": "assistant", "content": ""}),
                piece({"content": "Snow \u2028"}),
                piece({"content": "fell."}, "stop"),
                usage,
            )
        )
    )
    said = answer(client)
    assert said.text == "Snow \u2028fell."
    assert said.usage.total == 10


def test_events_that_break_off_are_half_an_answer(raw: Raw) -> None:
    client, server = raw(in_turn(events(piece({"content": "Snow"}), end=""), events(piece({"content": "Snow."}, "stop"))))  # fmt: skip
    assert answer(client).text == "Snow."
    assert len(server.heard) == 2


@pytest.mark.parametrize(
    "strange",
    [
        reply(b""),
        reply(b"", status=204, headers={"content-length": ""}),
        reply(b'{"choices": [{"mess'),
        reply(b'{"choices": [{"message": {"content": "\xff\xfe"}}]}'),
        reply({"choices": []}),
        reply({"choices": None}),
        reply({"choices": [None]}),
        reply({"choices": [{"text": "legacy"}]}),
    ],
)
def test_an_answer_that_is_none_is_asked_for_again_a_few_times(raw: Raw, strange: bytes) -> None:
    client, server = raw(in_turn(strange, reply(completion())))
    assert answer(client).text == "Words."
    assert len(server.heard) == 2
    client, server = raw(in_turn(strange))
    with pytest.raises(ModelError, match=rf"^{TRACE}: given up after {TRIES_OF_STRANGE} tries"):
        answer(client)
    assert len(server.heard) == TRIES_OF_STRANGE


def test_an_answer_in_the_charset_that_it_names_will_do(raw: Raw) -> None:
    body = json.dumps(completion("Müsli"), ensure_ascii=False).encode("latin-1")
    headers = {"content-type": "application/json; charset=ISO-8859-1"}
    client, _ = raw(in_turn(reply(body, headers=headers)))
    assert answer(client).text == "Müsli"


def test_utf8_is_utf8_whatever_a_proxy_says(raw: Raw) -> None:
    body = b"\xef\xbb\xbf" + json.dumps(completion("Müsli"), ensure_ascii=False).encode()
    headers = {"content-type": "application/json; charset=ISO-8859-1"}
    client, _ = raw(in_turn(reply(body, headers=headers)))
    assert answer(client).text == "Müsli"


def test_gzip_is_unpacked_and_broken_gzip_is_half_an_answer(raw: Raw) -> None:
    whole = gzip.compress(json.dumps(completion()).encode())
    headers = {"content-encoding": "gzip"}
    client, server = raw(in_turn(reply(b"\x00" + whole, headers=headers), reply(whole, headers=headers)))  # fmt: skip
    assert answer(client).text == "Words."
    assert len(server.heard) == 2


CHUNKED = b"HTTP/1.1 200 X\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "broken",
    [
        (Deed.CLOSE,),
        (Deed.RESET,),
        (b"HTTP/1.1 200 X\r\ncontent-", Deed.CLOSE),
        (reply(completion())[:-20], Deed.CLOSE),
        (reply(completion())[:-20], Deed.RESET),
        (CHUNKED + b'10\r\n{"choices": [{"me\r\n', Deed.CLOSE),
        (CHUNKED + b"zz\r\nwhat?", Deed.CLOSE),
        (b"SSH-2.0-OpenSSH_9.6\r\n", Deed.CLOSE),
        (b"HTTP/1.1 200 X\r\ncontent-length: many\r\n\r\n{}", Deed.CLOSE),
        (b'HTTP/1.1 200 X\r\nconnection: close\r\n\r\n{"choices": [', Deed.CLOSE),
    ],
)
def test_half_an_answer_is_asked_for_again(raw: Raw, broken: tuple[Said, ...]) -> None:
    client, server = raw(in_turn(broken, broken, reply(completion())))
    said = answer(client)
    assert (said.text, said.tries) == ("Words.", 3)
    assert said.waited_ms > 0
    assert len({heard.connection for heard in server.heard}) == 3


def test_a_server_that_always_breaks_off_is_given_up_in_words(raw: Raw) -> None:
    client, server = raw(in_turn((Deed.RESET,)))
    with pytest.raises(ModelError, match=rf"given up after {TRIES} tries: OPENAI_BASE_URL: http"):
        answer(client)
    assert len(server.heard) == TRIES


@pytest.mark.parametrize(
    "page",
    [
        reply(b"<!doctype html><title>Welcome</title>", headers={"content-type": "text/html"}),
        reply(b"<html>", headers={"content-type": ""}),
        reply(b"Ollama is running", headers={"content-type": "text/plain"}),
        reply({"status": "ok"}),
        reply(["chat"]),
        reply("Hello"),
    ],
)
def test_a_page_or_another_protocol_names_the_address(raw: Raw, page: bytes) -> None:
    client, server = raw(in_turn(page))
    with pytest.raises(ConfigurationError, match=r"^OPENAI_BASE_URL: .* '/v1' at its end"):
        answer(client)
    assert len(server.heard) == 1


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_names_where_it_leads(raw: Raw, status: int) -> None:
    location = "https://u:secret@models.example/v1/chat/completions?key=secret"
    client, server = raw(in_turn(reply(b"", status=status, headers={"location": location})))
    with pytest.raises(ConfigurationError, match=r"sends on to 'https://models\.example/v1'"):
        answer(client)
    assert len(server.heard) == 1


def test_an_error_in_an_answer_with_status_200_counts_as_the_error_that_it_is(raw: Raw) -> None:
    upstream = {"error": {"code": 502, "message": "Provider returned error"}}
    inside = completion(finish_reason="error")
    inside["choices"][0]["error"] = {"code": 503, "message": "Overloaded"}
    unknown = {"error": {"code": 404, "message": "The model `x` does not exist"}}
    client, server = raw(in_turn(reply(upstream), reply(inside), reply(completion())))
    assert answer(client).tries == 3
    client, server = raw(in_turn(reply(unknown)))
    with pytest.raises(ConfigurationError, match=r"^ORCH_MODEL_FAST: .* has no model 'a-model'"):
        answer(client)
    assert len(server.heard) == 1
