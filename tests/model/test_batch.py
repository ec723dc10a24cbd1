"""Batches on the wire: what is sent, and what becomes of each row."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from orch_dagster.model import (
    ConfigurationError,
    Message,
    ModelError,
    RefusalError,
    Reply,
    Usage,
)
from orch_dagster.settings import SettingError
from orch_dagster.waiting import Waiting, watching
from resources.model.batch.pace import Pace
from resources.model.offline import OfflineModel
from resources.model.probe import probe_batches
from resources.output_store import OutputStore, StoreError
from tests.model.asks import FITTING, SCHEMA, answer, answers, ask
from tests.model.batches import BatchServer, answered, unanswered
from tests.model.conftest import KEY
from tests.model.desks import QUICK, notes, offline, store_in
from tests.model.raw_server import Deed, Heard, RawServer, completion, reply, running_server

Serve = Callable[[BatchServer], RawServer]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Serves, and makes it the configured server."""
    with ExitStack() as stack:

        def served(server: BatchServer) -> RawServer:
            running = stack.enter_context(running_server(server))
            monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
            return running

        yield served


@pytest.fixture
def store(tmp_path: Path) -> OutputStore:
    return store_in(tmp_path)


@pytest.fixture
def model(store: OutputStore) -> Iterator[OfflineModel]:
    with offline(store) as opened:
        yield opened


def trace(n: int | str) -> str:
    return f"content/a{n}/article/lede#1"


def texts(said: list[Reply | BaseException]) -> list[str]:
    return [one.text if isinstance(one, Reply) else repr(one) for one in said]


def test_what_is_asked_together_is_one_file_of_one_batch(serve: Serve, model: OfflineModel) -> None:
    server = BatchServer()
    running = serve(server)
    said = answers(model, [ask(f"Write {n}.", trace=trace(n)) for n in range(5)])
    assert texts(said) == ["In a batch."] * 5
    [upload] = server.uploads
    assert re.search(r'name="purpose"\r\n.*\r\n?batch\r\n', upload, re.DOTALL)
    assert re.search(r'name="file"; filename="orch-[0-9a-f]{16}\.jsonl"', upload)
    [batch] = server.batches.values()
    assert (batch["endpoint"], batch["completion_window"]) == ("/v1/chat/completions", "24h")
    assert server.ids == [trace(n) for n in range(5)]
    for row in server.rows:
        assert row.keys() == {"custom_id", "method", "url", "body"}
        assert (row["method"], row["url"]) == ("POST", "/v1/chat/completions")
    assert running.chats == []
    assert {heard.headers["authorization"] for heard in running.heard} == {f"Bearer {KEY}"}


