"""A process that ends at any point of a batch: the next one sends nothing twice."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from orch_dagster.model import Ask, RefusalError, Reply
from resources.model.batch.note import KEPT_S, BatchNotes
from resources.model.batch.pace import Pace
from resources.model.offline import OfflineModel
from resources.output_store import OutputStore
from tests.model.asks import answer, answers, ask
from tests.model.batches import BatchServer, answered
from tests.model.desks import QUICK, DyingStore, Killed, notes, offline, store_in
from tests.model.raw_server import Deed, Heard, RawServer, completion, reply, running_server

REQUESTS = [ask(f"Write {n}.", trace=f"content/a{n}/article/lede#1") for n in range(3)]
IDS = [request.trace for request in REQUESTS]

Serve = Callable[[BatchServer], RawServer]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    with ExitStack() as stack:

        def served(server: BatchServer) -> RawServer:
            running = stack.enter_context(running_server(server))
            monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
            return running

        yield served


def asked_and_left(
    store: OutputStore, until: Callable[[], bool], requests: list[Ask] = REQUESTS
) -> None:
    """A process asks, and ends as soon as something has come about."""

    async def left(model: OfflineModel) -> None:
        asking = [asyncio.create_task(model.ask(request)) for request in requests]
        while not until():
            await asyncio.sleep(0.01)
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    with offline(store) as model:
        asyncio.run(left(model))


def asked_again(
    store: OutputStore, requests: list[Ask] = REQUESTS, pace: Pace = QUICK
) -> list[str]:
    """The texts that another process then gets."""
    with offline(store, pace) as model:
        said = answers(model, requests)
    return [one.text if isinstance(one, Reply) else repr(one) for one in said]


@pytest.mark.parametrize(
    ("dies", "uploads_before"),
    [
        ({"before": 1}, 0),  # before the intent is noted
        ({"after": 1}, 0),  # before the upload
        ({"before": 2}, 1),  # after the batch was created, before its id is noted
        ({"after": 2}, 1),  # before the first look
        ({"before": 3}, 1),  # after the download, before that is noted
        ({"after": 3}, 1),  # before an answer is handed out
    ],
)
def test_killed_at_any_write_nothing_is_sent_twice(
    serve: Serve, tmp_path: Path, dies: dict[str, int], uploads_before: int
) -> None:
    server = BatchServer()
    running = serve(server)
    with offline(DyingStore((tmp_path / "store").as_uri(), **dies)) as model:
        assert all(isinstance(one, Killed) for one in answers(model, REQUESTS))
    assert len(server.uploads) == uploads_before
    store = store_in(tmp_path)
    assert asked_again(store) == ["In a batch."] * 3
    assert server.ids == IDS
    assert len(server.uploads) == 1
    assert running.chats == []
    [note] = notes(store)
    assert (note.settled, list(note.rows)) == (True, IDS)


def test_killed_between_upload_and_creation(serve: Serve, tmp_path: Path) -> None:
    server = BatchServer()
    server.instead = lambda heard: (Deed.HANG,) if heard.path == "/v1/batches" else None
    running = serve(server)
    asked_and_left(store_in(tmp_path), lambda: any(h.path == "/v1/batches" for h in running.heard))
    assert (len(server.uploads), len(server.batches)) == (1, 0)
    server.instead = lambda heard: None
    assert asked_again(store_in(tmp_path)) == ["In a batch."] * 3
    assert server.ids == IDS


def test_killed_while_the_server_makes_the_batch(serve: Serve, tmp_path: Path) -> None:
    """The batch comes into the list some time after the next process has begun to look for it."""
    server = BatchServer()
    creating: list[Heard] = []

    def hang(heard: Heard) -> tuple[Deed, ...] | None:
        if (heard.method, heard.path) != ("POST", "/v1/batches"):
            return None
        creating.append(heard)
        return (Deed.HANG,)

    server.instead = hang
    serve(server)
    asked_and_left(store_in(tmp_path), lambda: bool(creating))
    late = threading.Timer(0.2, lambda: server.create(creating[0].body))

    def not_yet(heard: Heard) -> bytes | None:
        if heard.path.startswith("/v1/batches?") and not late.is_alive() and not server.batches:
            late.start()
            return reply({"object": "list", "data": []})
        return None

    server.instead = not_yet
    patient = replace(QUICK, doubt_s=20)
    assert asked_again(store_in(tmp_path), pace=patient) == ["In a batch."] * 3
    late.join()
    assert server.ids == IDS


def test_killed_while_waiting(serve: Serve, tmp_path: Path) -> None:
    server = BatchServer(looks=10**9)
    running = serve(server)
    asked_and_left(
        store_in(tmp_path), lambda: any(h.path == "/v1/batches/batch_0" for h in running.heard)
    )
    [note] = notes(store_in(tmp_path))
    assert (note.batch_id, note.settled) == ("batch_0", False)
    assert note.rows.keys() == set(IDS)
    assert server.batches["batch_0"]["metadata"] == {"orch_key": note.key}
    server.looks = 0
    assert asked_again(store_in(tmp_path)) == ["In a batch."] * 3
    assert server.ids == IDS


def test_a_batch_is_found_on_a_later_page(serve: Serve, tmp_path: Path) -> None:
    server = BatchServer()
    serve(server)
    with offline(DyingStore((tmp_path / "store").as_uri(), before=2)) as model:
        answers(model, REQUESTS)
    for _ in range(5):
        other = {**server.batches["batch_0"], "metadata": {"orch_key": "another"}}
        server.create(other)
    assert asked_again(store_in(tmp_path)) == ["In a batch."] * 3
    assert len(server.uploads) == 1


def test_what_is_new_is_sent_and_the_rest_is_waited_for(serve: Serve, tmp_path: Path) -> None:
    server = BatchServer(looks=10**9)
    serve(server)
    asked_and_left(store_in(tmp_path), lambda: bool(server.batches))
    server.looks = 0
    new = ask("Write 7.", trace="content/a7/article/lede#1")
    assert asked_again(store_in(tmp_path), [*REQUESTS, new]) == ["In a batch."] * 4
    assert server.ids == [*IDS, new.trace]


def test_an_edited_prompt_is_not_answered_by_an_old_row(serve: Serve, tmp_path: Path) -> None:
    server = BatchServer(
        line=lambda row: answered(row, body=completion(row["body"]["messages"][1]["content"]))
    )
    serve(server)
    assert asked_again(store_in(tmp_path)) == ["Write 0.", "Write 1.", "Write 2."]
    edited = [ask("Write better.", trace=trace) for trace in IDS]
    assert asked_again(store_in(tmp_path), edited) == ["Write better."] * 3
    assert server.ids == [*IDS, *IDS]


def test_answers_are_had_again_without_being_asked(serve: Serve, tmp_path: Path) -> None:
    """The process ended after the batch, before the chains had written the answers down."""
    server = BatchServer()
    running = serve(server)
    first, again = asked_again(store_in(tmp_path)), asked_again(store_in(tmp_path))
    assert first == again
    assert server.ids == IDS
    assert running.chats == []


def test_what_got_no_answer_is_asked_anew_the_next_time(serve: Serve, tmp_path: Path) -> None:
    refusing = completion(None, message={"refusal": "No."})
    server = BatchServer(line=lambda row: answered(row, body=refusing))
    serve(server)
    for _ in range(2):
        with offline(store_in(tmp_path)) as model, pytest.raises(RefusalError):
            answer(model, REQUESTS[0])
    assert notes(store_in(tmp_path)) == []
    server.line = answered
    with offline(store_in(tmp_path)) as model:
        assert answer(model, REQUESTS[0]).text == "In a batch."
    assert server.ids == [IDS[0]] * 3


def test_the_same_process_asks_anew_what_got_no_answer(serve: Serve, tmp_path: Path) -> None:
    server = BatchServer(line=lambda row: answered(row, status=400, body={"error": "No."}))
    serve(server)
    with offline(store_in(tmp_path)) as model:
        assert "refused the request" in repr(answers(model, REQUESTS)[0])
        server.line = answered
        assert answer(model, REQUESTS[0]).text == "In a batch."
    assert len(server.batches) == 2


def test_a_batch_that_the_server_has_forgotten_is_sent_again(serve: Serve, tmp_path: Path) -> None:
    server = BatchServer(looks=10**9)
    serve(server)
    asked_and_left(store_in(tmp_path), lambda: bool(server.batches))
    server.batches["gone"] = server.batches.pop("batch_0")
    server.looks = 0
    assert asked_again(store_in(tmp_path)) == ["In a batch."] * 3
    assert len(notes(store_in(tmp_path))) == 1


def test_two_processes_on_one_store_wait_for_one_batch(serve: Serve, tmp_path: Path) -> None:
    server = BatchServer(looks=10**9)
    serve(server)
    first: list[str] = []
    one = threading.Thread(target=lambda: first.extend(asked_again(store_in(tmp_path))))
    one.start()
    while not notes(store_in(tmp_path)) or notes(store_in(tmp_path))[0].batch_id is None:
        time.sleep(0.01)
    more = ask("Write 9.", trace="content/a9/article/lede#1")
    threading.Timer(0.5, lambda: setattr(server, "looks", 0)).start()
    assert asked_again(store_in(tmp_path), [*REQUESTS, more]) == ["In a batch."] * 4
    one.join()
    assert first == ["In a batch."] * 3
    assert server.ids == [*IDS, more.trace]


def test_notes_of_another_server_are_let_be(serve: Serve, tmp_path: Path) -> None:
    other = BatchServer(looks=10**9)
    serve(other)
    asked_and_left(store_in(tmp_path), lambda: bool(other.batches))
    server = BatchServer()
    serve(server)
    assert asked_again(store_in(tmp_path)) == ["In a batch."] * 3
    assert server.ids == IDS
    assert len(notes(store_in(tmp_path))) == 2


def test_a_server_that_cannot_tell_is_not_sent_to_again(serve: Serve, tmp_path: Path) -> None:
    server = BatchServer()
    serve(server)
    with offline(DyingStore((tmp_path / "store").as_uri(), before=2)) as model:
        answers(model, REQUESTS)
    server.instead = lambda heard: (
        reply(b"", status=405)
        if (heard.method, heard.path[:11]) == ("GET", "/v1/batches")
        else None
    )
    [note] = notes(store_in(tmp_path))
    for said in asked_again(store_in(tmp_path)):
        assert "whether it was sent cannot be told" in said
        assert f"remove batch/{note.key}.json" in said
    assert len(server.uploads) == 1


def test_notes_of_the_long_past_are_removed(serve: Serve, tmp_path: Path) -> None:
    server = BatchServer()
    serve(server)
    store = store_in(tmp_path)
    asked_again(store)
    [note] = notes(store)
    BatchNotes(store).write(note.model_copy(update={"made_at": time.time() - KEPT_S - 1}))
    assert asked_again(store) == ["In a batch."] * 3
    assert server.ids == [*IDS, *IDS]
    assert [one.key for one in notes(store)] != [note.key]
    assert len(store.names("batch")) == 1
