"""Requests without a server, for tests of the answers alone."""

import json
from typing import Any

from resources.simulator.answers import answer
from resources.simulator.request import ChatRequest, parse_request


def chat(
    prompt: str, *, trace: str = "", system: str = "You are an editor.", **more: Any
) -> ChatRequest:
    """The request that a client would send for `prompt`."""
    messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
    body = {"model": "simulator-fast", "messages": messages, **more}
    return parse_request(json.dumps(body).encode(), trace=trace)


def schema_format(schema: Any) -> dict[str, Any]:
    """A response format that asks for `schema`."""
    return {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": schema, "strict": True},
    }


def filled(schema: Any, prompt: str = "Fill it in.", *, trace: str = "", seed: int = 0) -> Any:
    """The answer to a request for `schema`, parsed."""
    request = chat(prompt, trace=trace, response_format=schema_format(schema))
    return json.loads(answer(request, seed=seed))
