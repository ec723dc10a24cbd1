"""One batch from its note to its results: sent once, found again, waited for, settled."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from openai.types import Batch

from orch_dagster.waiting import Waiting, tell
from resources.model.batch.note import BatchNote, BatchNotes
from resources.model.batch.pace import Pace
from resources.model.batch.post import Post
from resources.model.batch.result import Result, results_in
from resources.model.batch.row import BatchRow
from resources.model.completion import Completion
from resources.model.endpoint import Endpoint
from resources.model.failure import Failure
from resources.model.places import growing_pause
from resources.model.verdicts import Misconfigured, Refuse, Sent, Stop, Wait, verdict

OVER = frozenset({"completed", "failed", "expired", "cancelled"})
"""The statuses of a batch that changes no more (OpenAI's guide "Batch API")."""

NO_API = frozenset({404, 405, 501, "no chat"})
"""What a server answers that has no Batch API; the last is a page, or something else altogether."""

_FIRST_PAUSE_S = 0.5


@dataclass(frozen=True, slots=True)
class Office:
    """What every batch of a server is handled with."""

    endpoint: Endpoint
    post: Post
    notes: BatchNotes
    pace: Pace


@dataclass(frozen=True, slots=True)
class Ended:
    """The results by id; rows that are not among them got none, for the reason `missing`."""

    results: Mapping[str, Result]
    missing: Failure
    latency_s: float


@dataclass(frozen=True, slots=True)
class Broken:
    """No row can be answered in this batch; `misconfigured` where none can be in any."""

    why: str
    misconfigured: bool


@dataclass(frozen=True, slots=True)
class Unsent:
    """The server has no such batch: its rows were never asked, or nothing can be had of them."""


End = Ended | Broken | Unsent

T = TypeVar("T")


def no_batches(base_url: str, failure: Failure) -> str:
    """The sentence about a server that has no Batch API."""
    answered = f"{failure.seen}: {failure.said or 'without a word'}"
    if isinstance(failure.seen, str):
        answered = failure.said
    return (
        f"OPENAI_BASE_URL: {base_url} has no OpenAI Batch API (/v1/files, /v1/batches; {answered}); "
        "run without --batch, or without the run tag 'orch/batch'"
    )


class AwaitedBatch:
    """A batch that is at work as long as somebody waits for it. For one event loop."""

    def __init__(
        self, note: BatchNote, *, example: Sent, rows: tuple[BatchRow, ...], office: Office
    ) -> None:
        """`rows` are those to send, none where the batch was noted by an earlier process.

        `example` is one of its requests, for the table of verdicts.
        """
        self.note = note
        self._rows = rows
        self._example = example
        self._office = office
        self._task: asyncio.Task[End] | None = None
        self._waiting = 0

    def holds(self, row: BatchRow) -> bool:
        """Whether there is something to be had for a row here."""
        return self.note.rows.get(row.custom_id) == row.digest

    async def end(self) -> End:
        """How the batch ended; whoever asks first sets it going, the last who leaves lets it be."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._work())
        task = self._task
        self._waiting += 1
        try:
            await asyncio.wait((task,))
            return task.result()
        finally:
            self._waiting -= 1
            if self._waiting == 0:  # the results are not kept longer than they are needed
                self._task = None
                task.cancel()

    async def _work(self) -> End:
        if self.note.batch_id is None:
            created = await (self._send() if self._rows else self._find())
            if not isinstance(created, Batch):
                return created
            await self._keep(self.note.model_copy(update={"batch_id": created.id}))
        end = await self._receive()
        if isinstance(end, Broken) and self.note.rows:
            left = f"{end.why}; the batch is left as it is, the next run in batches looks for it"
            return Broken(left, end.misconfigured)
        return end

    async def _receive(self) -> End:
        batch = await self._await()
        if not isinstance(batch, Batch):
            return batch
        return await self._broken(batch) if batch.status == "failed" else await self._fetch(batch)

    async def _send(self) -> Batch | Broken:
        """Note that it is going to be sent, send it. From here on it may be on the server."""
        data, self._rows = b"".join(row.line for row in self._rows), ()
        await self._keep(self.note)
        post, key = self._office.post, self.note.key
        file = await self._insist(lambda: post.upload(data, key), self._office.pace.send_s)
        if isinstance(file, Broken):
            await self._forget()
            return file
        creation = _Creation(post, file.id, self.note)
        batch = await self._insist(creation.tried, self._office.pace.send_s)
        if isinstance(batch, Broken) and not creation.is_in_doubt:
            await self._forget()
        return batch

    async def _find(self) -> Batch | Broken | Unsent:
        """The batch that a process was about to send when it ended, if it did."""
        post, pace, note = self._office.post, self._office.pace, self.note
        while True:
            until = note.made_at + pace.doubt_s
            is_last = time.time() > until
            found = await self._insist(lambda: post.find(note.key, note.made_at), pace.patience_s)
            if isinstance(found, Batch):
                return found
            if isinstance(found, Broken):
                said = (
                    f"whether it was sent cannot be told: {found.why}; if not, remove {note.path}"
                )
                return Broken(f"a batch was being sent when a run ended, and {said}", False)
            if is_last:
                await self._forget()
                return Unsent()
            await asyncio.sleep(pace.until_next_look(pace.doubt_s))

    async def _await(self) -> Batch | Broken | Unsent:
        post, pace, name = self._office.post, self._office.pace, self.note.batch_id or ""
        started = time.monotonic()
        while True:
            batch = await self._insist(lambda: post.look(name), pace.patience_s)
            if batch is None:
                await self._forget()
                return Unsent()
            if isinstance(batch, Broken):
                return batch
            self._tell(batch)
            if batch.status in OVER:
                return batch
            await asyncio.sleep(pace.until_next_look(time.monotonic() - started))

    async def _fetch(self, batch: Batch) -> Ended | Broken | Unsent:
        post, pace = self._office.post, self._office.pace
        results: dict[str, Result] = {}
        for file in filter(None, (batch.output_file_id, batch.error_file_id)):
            content = await self._insist(lambda file=file: post.content(file), pace.patience_s)
            if content is None:
                await self._forget()
                return Unsent()
            if isinstance(content, Broken):
                return content
            results |= await asyncio.to_thread(
                lambda content=content: dict(results_in(content, self._office.endpoint))
            )
        await self._settle(results)
        missing = Failure("no whole answer", f"the batch {batch.id} is {batch.status} without it")
        return Ended(results, missing, _latency_s(batch))

    async def _settle(self, results: Mapping[str, Result]) -> None:
        """Only rows that were answered stay noted: what else was asked is asked anew next time."""
        if self.note.settled:
            return
        rows = {
            name: digest for name, digest in self.note.rows.items() if _is_answer(results, name)
        }
        if rows:
            await self._keep(self.note.model_copy(update={"rows": rows, "settled": True}))
        else:
            await self._forget()

    async def _broken(self, batch: Batch) -> Broken:
        """A batch whose file was not accepted: nothing of it was asked."""
        await self._forget()
        errors = (batch.errors and batch.errors.data) or []
        said = [f"{error.code}: {error.message}{_where(error.line)}" for error in errors[:3]]
        more = [f"and {len(errors) - 3} more"] if len(errors) > 3 else []
        why = "; ".join([*said, *more]) or "the server does not say why"
        return Broken(
            self._office.endpoint.hide(f"the batch {batch.id} was not accepted: {why}"), False
        )

    async def _insist(
        self, call: Callable[[], Awaitable[T | Failure]], patience_s: float
    ) -> T | Broken:
        """What a call gives, tried again where the table of verdicts says so."""
        begun, tries = time.monotonic(), 0
        while True:
            found = await call()
            if not isinstance(found, Failure):
                return found
            said = self._verdict(found)
            if isinstance(said, Broken):
                return said
            tries += 1
            pause = said.seconds or growing_pause(_FIRST_PAUSE_S, tries)
            if time.monotonic() - begun + pause > patience_s:
                return Broken(f"given up after {tries} tries: {said.why}", False)
            await asyncio.sleep(pause)

    def _verdict(self, failure: Failure) -> Wait | Broken:
        base_url = self._office.endpoint.base_url
        if failure.seen in NO_API:
            return Broken(no_batches(base_url, failure), True)
        match verdict(failure, self._example):
            case Wait() as wait:
                return wait
            case Misconfigured(why=why):
                return Broken(why, True)
            case Stop(why=why) | Refuse(why=why):
                return Broken(f"the batch was not taken: {why}", False)
            case _:
                said = failure.said or "without a word"
                return Broken(
                    f"the batch was not taken: {base_url} answered {failure.seen}: {said}", False
                )

    def _tell(self, batch: Batch) -> None:
        counts = batch.request_counts
        done = counts.completed + counts.failed if counts else 0
        is_over = batch.status in OVER
        tell(Waiting(batch.id, batch.status, done, len(self.note.rows), is_over))

    async def _keep(self, note: BatchNote) -> None:
        self.note = note
        await asyncio.to_thread(self._office.notes.write, note)

    async def _forget(self) -> None:
        self.note = self.note.model_copy(update={"rows": {}})
        await asyncio.to_thread(self._office.notes.remove, self.note)


class _Creation:
    """Creates a batch once: where a reply was lost the batch is looked for before another is made."""

    def __init__(self, post: Post, file: str, note: BatchNote) -> None:
        self.is_in_doubt = False
        self._post, self._file, self._note = post, file, note

    async def tried(self) -> Batch | Failure:
        if self.is_in_doubt:
            found = await self._post.find(self._note.key, self._note.made_at)
            if found is not None:
                return found
        created = await self._post.create(self._file, self._note.key)
        self.is_in_doubt = isinstance(created, Failure) and not _is_refusal(created)
        return created


def _is_refusal(failure: Failure) -> bool:
    return isinstance(failure.seen, int) and failure.seen < 500


def _is_answer(results: Mapping[str, Result], name: str) -> bool:
    found = results.get(name)
    return isinstance(found, Completion) and found.ending != "declined"


def _where(line: Any) -> str:
    return "" if line is None else f" (line {line})"


def _latency_s(batch: Batch) -> float:
    """From when it was created to its end, by the server's clock, in whole seconds."""
    ends = (batch.completed_at, batch.expired_at, batch.cancelled_at)
    end = next(filter(None, ends), None)
    return float(max(0, (end or int(time.time())) - batch.created_at))
