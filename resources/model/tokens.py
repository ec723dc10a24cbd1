"""Token counts, read from what servers call them."""

from collections.abc import Mapping
from typing import Any

from orch_dagster.core.spending import Usage

_Path = tuple[str, ...]

_ABSURD = 10**12

_NAMES: Mapping[str, tuple[_Path, ...]] = {
    "prompt_tokens": (("prompt_tokens",), ("input_tokens",)),
    "cached_tokens": (
        ("prompt_tokens_details", "cached_tokens"),
        ("input_tokens_details", "cached_tokens"),
        ("prompt_cache_hit_tokens",),  # DeepSeek
        ("cached_tokens",),  # Moonshot
    ),
    "completion_tokens": (("completion_tokens",), ("output_tokens",)),
    "reasoning_tokens": (
        ("completion_tokens_details", "reasoning_tokens"),
        ("output_tokens_details", "reasoning_tokens"),
        ("reasoning_tokens",),
    ),
}


def tokens_in(usage: Any) -> Usage:
    """The counts of a `usage` object; what is missing, null or no number is unknown.

    Where the total is more than its parts, the rest is reasoning that was billed and not counted
    as completion (seen at Gemini and Grok).
    """
    counts = {name: _first(usage, paths) for name, paths in _NAMES.items()}
    prompt, total = counts["prompt_tokens"], _first(usage, (("total_tokens",),))
    if prompt is not None and total is not None and total > prompt:
        counts["completion_tokens"] = max(counts["completion_tokens"] or 0, total - prompt)
    return Usage(**counts)


def _first(usage: Any, paths: tuple[_Path, ...]) -> int | None:
    found = (_count(_at(usage, path)) for path in paths)
    return next((count for count in found if count is not None), None)


def _at(value: Any, path: _Path) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _count(value: Any) -> int | None:
    match value:
        case bool():
            return None
        case int() if 0 <= value < _ABSURD:
            return value
        case float() if 0 <= value < _ABSURD and value.is_integer():
            return int(value)
        case str() if value.isascii() and value.isdecimal() and len(value) < 16:
            return int(value)
        case _:
            return None
