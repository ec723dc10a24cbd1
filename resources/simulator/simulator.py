"""One simulator: the completions endpoint with its script, prompt cache, log and counts."""

import asyncio
import random

from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Scope, Send

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


class Simulator:
    """An ASGI application for `POST /v1/chat/completions`; counts are of chat requests."""

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
        rule = self._playback.rule_for(request)
        if rule is not None and rule.hang:
            await self._hang(asked, http)
            return
        cached = self._prefixes.cached_tokens(request)
        answer = reply(request, rule, seed=self._settings.seed, cached=cached)
        await self._wait(asked, self._seconds(request, rule))
        await self._send(asked, http, send, answer, rule)

    def _asked(self, model: str | None, trace: str, body: bytes) -> Asked:
        asked = Asked(self.requests, trace, model)
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
