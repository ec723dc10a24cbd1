"""A chat completion request, taken apart."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

Form = Literal["text", "json_object", "json_schema"]

_ATTEMPT = re.compile(r"#(\d+)$")
_FENCED_JSON = re.compile(r"```json\s*\n(.*?)```", re.DOTALL)
_SCHEMA_KEYS = frozenset({"properties", "$defs", "$ref", "anyOf", "oneOf", "allOf", "items"})


class RequestError(Exception):
    """A request that a server of this protocol answers with status 400."""

    def __init__(self, message: str, *, param: str | None = None) -> None:
        """Keeps the name of the parameter at fault for the error body."""
        super().__init__(message)
        self.param = param


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation, its parts joined to one text."""

    role: str
    text: str


@dataclass(frozen=True)
class ChatRequest:
    """What the simulator looks at; every other parameter is accepted and ignored."""

    model: str
    messages: tuple[Message, ...]
    form: Form
    schema: Mapping[str, Any] | None
    max_tokens: int | None
    trace: str

    @cached_property
    def text(self) -> str:
        """All messages as one text, in order."""
        return "\n\n".join(message.text for message in self.messages)

    @cached_property
    def last_user_text(self) -> str:
        """The newest user message, or an empty text where there is none."""
        return next((m.text for m in reversed(self.messages) if m.role == "user"), "")

    @cached_property
    def digest(self) -> str:
        """Hash of messages and schema, so that a larger token cap continues the same answer."""
        spoken = json.dumps([(m.role, m.text) for m in self.messages], ensure_ascii=False)
        schema = json.dumps(self.schema) if self.schema is not None else self.form
        return hashlib.blake2b(f"{spoken}\0{schema}".encode(), digest_size=16).hexdigest()

    @property
    def task(self) -> str:
        """The trace without its attempt, or the digest where no trace came along."""
        return _ATTEMPT.sub("", self.trace) or self.digest

    @property
    def attempt(self) -> int:
        """The number behind `#` in the trace, at least 1."""
        found = _ATTEMPT.search(self.trace)
        return max(1, int(found[1])) if found else 1

    @cached_property
    def wanted_schema(self) -> Mapping[str, Any] | None:
        """The schema of the response format, else one that the messages hold in a json fence."""
        if self.schema is not None:
            return self.schema
        fences = (_schema_in(fence) for fence in reversed(_FENCED_JSON.findall(self.text)))
        return next((schema for schema in fences if schema is not None), None)


def parse_request(body: bytes, *, trace: str) -> ChatRequest:
    """The request in `body`.

    Raises:
        RequestError: what is missing or malformed, in words.
    """
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"the body is no JSON: {error}") from error
    if not isinstance(data, dict):
        raise RequestError("the body is no JSON object")
    _refuse_unsupported(data)
    form, schema = _response_format(data.get("response_format"))
    return ChatRequest(
        model=_model(data),
        messages=_messages(data.get("messages")),
        form=form,
        schema=schema,
        max_tokens=_max_tokens(data),
        trace=trace,
    )


def _refuse_unsupported(data: dict[str, Any]) -> None:
    if data.get("stream"):
        raise RequestError("the simulator does not stream", param="stream")
    if data.get("n", 1) not in (None, 1):
        raise RequestError("the simulator gives one choice", param="n")


def _model(data: dict[str, Any]) -> str:
    model = data.get("model")
    if not isinstance(model, str) or not model:
        raise RequestError("you must provide a model parameter", param="model")
    return model


def _messages(raw: Any) -> tuple[Message, ...]:
    if not isinstance(raw, list) or not raw:
        raise RequestError("'messages' must be a list with at least one message", param="messages")
    return tuple(_message(item, index) for index, item in enumerate(raw))


def _message(raw: Any, index: int) -> Message:
    if not isinstance(raw, dict) or not isinstance(raw.get("role"), str):
        raise RequestError(f"message {index} has no role", param=f"messages.[{index}].role")
    content = raw.get("content")
    if content is None or isinstance(content, str):
        return Message(raw["role"], content or "")
    if not isinstance(content, list):
        raise RequestError(
            f"content of message {index} is neither text nor a list of parts",
            param=f"messages.[{index}].content",
        )
    parts = (part.get("text") for part in content if isinstance(part, dict))
    return Message(raw["role"], "\n".join(part for part in parts if isinstance(part, str)))


def _response_format(raw: Any) -> tuple[Form, Mapping[str, Any] | None]:
    match raw:
        case None | {"type": "text"}:
            return "text", None
        case {"type": "json_object"}:
            return "json_object", None
        case {"type": "json_schema", "json_schema": {"name": str(), "schema": dict() as schema}}:
            return "json_schema", schema
        case _:
            raise RequestError(
                "response_format is neither text, json_object nor a json_schema with name and schema",
                param="response_format",
            )


def _max_tokens(data: dict[str, Any]) -> int | None:
    for param in ("max_completion_tokens", "max_tokens"):
        value = data.get(param)
        if value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise RequestError(f"{param} is {value!r}, not a number from 1", param=param)
        return value
    return None


def _schema_in(fenced: str) -> Mapping[str, Any] | None:
    try:
        data = json.loads(fenced)
    except ValueError:
        return None
    return data if isinstance(data, dict) and _SCHEMA_KEYS & data.keys() else None
