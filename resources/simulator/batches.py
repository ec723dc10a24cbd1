"""Batches of the simulator: files of requests that are answered some time later."""

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from resources.simulator.batch_input import URL, InputFault, InputRow, read_input
from resources.simulator.files import Files, StoredFile, failed
from resources.simulator.reply import Reply
from resources.simulator.simulator import RowEnd, RowTurn, Simulator

WINDOW_SECONDS = 24 * 3600

_TIMES = (
    "in_progress", "finalizing", "completed", "failed", "expired", "cancelling", "cancelled",
)  # fmt: skip

_WITHOUT_REPLY: Mapping[RowEnd, tuple[str, str]] = {
    "expired": (
        "batch_expired",
        "This request could not be executed before the completion window expired.",
    ),
    "cancelled": ("batch_cancelled", "This request was not executed: the batch was cancelled."),
    "timeout": ("request_timeout", "The call to the model timed out."),
}
"""Error codes of rows that have no response (OpenAI's API reference, "Request output object")."""


@dataclass(slots=True)
class Batch:
    """One batch: what was asked, how far it is, when it came where."""

    id: str
    input: StoredFile
    metadata: Mapping[str, str] | None
    created_at: int
    status: str = "validating"
    times: dict[str, int] = field(default_factory=dict)
    model: str | None = None
    total: int = 0
    completed: int = 0
    failed: int = 0
    errors: tuple[InputFault, ...] = ()
    output: StoredFile | None = None
    error: StoredFile | None = None

    def turn(self, status: str) -> None:
        """Come to a status, now."""
        self.status = status
        self.times[status] = int(time.time())

    def as_json(self) -> dict[str, Any]:
        """The batch object of the protocol."""
        counts = {"total": self.total, "completed": self.completed, "failed": self.failed}
        faults = {"object": "list", "data": [fault.as_json() for fault in self.errors]}
        return {
            "id": self.id,
            "object": "batch",
            "endpoint": URL,
            "model": self.model,
            "errors": faults if self.errors else None,
            "input_file_id": self.input.id,
            "completion_window": "24h",
            "status": self.status,
            "output_file_id": self.output.id if self.output else None,
            "error_file_id": self.error.id if self.error else None,
            "created_at": self.created_at,
            "expires_at": self.created_at + WINDOW_SECONDS,
            **{f"{status}_at": self.times.get(status) for status in _TIMES},
            "request_counts": counts,
            "metadata": self.metadata,
        }


