"""One simulator: the completions endpoint with its script, prompt cache, log and counts."""

import asyncio
import random
from dataclasses import dataclass
from typing import Literal

from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Scope, Send

from resources.simulator.batch_input import InputRow
from resources.simulator.connections import Connections
from resources.simulator.log import Asked, RequestLog
from resources.simulator.reply import Reply, refused, reply
from resources.simulator.request import ChatRequest, RequestError, parse_request
from resources.simulator.script import Playback, Rule
from resources.simulator.settings import SimulatorSettings
from resources.simulator.usage import PrefixMemory

_REMEMBERED_BLOCKS = 100_000
# Long enough for a client to have read the first half before the reset overtakes it.
_HALF_WAY_SECONDS = 0.01

RowEnd = Literal["missing", "expired", "cancelled", "timeout"]
"""How a row of a batch ends that gets no reply."""


@dataclass(frozen=True, slots=True)
class RowTurn:
    """A row of a batch as it is going to be answered: the request in it, and the rule for it."""

    row: InputRow
    request: ChatRequest | RequestError
    rule: Rule | None

    def ends(self, fate: str) -> bool:
        """Whether the script says that the row's batch, or the row, ends so."""
        return self.rule is not None and self.rule.batch == fate


class Simulator:
    """An ASGI application for `POST /v1/chat/completions`; it answers the rows of batches too.

    `requests` counts both, `in_flight` those that hold a connection.
    """

    def __init__(self, settings: SimulatorSettings) -> None:
        """Raises OSError when the log cannot be written."""
        self.connections = Connections()
        self.requests = 0
        self.in_flight = 0
        self.most_in_flight = 0
        self._settings = settings
        self._playback = Playback(settings.script)
        self._prefixes = PrefixMemory(blocks=_REMEMBERED_BLOCKS)
        self._log = RequestLog(settings.log) if settings.log else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request, or does with the connection what the script says."""
        http = Request(scope, receive)
        try:
            body = await http.body()
        except ClientDisconnect:
            return
        self.requests += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await self._respond(http, body, send)
        finally:
            self.in_flight -= 1

    async def _respond(self, http: Request, body: bytes, send: Send) -> None:
        trace = http.headers.get("x-orch-trace", "")
        try:
            request = parse_request(body, trace=trace)
        except RequestError as error:
            asked = self._asked(None, trace, body)
            await self._send(asked, http, send, refused(error), None)
            return
        asked = self._asked(request.model, trace, body)
        rule = self._playback.rule_for(request, in_batch=False)
        if rule is not None and rule.hang:
            await self._hang(asked, http)
            return
        cached = self._prefixes.cached_tokens(request)
        answer = reply(request, rule, seed=self._settings.seed, cached=cached)
        await self._wait(asked, self._seconds(request, rule))
        await self._send(asked, http, send, answer, rule)

    def row_turn(self, row: InputRow) -> RowTurn:
        """What the script has for a row; asking counts as a match."""
        try:
            request = parse_request(row.body, trace=row.custom_id)
        except RequestError as error:
            return RowTurn(row, error, None)
        return RowTurn(row, request, self._playback.rule_for(request, in_batch=True))

    async def answer_row(self, turn: RowTurn, batch: str) -> Reply | RowEnd:
        """The reply to one row, after its time, or how it ends without one.

        A rule's `hang` never ends; its `reset` is the model's call that timed out.
        """
        self.requests += 1
        model = turn.row.model or None
        asked = self._asked(model, turn.row.custom_id, turn.row.body, batch=batch)
        try:
            end = await self._row_end(turn)
        except asyncio.CancelledError:
            if self._log:
                self._log.lost(asked, reason="the batch was cancelled")
            raise
        if self._log and isinstance(end, Reply):
            self._log.answered(
                asked,
                status=end.status,
                reason=end.finish_reason,
                usage=end.usage,
                scripted=turn.rule is not None,
            )
        elif self._log:
            self._log.lost(asked, reason=f"the row ended as {end!r}")
        return end

    async def _row_end(self, turn: RowTurn) -> Reply | RowEnd:
        if isinstance(turn.request, RequestError):
            return refused(turn.request)
        rule = turn.rule
        if rule is not None and rule.hang:
            await asyncio.Event().wait()
        await asyncio.sleep(self._seconds(turn.request, rule))
        match rule:
            case Rule(batch="missing" | "expired" | "cancelled" as end):
                return end
            case Rule(reset=str()):
                return "timeout"
        cached = self._prefixes.cached_tokens(turn.request)
        return reply(turn.request, rule, seed=self._settings.seed, cached=cached)

    def _asked(
        self, model: str | None, trace: str, body: bytes, *, batch: str | None = None
    ) -> Asked:
        asked = Asked(self.requests, trace, model, batch)
        if self._log:
            self._log.asked(asked, body, in_flight=self.in_flight)
        return asked

    async def _send(
        self, asked: Asked, http: Request, send: Send, answer: Reply, rule: Rule | None
    ) -> None:
        match rule.reset if rule else None:
            case "before":
                await self._reset(asked, http, "reset before the answer")
            case "middle":
                half = answer.body[: len(answer.body) // 2]
                await send(_head(answer))
                await send({"type": "http.response.body", "body": half, "more_body": True})
                await asyncio.sleep(_HALF_WAY_SECONDS)
                await self._reset(asked, http, "reset in the middle of the answer")
            case None:
                self._note_end(asked, http, answer, scripted=rule is not None)
                await send(_head(answer))
                await send({"type": "http.response.body", "body": answer.body})

    def _note_end(self, asked: Asked, http: Request, answer: Reply, *, scripted: bool) -> None:
        if self._log is None:
            return
        if not self.connections.is_open(http.scope["client"]):
            self._log.lost(asked, reason="the client had gone")
            return
        self._log.answered(
            asked,
            status=answer.status,
            reason=answer.finish_reason,
            usage=answer.usage,
            scripted=scripted,
        )

    async def _wait(self, asked: Asked, seconds: float) -> None:
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            if self._log:
                self._log.lost(asked, reason="the server was stopped")
            raise

    async def _reset(self, asked: Asked, http: Request, reason: str) -> None:
        if self._log:
            self._log.lost(asked, reason=reason)
        self.connections.reset(http.scope["client"])
        await _disconnection(http.receive)

    async def _hang(self, asked: Asked, http: Request) -> None:
        await _disconnection(http.receive)
        if self._log:
            self._log.lost(asked, reason="hung until the client went")

    def _seconds(self, request: ChatRequest, rule: Rule | None) -> float:
        if rule is not None and rule.delay_ms is not None:
            return rule.delay_ms / 1000
        settings = self._settings
        if not settings.jitter or not settings.latency_ms:
            return settings.latency_ms / 1000
        draw = random.Random(f"{settings.seed}:{request.digest}:{request.trace}").uniform(-1, 1)
        return settings.latency_ms / 1000 * (1 + settings.jitter * draw)


def _head(answer: Reply) -> Message:
    headers = {"content-length": str(len(answer.body)), **dict(answer.headers)}
    return {
        "type": "http.response.start",
        "status": answer.status,
        "headers": [
            (name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()
        ],
    }


async def _disconnection(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
