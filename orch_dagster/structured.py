"""Structured answers: from a model's text to an instance of the output model, or faults in words."""

import json
import re
from collections import Counter
from math import isinf
from typing import Any

from pydantic import BaseModel, ValidationError

from orch_dagster.thinking import without_thinking

_FENCE_OPENS = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})[ \t]*\w*[ \t\r]*", re.MULTILINE)
_FENCE_CLOSES = r"[ \t]*{mark}[ \t\r]*$"
_OBJECT_BEGINS = re.compile(r"\{\s*[\"}]")


def parse_structured(model: type[BaseModel], text: str) -> BaseModel:
    """The one JSON object in the text, as the output model sees it; nothing is coerced.

    Raises:
        ValueError: what is wrong and at which field, in words that a model can act on.
    """
    try:
        text = json_object_in(text)
        json.loads(
            text,
            object_pairs_hook=_refuse_repeated,
            parse_constant=_refuse_constant,
            parse_float=_refuse_endless,
        )
        return model.model_validate_json(text, strict=True)
    except ValidationError as error:
        raise ValueError("; ".join(_fault(detail) for detail in error.errors()[:8])) from error
    except RecursionError as error:
        raise ValueError("not one JSON object: is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise ValueError(
            f"not one JSON object: {error.msg} at character {error.pos} of {len(text)}"
        ) from error


def json_object_in(text: str) -> str:
    """The text of the object: the whole answer, or what stands in its one code fence.

    A thinking block before it and a byte order mark are passed over, and so are sentences around
    a fence. A fence inside a JSON string is content: a line of it cannot begin or end with the
    marks, because JSON strings hold no line break.

    Raises:
        ValueError: more than one fence, or an object beside the fence.
    """
    bare = _trimmed(text)
    if bare.startswith("{"):
        return bare
    bare = _trimmed(without_thinking(text))
    opening = None if bare.startswith("{") else _FENCE_OPENS.search(bare)
    if opening is None:
        return bare
    closing = re.compile(_FENCE_CLOSES.format(mark=re.escape(opening[1])), re.MULTILINE).search(
        bare, opening.end()
    )
    inside = bare[opening.end() : closing.start() if closing else None]
    around = bare[: opening.start()] + (bare[closing.end() :] if closing else "")
    if _OBJECT_BEGINS.search(around) or _FENCE_OPENS.search(around):
        raise ValueError("not one JSON object: there is more than one")
    return inside.strip()


def _trimmed(text: str) -> str:
    return text.strip().removeprefix("\ufeff").strip()


def _fault(detail: Any) -> str:
    where = ".".join(str(part) for part in detail["loc"]) or "the object"
    return f"{where}: {detail['msg']}"


def _refuse_repeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    times = Counter(key for key, _ in pairs)
    if repeated := [key for key, count in times.items() if count > 1]:
        raise ValueError(f"the key {repeated[0]!r} stands twice in one object")
    return dict(pairs)


def _refuse_endless(digits: str) -> float:
    if isinf(value := float(digits)):
        raise ValueError(f"the number {digits[:40]} is too large")
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")
