"""CPU of the model client for one call, beside the bare `openai` client on the same server.

    python -m tests.benchmarks.client_overhead

The server runs in a process of its own and answers at once; rounds of both clients alternate, and
the medians are compared. The bar is 1.5 times (issue "A model client that survives real servers").
"""

import asyncio
import json
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from multiprocessing.connection import Connection
from typing import Any

import openai

from orch_dagster.model import Ask, Message
from resources.model.client import Limits, ModelClient

ROUNDS, CALLS, IN_FLIGHT = 15, 200, 16
BAR = 1.5

PROMPT = "A sentence of the brief, of about the usual length, that says what is to be said. " * 100
ANSWER = {"sections": [{"heading": f"Section {n}", "text": PROMPT[:400]} for n in range(6)]}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "sections": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"heading": {"type": "string"}, "text": {"type": "string"}},
                "required": ["heading", "text"],
            },
        }
    },
    "required": ["sections"],
}


class _Server(asyncio.Protocol):
    """Answers every request with the same bytes; parses only what says where a request ends."""

    def __init__(self, answer: bytes) -> None:
        self._answer, self._heard = answer, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport

    def data_received(self, data: bytes) -> None:
        self._heard += data
        head, end, body = self._heard.partition(b"\r\n\r\n")
        if end and len(body) >= int(head.lower().partition(b"content-length:")[2].split(b"\r")[0]):
            self._heard = b""
            self._transport.write(self._answer)


def _serve(pipe: Connection) -> None:
    usage = {"prompt_tokens": 2000, "completion_tokens": 700, "total_tokens": 2700}
    message = {"role": "assistant", "content": json.dumps(ANSWER), "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    whole = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "usage": usage}
    body = json.dumps({**whole, "choices": [choice]}).encode()
    head = (
        f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: _Server(head.encode() + body), "127.0.0.1", 0)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())


async def _round(call: Callable[[str], Awaitable[Any]], label: str) -> float:
    """Milliseconds of CPU a call, all threads of this process together."""
    places = asyncio.Semaphore(IN_FLIGHT)

    async def one(number: int) -> None:
        async with places:
            await call(f"{label} {number}: {PROMPT}")

    started = time.process_time()
    await asyncio.gather(*(one(number) for number in range(CALLS)))
    return (time.process_time() - started) / CALLS * 1000


async def _measure(base_url: str) -> tuple[list[float], list[float]]:
    ours, bare = [], []
    with closing(ModelClient(Limits(IN_FLIGHT, 60))) as client:
        async with openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0) as other:

            async def ask(prompt: str) -> None:
                messages = (Message("system", "You are an editor."), Message("user", prompt))
                await client.ask(
                    Ask(messages, "fast", "Sections", SCHEMA, 2000, "a/b/c/d#1", "c", 1)
                )

            async def create(prompt: str) -> None:
                await other.chat.completions.create(
                    model="m",
                    messages=[
                        {"role": "system", "content": "You are an editor."},
                        {"role": "user", "content": prompt},
                    ],
                    response_format={
                        "type": "json_schema",
                        "json_schema": {"name": "Sections", "schema": SCHEMA},
                    },
                    max_completion_tokens=2000,
                    extra_headers={"X-Orch-Trace": "a/b/c/d#1"},
                )

            for number in range(ROUNDS + 1):
                ours.append(await _round(ask, f"ours {number}"))
                bare.append(await _round(create, f"bare {number}"))
    return ours[1:], bare[1:]  # the first round opens connections and imports what is lazy


def main() -> int:
    """Print both medians and their ratio; 1 where the bar is missed."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    server = spawn.Process(target=_serve, args=(there,), daemon=True)
    server.start()
    base_url = f"http://127.0.0.1:{here.recv()}/v1"
    os.environ |= {"OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": "none", "ORCH_MODEL": "m"}
    try:
        ours, bare = asyncio.run(_measure(base_url))
    finally:
        server.terminate()
        server.join()
    mine, other = statistics.median(ours), statistics.median(bare)
    ratio = statistics.median(a / b for a, b in zip(ours, bare, strict=True))
    sys.stdout.write(
        f"{ROUNDS} rounds of {CALLS} calls, {IN_FLIGHT} in flight, CPU a call (median):\n"
        f"  model client  {mine:.2f} ms\n  bare openai   {other:.2f} ms\n"
        f"  ratio         {ratio:.2f} (bar {BAR})\n"
    )
    return 0 if ratio <= BAR else 1


if __name__ == "__main__":
    raise SystemExit(main())
