"""The model client: chat completions over the `openai` package, on one event loop a process."""

import asyncio
import random
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import openai
from openai.types.chat import ChatCompletion
from openai.types.completion_usage import CompletionUsage

from orch_dagster.model import Ask, ModelError, RefusalError, Reply, Role, Usage
from resources.model.dialect import Dialect
from resources.model.endpoint import Endpoint, model_names, open_endpoint
from resources.model.places import Places
from resources.model.prices import cost_usd
from resources.model.verdicts import Adapt, Refuse, Stop, Verdict, Wait, learn, verdict

TRACE_HEADER = "X-Orch-Trace"

TRIES = 6
"""Requests for one answer, the first included, before a failing server is given up."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0


@dataclass(frozen=True, slots=True)
class Limits:
    """How much at once, and how long one answer may take in all, retries included (seconds)."""

    in_flight: int
    call_timeout_s: float


@dataclass(slots=True)
class _Call:
    """One answer on its way."""

    request: Ask
    max_tokens: int
    tries: int = 0
    waited_s: float = 0.0
    usage: Usage | None = None

    def count(self, usage: Usage) -> None:
        self.usage = usage if self.usage is None else self.usage + usage


class ModelClient:
    """A `Model` for any OpenAI-compatible server.

    Calls may come from any thread and any event loop: each run of Dagster makes and closes its
    own, so connections and limits live on a loop of the client's. Nothing is opened before the
    first call.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._core: _Core | None = None

    def settings(self, role: Role) -> Mapping[str, Any]:
        """The model's name: the rest of what an answer depends on is in the request."""
        return {"model": model_names()[role]}

    async def ask(self, request: Ask) -> Reply:
        """The answer to one request; see `Model.ask`."""
        core = self._opened()
        return await asyncio.wrap_future(
            asyncio.run_coroutine_threadsafe(core.ask(request), core.loop)
        )

    def close(self) -> None:
        """End the connections, the loop and a simulator that was started for this client."""
        with self._lock:
            core, self._core = self._core, None
        if core is not None:
            core.close()

    def _opened(self) -> "_Core":
        with self._lock:
            if self._core is None:
                self._core = _Core(self._limits)
            return self._core


class _Core:
    """The client's loop, its connections and what it has learned of the server."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held = ExitStack()
        self._endpoint: Endpoint = self._held.enter_context(open_endpoint())
        self._dialect = Dialect()
        self._places = Places(limits.in_flight)
        self._resume_at = 0.0
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="model", daemon=True)
        self._thread.start()
        self._client = openai.AsyncOpenAI(
            api_key=self._endpoint.key,
            base_url=self._endpoint.base_url,
            max_retries=0,
            timeout=limits.call_timeout_s,
        )

    async def ask(self, request: Ask) -> Reply:
        call = _Call(request, request.max_tokens)
        async with self._places.place(request.remaining):
            try:
                async with asyncio.timeout(self._limits.call_timeout_s):
                    return await self._answer(call)
            except TimeoutError as error:
                raise ModelError(
                    f"{request.trace}: no answer from {self._endpoint.base_url} within "
                    f"{self._limits.call_timeout_s:g} s ({call.tries} tries); "
                    "ORCH_CALL_TIMEOUT sets the limit"
                ) from error

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._client.close(), self.loop).result(timeout=10)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(timeout=10)
        self.loop.close()
        self._held.close()

    async def _answer(self, call: _Call) -> Reply:
        while True:
            await self._until_resumed(call)
            used = replace(self._dialect)
            started = time.monotonic()
            try:
                completion = await self._send(call, used)
            except openai.APIError as error:
                await self._heed(self._verdict(call, error), call, used)
                continue
            reply = self._reply(call, completion, time.monotonic() - started)
            if reply is not None:
                return reply

    async def _send(self, call: _Call, dialect: Dialect) -> Any:
        call.tries += 1
        model = self._endpoint.models[call.request.role]
        body = dialect.parameters(call.request, model=model, max_tokens=call.max_tokens)
        return await self._client.chat.completions.create(
            **body, extra_headers={TRACE_HEADER: call.request.trace}
        )

    def _verdict(self, call: _Call, error: openai.APIError) -> Verdict:
        return verdict(
            error,
            request=call.request,
            model=self._endpoint.models[call.request.role],
            base_url=self._endpoint.base_url,
        )

    async def _heed(self, said: Verdict, call: _Call, used: Dialect) -> None:
        match said:
            case Stop(why=why):
                raise ModelError(why)
            case Refuse(why=why):
                raise RefusalError(why, call.usage or Usage(), None)
            case Adapt(change=change, why=why):
                if not learn(self._dialect, used, change):
                    raise ModelError(f"{call.request.trace}: the server refused the request: {why}")
            case Wait(why=why) if call.tries >= TRIES:
                raise ModelError(f"{call.request.trace}: given up after {call.tries} tries: {why}")
            case Wait(seconds=seconds, everyone=everyone):
                await self._pause(call, seconds, everyone=everyone)

    async def _pause(self, call: _Call, seconds: float | None, *, everyone: bool) -> None:
        growing = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (call.tries - 1))
        pause = seconds if seconds is not None else growing * random.uniform(0.5, 1.0)
        if everyone:
            self._resume_at = max(self._resume_at, time.monotonic() + pause)
            return
        call.waited_s += pause
        await asyncio.sleep(pause)

    async def _until_resumed(self, call: _Call) -> None:
        while (pause := self._resume_at - time.monotonic()) > 0:
            call.waited_s += pause
            await asyncio.sleep(pause)

    def _reply(self, call: _Call, completion: Any, seconds: float) -> Reply | None:
        """The whole answer, or None where it was cut and is asked for again with more room."""
        if not isinstance(completion, ChatCompletion) or not completion.choices:
            raise ModelError(
                f"OPENAI_BASE_URL: {self._endpoint.base_url} answered with something else than a "
                "chat completion; does the address lack '/v1' at its end?"
            )
        choice = completion.choices[0]
        model = self._endpoint.models[call.request.role]
        call.count(_usage(completion.usage))
        usage = call.usage or Usage()
        cost = cost_usd(usage, model=model, base_url=self._endpoint.base_url)
        text = choice.message.content or ""
        if choice.message.refusal or choice.finish_reason == "content_filter":
            why = choice.message.refusal or "stopped by the content filter"
            raise RefusalError(f"{call.request.trace}: the model refused: {why}", usage, cost)
        if choice.finish_reason == "length":
            _enlarge(call, text)
            return None
        return Reply(
            text=text,
            model=completion.model or model,
            usage=usage,
            cost_usd=cost,
            latency_ms=round(seconds * 1000),
            tries=call.tries,
            waited_ms=round(call.waited_s * 1000),
        )


def _enlarge(call: _Call, text: str) -> None:
    """Double the cap once for an answer that was cut; a second cut ends the call."""
    if call.max_tokens > call.request.max_tokens:
        cause = "was cut" if text.strip() else "is empty, all of it was spent on reasoning"
        raise ModelError(
            f"{call.request.trace}: the answer {cause} at {call.max_tokens} tokens, twice the "
            "prompt's cap; raise 'max_tokens' in its head"
        )
    call.max_tokens *= 2


def _usage(given: CompletionUsage | None) -> Usage:
    if given is None:
        return Usage()
    prompt, completion = given.prompt_tokens_details, given.completion_tokens_details
    return Usage(
        prompt_tokens=given.prompt_tokens,
        cached_tokens=prompt.cached_tokens if prompt else None,
        completion_tokens=given.completion_tokens,
        reasoning_tokens=completion.reasoning_tokens if completion else None,
    )
