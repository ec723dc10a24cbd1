"""How one server wants a request said: learned from its refusals, remembered for the process."""

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from orch_dagster.model import Ask

CapName = Literal["max_completion_tokens", "max_tokens"]
Structure = Literal["json_schema", "json_object", "instructions"]


@dataclass(slots=True)
class Dialect:
    """The forms that a server has not refused so far. It starts with the newest."""

    cap: CapName = "max_completion_tokens"
    structure: Structure = "json_schema"
    refused_caps: set[CapName] = field(default_factory=set)

    def parameters(self, request: Ask, *, model: str, max_tokens: int) -> dict[str, Any]:
        """The request's body in this dialect."""
        messages = [{"role": m.role, "content": m.content} for m in request.messages]
        body: dict[str, Any] = {"model": model, "messages": messages, self.cap: max_tokens}
        if request.schema is None:
            return body
        match self.structure:
            case "json_schema":
                body["response_format"] = {
                    "type": "json_schema",
                    "json_schema": {"name": request.schema_name, "schema": request.schema},
                }
            case "json_object":
                body["response_format"] = {"type": "json_object"}
                messages[0]["content"] += _instruction(request)
            case "instructions":
                messages[0]["content"] += _instruction(request)
        return body

    def swap_cap(self, used: CapName) -> bool:
        """Say the token cap by its other name; False where the server refused that one too."""
        self.refused_caps.add(used)
        other: CapName = (
            "max_tokens" if used == "max_completion_tokens" else "max_completion_tokens"
        )
        if other in self.refused_caps:
            return False
        self.cap = other
        return True

    def loosen_structure(self, used: Structure) -> bool:
        """Ask for structure by the next weaker means; False where there is none left."""
        weaker: dict[Structure, Structure] = {
            "json_schema": "json_object",
            "json_object": "instructions",
        }
        if used not in weaker:
            return False
        if self.structure == used:
            self.structure = weaker[used]
        return True


def _instruction(request: Ask) -> str:
    schema = json.dumps(request.schema, ensure_ascii=False)
    return (
        "\n\nAnswer with one JSON object and nothing else. It must fit this JSON schema:\n"
        f"```json\n{schema}\n```"
    )
