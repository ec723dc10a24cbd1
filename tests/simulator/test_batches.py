"""The Batch API of the simulator, asked by the real client."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from openai import BadRequestError, NotFoundError, OpenAI
from openai.types import Batch

from resources.simulator.batch_input import read_input
from resources.simulator.log import read_log
from tests.simulator.asking import ask
from tests.simulator.briefs import block
from tests.simulator.conftest import Start

ENDPOINT = "/v1/chat/completions"
OVER = ("completed", "failed", "expired", "cancelled")


def row(custom_id: str, prompt: str = "Write the lede.", **changes: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": block() + prompt}]
    body = {"model": "simulator-fast", "messages": messages, **changes.pop("body", {})}
    return {"custom_id": custom_id, "method": "POST", "url": ENDPOINT, "body": body, **changes}


def jsonl(*rows: Any) -> bytes:
    return "".join(f"{json.dumps(one)}\n" for one in rows).encode()


def send(client: OpenAI, data: bytes, **metadata: str) -> Batch:
    file = client.files.create(file=("rows.jsonl", data), purpose="batch")
    return client.batches.create(
        input_file_id=file.id, endpoint=ENDPOINT, completion_window="24h", metadata=metadata
    )


def ended(client: OpenAI, batch: Batch) -> Batch:
    while batch.status not in OVER:
        time.sleep(0.01)
        batch = client.batches.retrieve(batch.id)
    return batch


def rows_of(client: OpenAI, file: str | None) -> dict[str, Any]:
    """The lines of an output or error file by their custom id."""
    if file is None:
        return {}
    lines = client.files.content(file).text.splitlines()
    return {found["custom_id"]: found for found in map(json.loads, lines)}


def test_a_file_is_kept_as_it_came(start: Start) -> None:
    _, client = start()
    data = jsonl(row("a#1", "Пиши."))
    file = client.files.create(file=("rows.jsonl", data), purpose="batch")
    assert (file.object, file.bytes, file.filename, file.purpose) == (
        "file", len(data), "rows.jsonl", "batch",
    )  # fmt: skip
    assert client.files.retrieve(file.id) == file
    assert client.files.content(file.id).content == data


def test_a_batch_answers_as_the_endpoint_does(start: Start) -> None:
    _, client = start()
    batch = send(client, jsonl(row("a#1"), row("b#1", "Write 30 words.")), key="k")
    assert (batch.object, batch.endpoint, batch.completion_window) == ("batch", ENDPOINT, "24h")
    assert batch.expires_at == batch.created_at + 24 * 3600
    assert batch.metadata == {"key": "k"}
    batch = ended(client, batch)
    assert batch.status == "completed"
    assert batch.error_file_id is None
    assert batch.model == "simulator-fast"
    counts = batch.request_counts
    assert counts is not None
    assert (counts.total, counts.completed, counts.failed) == (2, 2, 0)
    times = [batch.created_at, batch.in_progress_at, batch.finalizing_at, batch.completed_at]
    assert times == sorted(filter(None, times))
    found = rows_of(client, batch.output_file_id)
    assert found.keys() == {"a#1", "b#1"}
    for line in found.values():
        assert line["error"] is None
        assert line["response"]["status_code"] == 200
    live = ask(client, trace="a#1").choices[0].message.content
    assert found["a#1"]["response"]["body"]["choices"][0]["message"]["content"] == live


def test_a_batch_takes_its_time(start: Start) -> None:
    _, client = start({"match": "b#1", "delay_ms": 0}, latency_ms=300)
    begun = time.monotonic()
    batch = send(client, jsonl(row("a#1"), row("b#1")))
    assert batch.status in ("validating", "in_progress")
    while (batch := client.batches.retrieve(batch.id)).status != "in_progress":
        pass
    assert batch.output_file_id is None
    assert ended(client, batch).status == "completed"
    assert time.monotonic() - begun > 0.25


def test_rows_that_fail_stand_in_the_error_file(start: Start) -> None:
    _, client = start(
        {"match": "bad#1", "status": 429},
        {"match": "slow#1", "reset": "before"},
        {"match": "gone#1", "batch": "missing"},
        {"match": "no#1", "refusal": "No."},
    )
    names = ("bad#1", "slow#1", "gone#1", "no#1", "malformed#1")
    rows = [row(name) for name in names[:-1]] + [row(names[-1], body={"messages": []})]
    batch = ended(client, send(client, jsonl(*rows)))
    assert batch.status == "completed"
    counts = batch.request_counts
    assert counts is not None
    assert (counts.total, counts.completed, counts.failed) == (5, 1, 3)
    assert rows_of(client, batch.output_file_id).keys() == {"no#1"}
    errors = rows_of(client, batch.error_file_id)
    assert errors["bad#1"]["response"]["status_code"] == 429
    assert errors["bad#1"]["response"]["body"]["error"]["code"] == "rate_limit_exceeded"
    assert errors["malformed#1"]["response"]["status_code"] == 400
    assert errors["slow#1"]["response"] is None
    assert errors["slow#1"]["error"]["code"] == "request_timeout"
    assert "gone#1" not in errors


@pytest.mark.parametrize("fate", ["expired", "cancelled"])
def test_a_batch_may_end_before_all_rows_are_answered(start: Start, fate: str) -> None:
    _, client = start({"match": "late#1", "batch": fate})
    batch = ended(client, send(client, jsonl(row("early#1"), row("late#1"))))
    assert batch.status == fate
    assert rows_of(client, batch.output_file_id).keys() == {"early#1"}
    assert rows_of(client, batch.error_file_id)["late#1"]["error"]["code"] == f"batch_{fate}"


def test_a_batch_can_be_cancelled(start: Start) -> None:
    _, client = start({"match": "slow#1", "hang": True})
    batch = send(client, jsonl(row("quick#1"), row("slow#1")))
    while not (counts := client.batches.retrieve(batch.id).request_counts) or not counts.completed:
        time.sleep(0.01)
    assert client.batches.cancel(batch.id).status == "cancelling"
    batch = ended(client, batch)
    assert batch.status == "cancelled"
    assert rows_of(client, batch.output_file_id).keys() == {"quick#1"}
    assert rows_of(client, batch.error_file_id)["slow#1"]["error"]["code"] == "batch_cancelled"
    with pytest.raises(BadRequestError):
        client.batches.cancel(batch.id)


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"", "empty_file", None),
        (jsonl(row("a")) + b"{\n", "invalid_json_line", 2),
        (jsonl({"custom_id": "a"}), "invalid_request", 1),
        (jsonl(row("a"), row("a")), "duplicate_custom_id", 2),
        (jsonl(row("a", url="/v1/embeddings")), "mismatched_url", 1),
        (jsonl(row("a"), row("b", body={"model": "other"})), "model_mismatch", 2),
    ],
)
def test_a_file_that_is_no_batch_fails(
    start: Start, data: bytes, code: str, line: int | None
) -> None:
    running, client = start()
    batch = ended(client, send(client, data))
    assert batch.status == "failed"
    [error] = (batch.errors and batch.errors.data) or []
    assert (error.code, error.line) == (code, line)
    assert error.message
    assert running.simulator.requests == 0


def test_more_rows_than_a_batch_may_have_are_refused() -> None:
    line = jsonl(row("a"))
    assert [fault.code for fault in read_input(line * 50_001)[1]] == ["too_many_tasks"]


def test_a_script_can_fail_a_batch_once(start: Start) -> None:
    _, client = start({"match": "a#1", "batch": "failed", "times": 1})
    batch = ended(client, send(client, jsonl(row("a#1"))))
    assert batch.errors is not None
    assert [error.code for error in batch.errors.data or ()] == ["token_limit_exceeded"]
    assert ended(client, send(client, jsonl(row("a#1")))).status == "completed"


def test_a_rule_for_batches_lets_requests_pass(start: Start) -> None:
    _, client = start({"batch": "missing", "times": 1})
    assert ask(client).choices[0].message.content
    batch = ended(client, send(client, jsonl(row("a#1"))))
    assert batch.output_file_id is None


def test_batches_are_listed_by_pages_the_newest_first(start: Start) -> None:
    _, client = start()
    made = [ended(client, send(client, jsonl(row("a#1")), n=str(n))).id for n in range(5)]
    assert [batch.id for batch in client.batches.list(limit=2)] == made[::-1]
    page = client.batches.list(limit=2)
    assert (page.has_more, len(page.data)) == (True, 2)


def test_what_is_not_there_is_said(start: Start) -> None:
    _, client = start()
    for call in (client.batches.retrieve, client.batches.cancel, client.files.content):
        with pytest.raises(NotFoundError):
            call("nothing")
    with pytest.raises(NotFoundError):
        client.batches.create(input_file_id="nothing", endpoint=ENDPOINT, completion_window="24h")
    with pytest.raises(BadRequestError, match="jsonl"):
        client.files.create(file=("rows.txt", b"{}"), purpose="batch")
    with pytest.raises(BadRequestError, match="assistants"):
        client.files.create(file=("rows.jsonl", b"{}"), purpose="assistants")


def test_the_log_tells_each_row_and_its_batch(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    running, client = start({"match": "gone#1", "batch": "missing"}, log=log)
    batch = ended(client, send(client, jsonl(row("a#1"), row("gone#1"))))
    ask(client, trace="live#1")
    records = [(found["event"], found["trace"], found["batch"]) for found in read_log(log)]
    assert records == [
        ("asked", "a#1", batch.id),
        ("asked", "gone#1", batch.id),
        ("answered", "a#1", batch.id),
        ("lost", "gone#1", batch.id),
        ("asked", "live#1", None),
        ("answered", "live#1", None),
    ]
    assert read_log(log)[0]["body"]["model"] == "simulator-fast"
    assert running.simulator.requests == 3
