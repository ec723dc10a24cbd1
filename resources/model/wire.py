"""The way to the server: one pool of connections, and one request on it."""

import asyncio
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from math import ceil
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit, urlunsplit

import httpx2
import openai

from resources.model.completion import Completion, read_completion
from resources.model.endpoint import Endpoint
from resources.model.failure import Failure, failure_of
from resources.model.log_filter import LogFilter

TRACE_HEADER = "X-Orch-Trace"

CONNECT_S, IDLE_S, LIST_S = 10.0, 60.0, 10.0
"""Seconds for a connection to come about, to keep one without work, and for a list of models."""

POOL = 8
"""Connections in one pool: for every request httpx looks at each connection of its pool, twice,
which for 64 in one is a quarter of the CPU time of a call (`tests/benchmarks`)."""


class Wire:
    """Connections to one server in small pools, for one event loop."""

    def __init__(self, endpoint: Endpoint, *, connections: int, limit_s: float) -> None:
        self._endpoint = endpoint
        self._log_filter = LogFilter(endpoint)
        pools = ceil(connections / POOL)
        self._clients = [
            open_client(endpoint, connections=ceil(connections / pools), limit_s=limit_s)
            for _ in range(pools)
        ]
        self._busy = [0] * pools

    async def complete(self, body: dict[str, Any], *, trace: str) -> Completion | Failure:
        """What comes back for one chat completion; nothing is tried again here."""
        with self._least_busy() as client:
            return await self._exchange(
                client.post(
                    "/chat/completions",
                    cast_to=httpx2.Response,
                    body=body,
                    options={"headers": {TRACE_HEADER: _printable(trace)}},
                )
            )

    async def models(self, *, headers: dict[str, str]) -> tuple[str, ...] | None:
        """The models that the server lists, or None where it does not; `headers` go over ours."""
        with suppress(openai.APIError, TimeoutError, ValueError, LookupError, TypeError):
            async with asyncio.timeout(LIST_S):
                reply = await self._clients[0].get(
                    "/models", cast_to=httpx2.Response, options={"headers": headers}
                )
            return tuple(str(model["id"]) for model in reply.json()["data"])
        return None

    async def close(self) -> None:
        """End all connections."""
        for client in self._clients:
            await client.close()
        self._log_filter.remove()

    @contextmanager
    def _least_busy(self) -> Iterator[openai.AsyncOpenAI]:
        pool = self._busy.index(min(self._busy))
        self._busy[pool] += 1
        try:
            yield self._clients[pool]
        finally:
            self._busy[pool] -= 1

    async def _exchange(self, sending: Any) -> Completion | Failure:
        try:
            reply = await sending
        except openai.APIStatusError as error:
            reply = error.response
        except openai.APIConnectionError as error:
            return unreached(error, self._endpoint)
        except UnicodeEncodeError:
            return Failure(400, "the prompt holds half a surrogate pair, which is no text")
        return self._read(reply)

    def _read(self, reply: httpx2.Response) -> Completion | Failure:
        """Nothing of the exchange is kept: it holds the key."""
        if not reply.is_success:
            return refusal_in(reply, self._endpoint)
        found = _completion(reply, reply.content)
        if not isinstance(found, Completion):
            found = _completion(reply, quotable(reply.content, self._endpoint))
        return without_secrets(found, self._endpoint)


def open_client(endpoint: Endpoint, *, connections: int, limit_s: float) -> openai.AsyncOpenAI:
    """The client for one server; it tries nothing again, and a request takes at most so long."""
    return openai.AsyncOpenAI(
        api_key=endpoint.key or "none",
        base_url=endpoint.base_url,
        default_headers=endpoint.headers,
        default_query=dict(endpoint.query),
        max_retries=0,
        timeout=openai.Timeout(limit_s, connect=min(limit_s, CONNECT_S)),
        http_client=httpx2.AsyncClient(
            limits=httpx2.Limits(
                max_connections=connections,
                max_keepalive_connections=connections,
                keepalive_expiry=IDLE_S,
            ),
            # A proxy for the outside world is not for the simulator inside this process.
            trust_env=not endpoint.is_stand_in,
        ),
    )


def refusal_in(reply: httpx2.Response, endpoint: Endpoint) -> Failure:
    """The failure in a reply that is no success."""
    if reply.is_redirect:
        return Failure(reply.status_code, _target(reply.headers.get("location", "")))
    failure = failure_of(reply.status_code, reply.headers, quotable(reply.content, endpoint))
    return without_secrets(failure, endpoint)


def unreached(error: openai.APIConnectionError, endpoint: Endpoint) -> Failure:
    """The failure where no reply came."""
    return Failure("no reply", _short(endpoint.hide(_cause(error))))


Found = TypeVar("Found", Completion, Failure, Completion | Failure)


def without_secrets(found: Found, endpoint: Endpoint) -> Found:
    """What was found, with everything hidden in it that the server may have quoted."""
    hide = endpoint.hide
    if isinstance(found, Completion):
        clean = endpoint.hide_in_answer
        return replace(
            found,
            text=clean(found.text),
            called=found.called and clean(found.called),
            why=hide(found.why),
        )
    return replace(found, said=hide(found.said), words=hide(found.words))


def quotable(content: bytes, endpoint: Endpoint) -> bytes:
    """A body as words of it may be shown. It is cut short later on, perhaps within a secret."""
    text = endpoint.hide(content.decode("utf-8", "surrogateescape"))
    return text.encode("utf-8", "surrogateescape")


def _completion(reply: httpx2.Response, content: bytes) -> Completion | Failure:
    return read_completion(content, headers=reply.headers, charset=reply.charset_encoding)


def _cause(error: openai.APIConnectionError) -> str:
    """The innermost words: 'Connection refused' says more than 'Connection error'."""
    said = type(error).__name__
    cause: BaseException | None = error
    while cause is not None:
        refused = isinstance(cause, ConnectionError) and cause.errno
        said = os.strerror(refused) if refused else _without_addresses(str(cause)) or said
        cause = cause.__cause__ or cause.__context__
    return said


def _without_addresses(text: str) -> str:
    return re.sub(r"0x[0-9a-f]{6,}", "", text).strip()


def _short(text: str) -> str:
    return text[:200]


def _target(address: str) -> str:
    url = urlsplit(address)
    host = url.netloc.rpartition("@")[2]
    return urlunsplit((url.scheme, host, url.path.removesuffix("/chat/completions"), "", ""))


def _printable(trace: str) -> str:
    """A trace as a header can carry it: the key of a translated article is a file's name."""
    return quote(trace, safe="/#:?&=@!$'()*+,;[]{}|^ ")
