"""Structured answers: from a model's text to an instance of the output model, or faults in words."""

import json
from collections import Counter
from math import isinf
from typing import Any

from pydantic import BaseModel, ValidationError


def parse_structured(model: type[BaseModel], text: str) -> BaseModel:
    """The one JSON object in the text, as the output model sees it; nothing is coerced.

    Raises:
        ValueError: what is wrong and at which field, in words that a model can act on.
    """
    try:
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
