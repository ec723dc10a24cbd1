"""Requests as a chain makes them."""

import asyncio
from collections.abc import Mapping
from typing import Any

from orch_dagster.model import Ask, Message, Model, Reply, Role

TRACE = "content/snow/article/lede#1"

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"score": {"type": "number"}, "notes": {"type": "string"}},
    "required": ["score", "notes"],
    "additionalProperties": False,
}
FITTING = '{"score": 4.5, "notes": "Fine."}'


def ask(
    prompt: str = "Write the lede.",
    *,
    schema: Mapping[str, Any] | None = None,
    max_tokens: int = 100,
    role: Role = "fast",
    trace: str = TRACE,
    library: str = "article",
    chain_length: int = 1,
) -> Ask:
    """A request with a system text."""
    return Ask(
        messages=(Message("system", "You are an editor."), Message("user", prompt)),
        role=role,
        schema_name=None if schema is None else "Scored",
        schema=schema,
        max_tokens=max_tokens,
        trace=trace,
        library=library,
        chain_length=chain_length,
    )


def answer(client: Model, request: Ask | None = None) -> Reply:
    """The reply to one request, on an event loop of its own."""
    return asyncio.run(client.ask(request or ask()))


def answers(client: Model, requests: list[Ask]) -> list[Reply | BaseException]:
    """The replies to requests made at once, or what they failed with."""

    async def all_at_once() -> list[Reply | BaseException]:
        asking = (client.ask(request) for request in requests)
        return await asyncio.gather(*asking, return_exceptions=True)

    return asyncio.run(all_at_once())
