"""How one server wants a request for one model said, by what it has refused so far."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from orch_dagster.model import Ask, Message

CAPS = ("max_completion_tokens", "max_tokens")
"""The names of the token cap, newest first; where both are refused, none is sent."""

STRUCTURES = ("json_schema", "json_object")
"""The response formats, strictest first; where both are refused, the words of the request must do."""

SYSTEM = "system role"
"""A message of its own for the system text; some chat templates know user and assistant only."""

UNSAID = "schema unsaid"
"""A schema that stands in the response format alone: some servers take that and never look."""

CRAMPED = "cap without room for reasoning"
"""The prompt's cap as it is: models that reason count that into the cap and have nothing left."""

ROOM_FOR_REASONING = 8_192
"""Tokens on top of the cap for a model that was seen to spend one on reasoning."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The forms that are left. Refusals are all that is remembered, so that two can be added."""

    refused: frozenset[str] = frozenset()

    def without(self, form: str) -> "Dialect":
        """The dialect after one more refusal."""
        return replace(self, refused=self.refused | {form})

    def __or__(self, other: "Dialect") -> "Dialect":
        return Dialect(self.refused | other.refused)

    @property
    def cap(self) -> str | None:
        """The name of the token cap."""
        return next((name for name in CAPS if name not in self.refused), None)

    @property
    def structure(self) -> str | None:
        """The response format of a structured answer."""
        return next((form for form in STRUCTURES if form not in self.refused), None)

    def cap_value(self, max_tokens: int) -> int:
        """The cap to send for an answer of at most so many tokens."""
        return max_tokens + (ROOM_FOR_REASONING if CRAMPED in self.refused else 0)

    def body(
        self, request: Ask, *, model: str, max_tokens: int, options: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The request's body. `options` are parameters that it can do without."""
        body: dict[str, Any] = {"model": model, "messages": self._messages(request)}
        if self.cap:
            body[self.cap] = self.cap_value(max_tokens)
        if request.schema is not None and self.structure:
            body["response_format"] = _format(request, self.structure)
        return body | {name: value for name, value in options.items() if name not in self.refused}

    def _messages(self, request: Ask) -> list[dict[str, str]]:
        messages = list(request.messages)
        if SYSTEM in self.refused and messages[0].role == "system" and len(messages) > 1:
            first, second = messages[:2]
            messages[:2] = [Message(second.role, f"{first.content}\n\n{second.content}")]
        if request.schema is not None and (
            self.structure != "json_schema" or UNSAID in self.refused
        ):
            # In the last message: what comes before stays the same for other prompts, and cached.
            last = messages[-1]
            messages[-1] = Message(last.role, last.content + _instruction(request))
        return [{"role": message.role, "content": message.content} for message in messages]


def _format(request: Ask, structure: str) -> dict[str, Any]:
    if structure == "json_object":
        return {"type": "json_object"}
    schema = {"name": request.schema_name, "schema": request.schema}
    return {"type": "json_schema", "json_schema": schema}


def _instruction(request: Ask) -> str:
    schema = json.dumps(request.schema, ensure_ascii=False)
    return (
        "\n\nAnswer with one JSON object and nothing else. It must fit this JSON schema:\n"
        f"```json\n{schema}\n```"
    )
