"""A chat completion, read from whatever a server calls one."""

import codecs
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from orch_dagster.core.spending import Usage
from orch_dagster.thinking import without_thinking
from resources.model.event_stream import assembled, is_event_stream
from resources.model.failure import Failure, failure_in, status_in
from resources.model.tokens import tokens_in

Ending = Literal["whole", "unsaid", "cut", "declined"]

_ENDINGS: Mapping[str, Ending] = {
    "length": "cut",
    "max_tokens": "cut",
    "max_output_tokens": "cut",
    "model_length": "cut",
    "content_filter": "declined",
    "refusal": "declined",
    "safety": "declined",
    "recitation": "declined",
    "blocklist": "declined",
    "prohibited_content": "declined",
    "spii": "declined",
    "guardrail_intervened": "declined",
}
"""Finish reasons that are no good end; every other (`stop`, `eos`, ...) is. None is "unsaid"."""


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer: its text without thinking, how it ended, and what it was billed.

    `called` are the arguments of a tool call that came instead of a text. `thought` says that
    the model was seen to reason; `why` why it declined.
    """

    text: str
    called: str | None
    ending: Ending
    why: str
    thought: bool
    model: str | None
    usage: Usage


def read_completion(
    content: bytes, *, headers: Mapping[str, str], charset: str | None
) -> Completion | Failure:
    """The completion in the body of an answer with status 200, or why there is none."""
    if not content.strip():
        return Failure("no whole answer", "an empty body")
    try:
        text = _decoded(content, charset)
    except UnicodeDecodeError as error:
        return Failure("no whole answer", f"a body that is no UTF-8 (byte {error.start})")
    try:
        data = assembled(text) if is_event_stream(text) else json.loads(text)
    except (ValueError, RecursionError) as error:
        if text.lstrip().startswith("{") or is_event_stream(text):
            return Failure("no whole answer", f"half a body ({error})")
        return Failure("no chat", "the reply is a page or a text, not JSON")
    return _completion(data, headers)


def _decoded(content: bytes, charset: str | None) -> str:
    """JSON is UTF-8 (RFC 8259) whatever a proxy says; where it cannot be, the proxy may be right."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        if charset is None or not _is_charset(charset):
            raise
        return content.decode(charset)


def _is_charset(name: str) -> bool:
    try:
        codecs.lookup(name)
    except LookupError:
        return False
    return True


def _completion(data: Any, headers: Mapping[str, str]) -> Completion | Failure:
    match data:
        case {"error": error} if error:
            return failure_in(data, status=status_in(error), headers=headers)
        case {"choices": [{"message": {} as message} as choice, *_]}:
            found = _choice(choice, message, headers)
        case {"choices": [{"error": error}, *_]} if error:
            found = failure_in(error, status=status_in(error), headers=headers)
        case {"choices": _}:
            found = Failure("no whole answer", "no choice in it")
        case _:
            return Failure("no chat", "the reply is JSON, but no chat completion")
    usage = tokens_in(data.get("usage"))
    if isinstance(found, Failure):
        return replace(found, usage=usage) if data.get("usage") else found
    model = data.get("model")
    return replace(
        found,
        usage=usage,
        model=model if isinstance(model, str) and model else None,
        thought=found.thought or bool(usage.reasoning_tokens),
    )


def _choice(
    choice: Mapping[str, Any], message: Mapping[str, Any], headers: Mapping[str, str]
) -> Completion | Failure:
    reason = str(choice.get("finish_reason") or "").lower().replace("-", "_")
    if reason == "error" or choice.get("error"):
        error = choice.get("error")
        return failure_in(error or "the server broke off", status=status_in(error), headers=headers)
    said = _text(message.get("content"))
    text = without_thinking(said).strip()
    refusal = _refusal(message)
    ending = "declined" if refusal else _ENDINGS.get(reason, "whole" if reason else "unsaid")
    return Completion(
        text=text,
        called=_called(message),
        ending=ending,
        why=(refusal or f"finish reason {reason!r}") if ending == "declined" else "",
        thought=len(text) < len(said.strip())
        or bool(message.get("reasoning_content") or message.get("reasoning")),
        model=None,
        usage=Usage(),
    )


def _text(content: Any) -> str:
    """The text of a content: itself, its text parts put together, an object written down."""
    match content:
        case str():
            return content
        case list():
            return "".join(part["text"] for part in content if _is_text(part))
        case {**fields} if fields:
            return json.dumps(fields, ensure_ascii=False)
        case _:
            return ""


def _is_text(part: Any) -> bool:
    return isinstance(part, Mapping) and isinstance(part.get("text"), str)


def _refusal(message: Mapping[str, Any]) -> str | None:
    parts = message.get("content")
    said = [message.get("refusal")]
    if isinstance(parts, list):
        said += [part.get("refusal") for part in parts if isinstance(part, Mapping)]
    return next((text for text in said if isinstance(text, str) and text.strip()), None)


def _called(message: Mapping[str, Any]) -> str | None:
    match message.get("tool_calls"):
        case [{"function": {"arguments": str(arguments)}}]:
            return arguments
        case _:
            return None