def test_a_row_s_body_is_what_the_client_would_send(
    serve: Serve, model: OfflineModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORCH_TEMPERATURE", "0.5")
    server = BatchServer(line=lambda row: answered(row, body=completion(FITTING)))
    running = serve(server)
    request = ask("Оціни.", schema=SCHEMA, role="reasoning")
    assert answer(model, request).text == FITTING
    live = replace(request, messages=(*request.messages, Message("assistant", "{}")))
    answer(model, live)
    [chat] = running.chats
    assert chat.body["messages"].pop()["role"] == "assistant"
    assert server.rows[0]["body"] == chat.body
    assert "Оціни." in server.uploads[0]


def test_a_repair_goes_live(serve: Serve, model: OfflineModel) -> None:
    server = BatchServer()
    running = serve(server)
    request = ask(trace="content/a/article/lede#2")
    again = (Message("assistant", "Words"), Message("user", "That cannot be used."))
    assert answer(model, replace(request, messages=(*request.messages, *again))).text == "At once."
    assert (len(running.chats), server.uploads) == (1, [])


def test_each_model_has_a_file_of_its_own(
    serve: Serve, model: OfflineModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORCH_MODEL_REASONING", "thinker")
    server = BatchServer()
    serve(server)
    answers(model, [ask(trace=trace("x")), ask(trace=trace("y"), role="reasoning")])
    models = [[row["body"]["model"] for row in server.rows_of(b)] for b in server.batches.values()]
    assert sorted(models) == [["a-model"], ["thinker"]]


def test_the_same_request_is_one_row_and_one_trace_is_one_row_a_file(
    serve: Serve, model: OfflineModel
) -> None:
    server = BatchServer()
    serve(server)
    said = answers(model, [ask(), ask(), ask("Write the end."), ask(trace=trace("b"))])
    assert texts(said) == ["In a batch."] * 4
    assert sorted(one.usage.total for one in said if isinstance(one, Reply)) == [0, 15, 15, 15]
    by_file = [[row["custom_id"] for row in server.rows_of(b)] for b in server.batches.values()]
    assert sorted(by_file) == [[ask().trace], [ask().trace, trace("b")]]


def test_a_reply_tells_what_a_row_cost_and_how_long_the_batch_took(
    serve: Serve, model: OfflineModel
) -> None:
    serve(BatchServer())
    said = answer(model)
    assert said.usage == Usage(prompt_tokens=10, completion_tokens=5)
    assert (said.tries, said.latency_ms, said.waited_ms) == (1, 90_000, 0)
    assert said.cost_usd is None  # a server of one's own has no price


def a_row(*, status: int, **error: Any) -> Callable[[Any], dict[str, Any]]:
    return lambda row: answered(row, status=status, body={"error": error})


@pytest.mark.parametrize(
    "line",
    [
        a_row(status=429, message="Rate limit reached"),
        a_row(status=500, message="The server had an error"),
        a_row(status=503, message="Overloaded"),
        lambda row: unanswered(row, "batch_expired"),
        lambda row: unanswered(row, "request_timeout"),
        lambda row: answered(row, body={"choices": [], "usage": {"prompt_tokens": 7}}),
        lambda row: None,
    ],
)
def test_a_row_that_did_not_get_there_is_asked_live(
    serve: Serve, model: OfflineModel, line: Any
) -> None:
    server = BatchServer(line=lambda row: (line if row["custom_id"] == trace(1) else answered)(row))
    running = serve(server)
    said = answers(model, [ask(f"Write {n}.", trace=trace(n)) for n in range(3)])
    assert texts(said) == ["In a batch.", "At once.", "In a batch."]
    assert [heard.trace for heard in running.chats] == [trace(1)]
    live = said[1]
    assert isinstance(live, Reply)
    assert live.tries == 2
    assert live.waited_ms >= 90_000


@pytest.mark.parametrize("status", ["expired", "cancelled"])
def test_a_batch_that_ends_early_gives_what_it_has(
    serve: Serve, model: OfflineModel, status: str
) -> None:
    server = BatchServer(
        status=status, line=lambda row: answered(row) if row["custom_id"] == trace(0) else None
    )
    running = serve(server)
    said = answers(model, [ask(f"Write {n}.", trace=trace(n)) for n in range(2)])
    assert texts(said) == ["In a batch.", "At once."]
    assert len(running.chats) == 1


@pytest.mark.parametrize(
    ("line", "kind", "said"),
    [
        (
            a_row(status=400, code="content_filter", message="Filtered"),
            RefusalError,
            r"lede#1: the server's filter refused the request: Filtered",
        ),
        (
            lambda row: answered(row, body=completion(None, message={"refusal": "No."})),
            RefusalError,
            r"lede#1: the model refused: No\.",
        ),
        (
            a_row(status=400, message="maximum context length is 10 tokens"),
            ModelError,
            r"lede#1: the prompt .* does not fit the window",
        ),
        (a_row(status=400, message="No."), ModelError, r"refused the request \(400: No\.\)"),
        (
            a_row(status=404, code="model_not_found", message="no model"),
            ConfigurationError,
            r"^ORCH_MODEL_FAST: .* has no model 'a-model'",
        ),
        (
            a_row(status=429, code="insufficient_quota", message="Pay."),
            ConfigurationError,
            r"^OPENAI_API_KEY: the quota",
        ),
    ],
)
def test_a_row_ends_as_the_live_answer_would(
    serve: Serve, model: OfflineModel, line: Any, kind: type[ModelError], said: str
) -> None:
    running = serve(BatchServer(line=line))
    with pytest.raises(kind, match=said) as caught:
        answer(model)
    assert type(caught.value) is kind
    assert running.chats == []


def test_a_cut_row_is_asked_live_with_twice_the_cap(serve: Serve, model: OfflineModel) -> None:
    cut = completion("In a", finish_reason="length")
    running = serve(BatchServer(line=lambda row: answered(row, body=cut)))
    said = answer(model)
    assert said.text == "At once."
    assert [heard.body["max_completion_tokens"] for heard in running.chats] == [200]
    assert (said.usage.total, said.tries) == (30, 2)


def test_a_row_spent_on_reasoning_is_asked_live_with_room(
    serve: Serve, model: OfflineModel
) -> None:
    usage = {
        "prompt_tokens": 10,
        "completion_tokens": 100,
        "completion_tokens_details": {"reasoning_tokens": 100},
    }
    spent = completion("", finish_reason="length", usage=usage)
    running = serve(BatchServer(line=lambda row: answered(row, body=spent)))
    assert answer(model).text == "At once."
    [chat] = running.chats
    assert chat.body["max_completion_tokens"] > 200


def test_a_form_that_is_not_taken_is_left_out_of_the_next_batch(
    serve: Serve, model: OfflineModel
) -> None:
    def line(row: Any) -> dict[str, Any]:
        if "max_completion_tokens" in row["body"]:
            error = {"message": "Unknown parameter: max_completion_tokens"}
            return answered(row, status=400, body={"error": error})
        return answered(row)

    server = BatchServer(line=line)
    running = serve(server)
    said = answers(model, [ask(f"Write {n}.", trace=trace(n)) for n in range(3)])
    assert texts(said) == ["In a batch."] * 3
    assert len(server.batches) == 2
    assert texts(answers(model, [ask("Another.")])) == ["In a batch."]
    assert [len(server.rows_of(batch)) for batch in server.batches.values()] == [3, 3, 1]
    assert "max_tokens" in server.rows[-1]["body"]
    assert running.chats == []


def test_a_file_that_is_not_accepted_ends_in_one_sentence(
    serve: Serve, model: OfflineModel, store: OutputStore
) -> None:
    errors = [{"code": "token_limit_exceeded", "message": "Enqueued token limit", "line": 3}]
    running = serve(BatchServer(status="failed", errors=errors))
    said = r"lede#1: the batch batch_0 was not accepted: token_limit_exceeded: .* \(line 3\)$"
    with pytest.raises(ModelError, match=said) as caught:
        answer(model)
    assert not isinstance(caught.value, ConfigurationError)
    assert running.chats == []
    assert notes(store) == []


@pytest.mark.parametrize(
    "said",
    [
        reply({"detail": "Not Found"}, status=404),
        reply(b"", status=405),
        reply({"error": {"message": "not implemented"}}, status=501),
        reply(b"<html>Hello</html>", headers={"content-type": "text/html"}),
    ],
)
def test_a_server_without_batches_is_told_in_words(
    serve: Serve, model: OfflineModel, store: OutputStore, said: bytes
) -> None:
    def instead(heard: Heard) -> bytes | None:
        return None if heard.path.endswith("/chat/completions") else said

    running = serve(BatchServer(instead=instead))
    with pytest.raises(ConfigurationError, match=r"^OPENAI_BASE_URL: .* no OpenAI Batch API"):
        answer(model)
    with pytest.raises(SettingError, match=r"^OPENAI_BASE_URL: .* no OpenAI Batch API"):
        probe_batches()
    assert running.chats == []
    assert notes(store) == []


def test_a_server_with_batches_is_found_to_have_them(serve: Serve) -> None:
    running = serve(BatchServer())
    probe_batches()
    assert [(heard.method, heard.path.split("?")[0]) for heard in running.heard] == [
        ("GET", "/v1/batches")
    ]


def test_a_wrong_key_is_told_and_nothing_is_left_behind(
    serve: Serve, model: OfflineModel, store: OutputStore
) -> None:
    error = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
    serve(BatchServer(instead=lambda heard: reply(error, status=401)))
    with pytest.raises(ConfigurationError, match=r"^OPENAI_API_KEY: .* refused the key") as caught:
        answer(model)
    assert KEY not in str(caught.value)
    assert notes(store) == []


def once(*said: Any, at: tuple[str, str]) -> Callable[[Heard], Any]:
    """What is said at first to requests of a method and a path, one after the other."""
    left = list(said)

    def instead(heard: Heard) -> Any:
        return left.pop(0) if left and (heard.method, heard.path.split("?")[0]) == at else None

    return instead


@pytest.mark.parametrize(
    "at",
    [
        ("POST", "/v1/files"),
        ("POST", "/v1/batches"),
        ("GET", "/v1/batches/batch_0"),
        ("GET", "/v1/files/batch_0-output/content"),
    ],
)
@pytest.mark.parametrize("said", [reply(b"", status=503), (Deed.RESET,), reply({}, status=429)])
def test_a_hitch_on_the_way_is_no_end(
    serve: Serve, model: OfflineModel, at: tuple[str, str], said: Any
) -> None:
    server = BatchServer(instead=once(said, at=at))
    running = serve(server)
    assert answer(model).text == "In a batch."
    assert server.ids == [ask().trace]
    assert running.chats == []


def test_a_batch_whose_reply_was_lost_is_not_made_twice(serve: Serve, model: OfflineModel) -> None:
    server = BatchServer()

    def instead(heard: Heard) -> Any:
        if (heard.method, heard.path) == ("POST", "/v1/batches") and not server.batches:
            server.create(heard.body)
            return (Deed.RESET,)
        return None

    server.instead = instead
    serve(server)
    assert answer(model).text == "In a batch."
    assert server.ids == [ask().trace]


def test_a_server_that_is_gone_for_long_is_given_up_and_the_batch_kept(
    serve: Serve, store: OutputStore
) -> None:
    server = BatchServer(looks=10**9)
    serve(server)
    server.instead = lambda heard: (
        reply(b"", status=502) if heard.path == "/v1/batches/batch_0" else None
    )
    with (
        offline(store, replace(QUICK, patience_s=0.5)) as model,
        pytest.raises(ModelError, match=r"lede#1: given up after \d+ tries: .* the next run"),
    ):
        answer(model)
    server.instead, server.looks = lambda heard: None, 0
    with offline(store) as model:
        assert answer(model).text == "In a batch."
    assert len(server.batches) == 1


def test_people_see_how_far_a_batch_is(serve: Serve, model: OfflineModel) -> None:
    serve(BatchServer(looks=2))
    seen: list[Waiting] = []
    with watching(seen.append):
        answers(model, [ask(f"Write {n}.", trace=trace(n)) for n in range(2)])
    assert {(one.batch, one.rows) for one in seen} == {("batch_0", 2)}
    assert [one.is_over for one in seen] == [False, False, True]
    assert seen[-1].status == "completed"


def test_who_leaves_before_a_batch_is_sent_is_not_in_it(serve: Serve, model: OfflineModel) -> None:
    server = BatchServer()
    serve(server)

    async def one_leaves() -> Reply:
        leaving = asyncio.create_task(model.ask(ask("Write 1.", trace=trace(1))))
        staying = asyncio.create_task(model.ask(ask("Write 2.", trace=trace(2))))
        await asyncio.sleep(0.03)
        leaving.cancel()
        return await staying

    assert asyncio.run(one_leaves()).text == "In a batch."
    assert server.ids == [trace(2)]


def test_half_a_surrogate_pair_is_no_text(serve: Serve, model: OfflineModel) -> None:
    server = BatchServer()
    serve(server)
    bad, good = answers(model, [ask("Write \ud83d."), ask(trace=trace("x"))])
    assert "half a surrogate pair" in str(bad)
    assert isinstance(good, Reply)
    assert server.ids == [trace("x")]


def test_a_note_that_is_none_is_told_by_name(
    serve: Serve, model: OfflineModel, store: OutputStore
) -> None:
    server = BatchServer()
    serve(server)
    store.write("batch/0123.json", b"{")
    with pytest.raises(StoreError, match=r"batch/0123\.json is no note of a batch; remove it"):
        answer(model)
    assert server.uploads == []


def test_a_closed_model_lets_batches_be(serve: Serve, store: OutputStore) -> None:
    server = BatchServer(looks=10**9)
    serve(server)

    async def left(model: OfflineModel) -> tuple[Any]:
        asking = asyncio.gather(model.ask(ask()), return_exceptions=True)
        while not server.batches or not server.batches["batch_0"]["looks"]:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(model.close)
        return await asyncio.wait_for(asking, 5)

    with offline(store) as model:
        [error] = asyncio.run(left(model))
    assert isinstance(error, ModelError)
    [note] = notes(store)
    assert (note.batch_id, note.settled) == ("batch_0", False)


def test_the_pace_grows_to_its_bound() -> None:
    pace = Pace()
    assert pace.until_next_look(0) == pace.first_look_s
    assert pace.until_next_look(100) == 10
    assert pace.until_next_look(10**6) == pace.longest_look_s


def test_an_output_line_that_is_no_row_is_a_missing_row(serve: Serve, model: OfflineModel) -> None:
    server = BatchServer()
    running = serve(server)

    def instead(heard: Heard) -> bytes | None:
        if not heard.path.endswith("/content"):
            return None
        good = json.dumps(answered({"custom_id": trace(1)}))
        return reply(f'{{"custom_id": "{trace(0)}", "resp\n\n[1]\n{good}\n'.encode())

    server.instead = instead
    said = answers(model, [ask(f"Write {n}.", trace=trace(n)) for n in range(2)])
    assert texts(said) == ["At once.", "In a batch."]
    assert [heard.trace for heard in running.chats] == [trace(0)]
