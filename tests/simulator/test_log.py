"""The log tells what was answered from what was only asked."""

import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from openai import APIConnectionError, APITimeoutError, InternalServerError

from resources.simulator.log import read_log
from resources.simulator.server import running_simulator
from resources.simulator.settings import SimulatorSettings
from tests.simulator.asking import ask
from tests.simulator.briefs import block
from tests.simulator.conftest import Start


def _events(path: Path) -> list[tuple[str, str]]:
    return [(record["event"], record["trace"]) for record in read_log(path)]


def test_a_request_is_logged_when_it_comes_and_when_it_is_answered(
    start: Start, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    _, client = start(log=log)
    completion = ask(client, "Write 40 words.", trace="content/a/article/01_brief#1")
    asked, answered = read_log(log)
    assert asked["event"] == "asked"
    assert asked["body"]["messages"][0]["content"] == block() + "Write 40 words."
    assert asked["in_flight"] == 1
    assert answered["event"] == "answered"
    assert answered["status"] == 200
    assert answered["finish_reason"] == "stop"
    assert completion.usage is not None
    assert answered["usage"]["prompt_tokens"] == completion.usage.prompt_tokens
    for record in (asked, answered):
        assert record["trace"] == "content/a/article/01_brief#1"
        assert record["model"] == "simulator-fast"
        assert record["request"] == 1
    assert asked["server"] == answered["server"]
    assert asked["time"] <= answered["time"]


@pytest.mark.parametrize(
    "rule", [{"reset": "before"}, {"reset": "middle"}, {"hang": True}, {"delay_ms": 400}]
)
def test_a_request_that_got_no_whole_answer_is_lost(
    tmp_path: Path, rule: dict[str, Any], start: Start
) -> None:
    log = tmp_path / "log.jsonl"
    running, client = start({**rule, "match": "*#1"}, log=log)
    with pytest.raises(APIConnectionError):
        ask(client, trace="a#1", timeout=0.1)
    while running.simulator.in_flight:
        time.sleep(0.01)
    ask(client, trace="a#2")
    ends = [pair for pair in _events(log) if pair[0] != "asked"]
    assert ends == [("lost", "a#1"), ("answered", "a#2")]


def test_errors_are_answers_too(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    running, client = start({"status": 500}, log=log)
    with pytest.raises(InternalServerError):
        ask(client, trace="a#1")
    httpx2.post(f"{running.base_url}/chat/completions", content="no \u00fe JSON")
    records = read_log(log)
    assert [record.get("status") for record in records] == [None, 500, None, 400]
    assert [record.get("scripted") for record in records] == [None, True, None, False]
    assert records[2]["body"] == "no \u00fe JSON"


def test_a_log_is_appended_to_by_the_next_server(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"event": "asked", "trace": "old"}\n', encoding="utf-8")
    for _ in range(2):
        with running_simulator(SimulatorSettings(log=log)) as running:
            httpx2.post(f"{running.base_url}/chat/completions", content=b"{}")
    assert len(_events(log)) == 5


def test_a_line_cut_off_by_a_crash_is_left_out(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"event": "asked", "trace": "a"}\n{"event": "answ', encoding="utf-8")
    assert _events(log) == [("asked", "a")]


def test_leaving_while_a_client_waits_ends_the_server(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with running_simulator(SimulatorSettings(latency_ms=60_000, log=log)) as running:
        body = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
        with pytest.raises(httpx2.ReadTimeout):
            httpx2.post(f"{running.base_url}/chat/completions", json=body, timeout=0.1)
    assert [record["event"] for record in read_log(log)] == ["asked", "lost"]


def test_a_log_that_cannot_be_written_is_an_error_at_once(tmp_path: Path) -> None:
    with (
        pytest.raises(FileNotFoundError),
        running_simulator(SimulatorSettings(log=tmp_path / "no" / "log.jsonl")),
    ):
        pass


def test_a_waiting_request_times_out_at_the_client(start: Start) -> None:
    _, client = start(latency_ms=60_000)
    with pytest.raises(APITimeoutError):
        ask(client, timeout=0.05)