class Batches:
    """Batches in memory, newest last, and the endpoints under `/v1/batches`."""

    def __init__(self, simulator: Simulator, files: Files) -> None:
        """No batch yet."""
        self._simulator = simulator
        self._files = files
        self._batches: dict[str, Batch] = {}
        self._work: dict[str, asyncio.Task[None]] = {}

    async def create(self, request: Request) -> Response:
        """`POST /v1/batches`."""
        try:
            asked = json.loads(await request.body())
        except ValueError as error:
            return failed(400, f"the body is no JSON: {error}")
        match asked:
            case {
                "input_file_id": str(name),
                "endpoint": str(endpoint),
                "completion_window": "24h",
            }:
                pass
            case _:
                said = "'input_file_id', 'endpoint' and 'completion_window' ('24h') are required"
                return failed(400, said)
        if endpoint != URL:
            return failed(400, f"the simulator has no batches for {endpoint!r}", "endpoint")
        if (file := self._files.get(name)) is None:
            return failed(404, f"No such File object: {name}", "input_file_id")
        return JSONResponse(self._started(file, asked.get("metadata")).as_json())

    async def describe(self, request: Request) -> Response:
        """`GET /v1/batches/{id}`."""
        batch = self._batches.get(request.path_params["id"])
        return JSONResponse(batch.as_json()) if batch else _missing(request)

    async def listed(self, request: Request) -> Response:
        """`GET /v1/batches`: the newest first, `limit` of them after the one named `after`."""
        limit = request.query_params.get("limit", "20")
        if not limit.isdecimal() or not 1 <= int(limit) <= 100:
            return failed(400, "'limit' is a number from 1 to 100", "limit")
        newest = list(reversed(self._batches.values()))
        names = [batch.id for batch in newest]
        after = request.query_params.get("after")
        start = names.index(after) + 1 if after in names else 0
        page = newest[start : start + int(limit)]
        return JSONResponse(
            {
                "object": "list",
                "data": [batch.as_json() for batch in page],
                "first_id": page[0].id if page else None,
                "last_id": page[-1].id if page else None,
                "has_more": start + len(page) < len(newest),
            }
        )

    async def cancel(self, request: Request) -> Response:
        """`POST /v1/batches/{id}/cancel`: what is done by then is kept."""
        batch = self._batches.get(request.path_params["id"])
        if batch is None:
            return _missing(request)
        if batch.status != "in_progress":
            return failed(400, f"Cannot cancel a batch with status {batch.status!r}.")
        batch.turn("cancelling")
        self._work[batch.id].cancel()
        return JSONResponse(batch.as_json())

    def _started(self, file: StoredFile, metadata: Mapping[str, str] | None) -> Batch:
        batch = Batch(f"batch_{uuid4().hex}", file, metadata, int(time.time()))
        self._batches[batch.id] = batch
        self._work[batch.id] = asyncio.get_running_loop().create_task(self._carry_out(batch))
        return batch

    async def _carry_out(self, batch: Batch) -> None:
        rows, faults = read_input(batch.input.data)
        turns = [] if faults else [self._simulator.row_turn(row) for row in rows]
        scripted = [turn for turn in turns if turn.ends("failed")]
        faults += tuple(_scripted_fault(turn) for turn in scripted)
        if faults:
            batch.errors = faults
            batch.turn("failed")
            return
        batch.total, batch.model = len(rows), rows[0].model
        batch.turn("in_progress")
        working = [asyncio.ensure_future(self._answered(batch, turn)) for turn in turns]
        try:
            await asyncio.wait(working)
        except asyncio.CancelledError:
            for work in working:
                work.cancel()
            await asyncio.wait(working)
        self._finish(batch, turns, [work.result() for work in working])

    async def _answered(self, batch: Batch, turn: RowTurn) -> Reply | RowEnd:
        try:
            end = await self._simulator.answer_row(turn, batch.id)
        except asyncio.CancelledError:
            end = "cancelled"
        if isinstance(end, Reply) and end.status == 200:
            batch.completed += 1
        elif end != "missing":
            batch.failed += 1
        return end

    def _finish(self, batch: Batch, turns: list[RowTurn], ends: list[Reply | RowEnd]) -> None:
        cancelled = batch.status == "cancelling"
        if not cancelled:
            batch.turn("finalizing")
        lines: dict[str, list[str]] = {"output": [], "error": []}
        for turn, end in zip(turns, ends, strict=True):
            if end != "missing":
                good = isinstance(end, Reply) and end.status == 200
                lines["output" if good else "error"].append(_line(turn.row, end))
        batch.output = self._written(batch, "output", lines["output"])
        batch.error = self._written(batch, "error", lines["error"])
        if cancelled or "cancelled" in ends:
            batch.turn("cancelled")
        else:
            batch.turn("expired" if "expired" in ends else "completed")

    def _written(self, batch: Batch, kind: str, lines: list[str]) -> StoredFile | None:
        if not lines:
            return None
        data = "".join(f"{line}\n" for line in lines).encode(errors="surrogatepass")
        return self._files.keep(data, name=f"{batch.id}_{kind}.jsonl", purpose="batch_output")


def _line(row: InputRow, end: Reply | RowEnd) -> str:
    request = uuid4().hex
    found: dict[str, Any] = {"id": f"batch_req_{request}", "custom_id": row.custom_id}
    if isinstance(end, Reply):
        response = {"status_code": end.status, "request_id": request, "body": _readable(end.body)}
        found |= {"response": response, "error": None}
    else:
        code, message = _WITHOUT_REPLY[end]
        found |= {"response": None, "error": {"code": code, "message": message}}
    return json.dumps(found, ensure_ascii=False)


def _readable(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return body.decode(errors="replace")


def _scripted_fault(turn: RowTurn) -> InputFault:
    said = "Enqueued token limit reached. Please try again once some batches have been completed."
    return InputFault("token_limit_exceeded", f"{said} (scripted)", turn.row.line)


def _missing(request: Request) -> Response:
    return failed(404, f"No such batch: {request.path_params['id']}", "id")
