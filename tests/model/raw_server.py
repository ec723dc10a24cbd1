"""A server on loopback that says, byte for byte, what a test wants, and remembers what it heard."""

import asyncio
import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Deed(Enum):
    """What a server can do besides sending: end the connection, break it, or do nothing for ever."""

    CLOSE = 1
    RESET = 2
    HANG = 3


Said = bytes | float | Deed
"""Bytes to send, seconds to wait, or a deed."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One request: its number from 1, when it was whole (monotonic), and on which connection."""

    number: int
    time: float
    connection: int
    method: str
    path: str
    headers: Mapping[str, str]
    body: Any

    @property
    def trace(self) -> str:
        """The trace header."""
        return self.headers.get("x-orch-trace", "")


Answer = Callable[[Heard], bytes | Iterable[Said]]


@dataclass
class RawServer:
    """Answers every request with what `answer` says; counts may be read from any thread.

    With `tls` it is a proxy too, which takes each tunnel to end at itself: so it answers in the
    name of a server of the wide world to clients that trust its certificate.
    """

    answer: Answer
    tls: ssl.SSLContext | None = None
    base_url: str = ""
    heard: list[Heard] = field(default_factory=list)
    connections: int = 0
    open_connections: int = 0

    @property
    def chats(self) -> list[Heard]:
        """The chat requests among those heard."""
        return [heard for heard in self.heard if heard.path.endswith("/chat/completions")]

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        self.connections += 1
        self.open_connections += 1
        number = self.connections
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                while await self._serve(reader, writer, number):
                    pass
        finally:
            self.open_connections -= 1
            writer.close()

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: int
    ) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = head[0].split(" ")
        if method == "CONNECT" and self.tls:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await writer.start_tls(self.tls)
            return True
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:])}
        data = await reader.readexactly(int(headers.get("content-length", 0)))
        is_json = "json" in headers.get("content-type", "json")
        body = json.loads(data) if data and is_json else data or None
        number = len(self.heard) + 1
        heard = Heard(number, time.monotonic(), connection, method, path, headers, body)
        self.heard.append(heard)
        said = self.answer(heard)
        for part in (said,) if isinstance(said, bytes) else said:
            if not await _say(part, reader, writer):
                return False
        return True


async def _say(part: Said, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    match part:
        case bytes():
            writer.write(part)
            await writer.drain()
        case Deed.CLOSE:
            return False
        case Deed.RESET:
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            return False
        case Deed.HANG:
            await reader.read()
            return False
        case seconds:
            await asyncio.sleep(seconds)
    return True


def reply(body: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> bytes:
    """A whole HTTP answer; a body that is no bytes is sent as JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    names = {"content-type": "application/json", "content-length": str(len(data))}
    lines = [f"{name}: {value}" for name, value in (names | dict(headers or {})).items() if value]
    return "\r\n".join((f"HTTP/1.1 {status} X", *lines, "", "")).encode("latin-1") + data


def completion(content: Any = "Words.", **changes: Any) -> dict[str, Any]:
    """A chat completion; `finish_reason` and `message` change the choice, the rest the whole."""
    message = {"role": "assistant", "content": content} | changes.pop("message", {})
    choice = {"index": 0, "message": message, "finish_reason": changes.pop("finish_reason", "stop")}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    whole = {"id": "c1", "object": "chat.completion", "created": 1, "model": "a-model"}
    return {**whole, "choices": [choice], "usage": usage, **changes}


def in_turn(*answers: bytes | Iterable[Said]) -> Answer:
    """The answers by the number of the request, the last one again and again."""
    return lambda heard: answers[min(heard.number, len(answers)) - 1]


@contextmanager
def running_server(answer: Answer, tls: ssl.SSLContext | None = None) -> Iterator[RawServer]:
    """A server in a thread of its own, until the block ends."""
    server = RawServer(answer, tls)
    loop = asyncio.new_event_loop()
    ready, stop = threading.Event(), asyncio.Event()

    async def serve() -> None:
        listening = await asyncio.start_server(server.converse, "127.0.0.1", 0, backlog=512)
        server.base_url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
        ready.set()
        await stop.wait()
        listening.close()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(serve())

    thread = threading.Thread(target=run, name="raw server")
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
