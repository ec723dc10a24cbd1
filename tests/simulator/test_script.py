"""Scripted replies: what each rule does to the wire, and which rule is taken."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from openai import APIConnectionError, APITimeoutError, InternalServerError, RateLimitError

from resources.simulator.script import ScriptError, load_script, parse_script
from tests.simulator.asking import ask
from tests.simulator.chats import schema_format
from tests.simulator.conftest import Start

_SCORED = schema_format(
    {
        "type": "object",
        "properties": {
            "voice_consistency": {"type": "number"},
            "flags": {"type": "array", "items": {"enum": ["use_variant_b"]}},
            "posts": {
                "type": "array",
                "items": {"type": "object", "properties": {"text": {"type": "string"}}},
            },
        },
    }
)


def test_status_headers_and_a_default_error(start: Start) -> None:
    _, client = start({"status": 429, "headers": {"Retry-After": 2}, "times": 1})
    with pytest.raises(RateLimitError) as caught:
        ask(client)
    assert caught.value.response.headers["retry-after"] == "2"
    assert caught.value.code == "rate_limit_exceeded"
    assert ask(client).choices[0].finish_reason == "stop"


def test_a_body_may_be_json_or_text(start: Start) -> None:
    running, client = start(
        {"status": 429, "body": {"error": {"code": "insufficient_quota"}}, "times": 1},
        {"body": "<html>Welcome to nginx</html>"},
    )
    with pytest.raises(RateLimitError) as caught:
        ask(client)
    assert caught.value.code == "insufficient_quota"
    page = httpx2.post(
        f"{running.base_url}/chat/completions",
        json={"model": "m", "messages": [{"role": "user", "content": "x"}]},
    )
    assert (page.status_code, page.text) == (200, "<html>Welcome to nginx</html>")
    assert page.headers["content-type"].startswith("text/html")


def test_content_is_verbatim(start: Start) -> None:
    content = 'Sure!\n```json\n{"score": NaN}\n```'
    _, client = start({"content": content})
    assert ask(client, response_format=_SCORED).choices[0].message.content == content


def test_values_of_the_generated_answer_can_be_set(start: Start) -> None:
    changes = {"voice_consistency": 3.1, "flags": ["use_variant_b"], "posts.1.text": "Here."}
    _, client = start({"set": changes})
    answer = json.loads(ask(client, response_format=_SCORED).choices[0].message.content or "")
    assert answer["voice_consistency"] == 3.1
    assert answer["flags"] == ["use_variant_b"]
    assert answer["posts"][1]["text"] == "Here."
    assert answer["posts"][0]["text"] != "Here."


@pytest.mark.parametrize("path", ["posts.7.text", "nowhere.at", "posts.x"])
def test_a_path_that_leads_nowhere_is_a_client_error(start: Start, path: str) -> None:
    running, _ = start({"set": {path: 1}})
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": "x"}],
        "response_format": _SCORED,
    }
    answer = httpx2.post(f"{running.base_url}/chat/completions", json=body)
    assert answer.status_code == 400
    assert repr(path) in answer.json()["error"]["message"]


def test_finish_reason_and_refusal(start: Start) -> None:
    _, client = start(
        {"finish_reason": "content_filter", "times": 1}, {"refusal": "I would rather not."}
    )
    assert ask(client).choices[0].finish_reason == "content_filter"
    message = ask(client).choices[0].message
    assert (message.content, message.refusal) == (None, "I would rather not.")


def test_usage_may_be_missing_in_whole_or_part(start: Start) -> None:
    _, client = start({"usage": None, "times": 1}, {"usage": {"completion_tokens": None}})
    assert ask(client).usage is None
    usage = ask(client).usage
    assert usage is not None
    assert usage.completion_tokens is None
    assert usage.prompt_tokens > 0


@pytest.mark.parametrize("reset", ["before", "middle"])
def test_a_reset_breaks_the_connection(start: Start, reset: str) -> None:
    _, client = start({"reset": reset, "times": 1})
    with pytest.raises(APIConnectionError) as caught:
        ask(client)
    assert not isinstance(caught.value, APITimeoutError)
    assert ask(client).choices[0].message.content


def test_a_reset_before_the_answer_is_a_real_one(start: Start) -> None:
    running, _ = start({"reset": "before"})
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
    with pytest.raises(httpx2.ReadError):
        httpx2.post(f"{running.base_url}/chat/completions", json=body)


def test_a_hanging_request_never_ends_but_others_go_on(start: Start) -> None:
    running, client = start({"match": "*hang*", "hang": True})
    with pytest.raises(APITimeoutError):
        ask(client, trace="content/a/hang/x#1", timeout=0.2)
    assert ask(client).choices[0].message.content
    assert running.simulator.requests == 2


def test_delay_takes_the_place_of_latency(start: Start) -> None:
    _, client = start({"delay_ms": 0}, latency_ms=60_000)
    assert ask(client).choices[0].message.content


def test_match_message_and_model_choose_the_rule(start: Start) -> None:
    _, client = start(
        {"match": "content/*/article/11_*#1", "content": "by trace"},
        {"message": r"pull\s+quote", "content": "by message"},
        {"model": "simulator-r*", "content": "by model"},
        {"match": "content/*", "content": "first of two"},
        {"match": "content/*", "content": "never"},
    )

    def content(prompt: str = "x", **more: Any) -> str | None:
        return ask(client, prompt, **more).choices[0].message.content

    assert content(trace="content/a/article/11_quality#1") == "by trace"
    assert content(trace="content/a/article/11_quality#2") == "first of two"
    assert content("Find a pull  quote") == "by message"
    assert content(model="simulator-reasoning") == "by model"
    assert content() not in ("by trace", "by message", "by model", "first of two")


def test_times_and_after_count_the_matches(start: Start) -> None:
    _, client = start({"after": 1, "times": 2, "content": "scripted"})
    answers = [ask(client).choices[0].message.content for _ in range(5)]
    assert [answer == "scripted" for answer in answers] == [False, True, True, False, False]


def test_counts_are_right_when_many_ask_at_once(start: Start) -> None:
    _, client = start({"status": 503, "times": 20, "after": 5}, latency_ms=5)

    def fails(_: int) -> bool:
        try:
            ask(client)
        except InternalServerError:
            return True
        return False

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(fails, range(64))) == 20


def test_a_script_is_read_from_yaml_or_json(tmp_path: Path) -> None:
    rules = [{"match": "*#1", "set": {"score": 3}}]
    (tmp_path / "a.json").write_text(json.dumps(rules), encoding="utf-8")
    (tmp_path / "a.yaml").write_text("- match: '*#1'\n  set: {score: 3}\n", encoding="utf-8")
    parsed = parse_script(rules, source="list")
    assert load_script(tmp_path / "a.json") == load_script(tmp_path / "a.yaml") == parsed
    assert parsed[0].overrides == {"score": 3}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- {}\n- status: 9", "bad.yaml: rule 2: field 'status': "),
        ("- colour: red", "bad.yaml: rule 1: field 'colour': "),
        ("- message: '('", "bad.yaml: rule 1: field 'message': is no regular expression"),
        ("- reset: later", "bad.yaml: rule 1: field 'reset': "),
        ("- {content: a, set: {b: 1}}", "bad.yaml: rule 1: 'content' leaves no room for 'set'"),
        ("- {hang: true, reset: middle}", "bad.yaml: rule 1: 'hang' leaves no room for 'reset'"),
        ("- just text", "bad.yaml: rule 1: is no mapping"),
        ("match: x", "bad.yaml: is no list of rules"),
        ("- {", "bad.yaml: is no YAML"),
    ],
)
def test_a_bad_script_is_refused_with_file_rule_and_field(
    tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScriptError) as caught:
        load_script(path)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_a_missing_script_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match=r"gone\.yaml: cannot be read"):
        load_script(tmp_path / "gone.yaml")
