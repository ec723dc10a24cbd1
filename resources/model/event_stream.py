"""Server-sent events where none were asked for: put together into the completion they tell."""

import json
from typing import Any


def is_event_stream(text: str) -> bool:
    """Whether a body is a stream of events rather than JSON."""
    return text.lstrip().startswith(("data:", "event:", ":"))


def assembled(text: str) -> Any:
    """The completion that the events tell, as the body of an answer that was not streamed.

    Raises:
        ValueError: an event is no JSON, or the stream ends before the answer does.
    """
    lines = [line[5:].strip() for line in text.split("\n") if line.startswith("data:")]
    events = [json.loads(line) for line in lines if line not in ("", "[DONE]")]
    whole: dict[str, Any] = {}
    choice: dict[str, Any] = {"finish_reason": None}
    message: dict[str, Any] = {"content": ""}
    for event in filter(_is_object, events):
        whole |= {key: value for key, value in event.items() if value and key != "choices"}
        for piece in filter(_is_object, event.get("choices") or ()):
            choice["finish_reason"] = piece.get("finish_reason") or choice["finish_reason"]
            _add(message, piece.get("delta") or piece.get("message") or {})
    if "error" not in whole and choice["finish_reason"] is None and "[DONE]" not in lines:
        raise ValueError("the stream ends before the answer does")
    return whole | {"choices": [choice | {"message": message}]}


def _add(message: dict[str, Any], delta: dict[str, Any]) -> None:
    for key in ("content", "reasoning_content", "refusal"):
        if isinstance(piece := delta.get(key), str):
            message[key] = message.get(key, "") + piece


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)
