"""What came instead of an answer: a failure as the table of verdicts sees it."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from orch_dagster.core.spending import NOTHING, Usage

Seen = int | Literal["no reply", "no whole answer", "no chat"]
"""An HTTP status; or nothing whole came, a broken answer did, or one of another protocol."""

_SHOWN, _SEARCHED, _DEEPEST = 300, 4_000, 12

_MESSAGES = ("message", "msg", "detail", "error_description", "reason", "title", "error")
_ECHOES = frozenset({"input", "ctx", "url", "body", "request", "messages", "stack", "traceback"})
"""Parts of an error that repeat the request: words in them say nothing about what is wrong."""

_SOON = re.compile(r"(?:try again|retry|retrydelay)\W{1,4}(?:in |after )?(\d+(?:\.\d+)?) ?(ms|m|s)")
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Failure:
    """What was seen, the server's sentence for people, and all its words for the table.

    `pause_s` is how long it asks to be let alone; `usage` what it billed all the same.
    """

    seen: Seen
    said: str
    words: str = ""
    pause_s: float | None = None
    usage: Usage = NOTHING


def failure_of(status: int, headers: Mapping[str, str], body: bytes) -> Failure:
    """The failure in an answer with an error status."""
    text = body.decode("utf-8", "replace")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict | list) and data:
        return failure_in(data, status=status, headers=headers)
    said = _readable(text)
    return Failure(status, said, said.lower(), _pause(headers, ""))


def failure_in(data: Any, *, status: int, headers: Mapping[str, str]) -> Failure:
    """The failure in a JSON body, or in a part of one that should have been an answer."""
    words = " ".join(_words(data, 0))[:_SEARCHED].lower()
    said = _readable(_message(data, 0) or words)
    return Failure(status, said, words, _pause(headers, words))


def status_in(error: Any) -> int:
    """The status that an error object itself names, or 502: the server could have sent one."""
    named = [str(error.get(key)) for key in ("code", "status")] if isinstance(error, dict) else []
    return next((int(code) for code in named if re.fullmatch("[45][0-9][0-9]", code)), 502)


def _words(value: Any, depth: int) -> Iterator[str]:
    """Every word and number of an error but what it repeats of the request, keys included."""
    if depth > _DEEPEST:
        return
    match value:
        case Mapping():
            for key, part in value.items():
                if str(key).lower() not in _ECHOES:
                    yield str(key)
                    yield from _words(part, depth + 1)
        case list():
            for part in value:
                yield from _words(part, depth + 1)
        case str() | int() | float():
            yield str(value)


def _message(value: Any, depth: int) -> str:
    if depth > _DEEPEST:
        return ""
    match value:
        case str():
            return value
        case list():
            return next((said for part in value if (said := _message(part, depth + 1))), "")
        case Mapping():
            inner = value.get("error")
            parts = [inner if isinstance(inner, Mapping) else None]
            parts += [value.get(key) for key in _MESSAGES]
            return next((said for part in parts if (said := _message(part, depth + 1))), "")
        case _:
            return ""


def _readable(text: str) -> str:
    if title := _TITLE.search(text):
        text = title[1]
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:_SHOWN]


def _pause(headers: Mapping[str, str], words: str) -> float | None:
    """Seconds until the server wants to be asked again; None where it names no time to come."""
    named = (
        _number(headers.get("retry-after-ms"), per_second=1000),
        _number(headers.get("retry-after"), per_second=1),
        _until(headers.get("retry-after"), headers.get("date")),
        _soon(words),
    )
    return next((seconds for seconds in named if seconds is not None and seconds > 0), None)


def _number(text: str | None, *, per_second: int) -> float | None:
    found = re.fullmatch(r"\s*(\d{1,12}(?:\.\d+)?)\s*", text or "")
    return float(found[1]) / per_second if found else None


def _until(text: str | None, now: str | None) -> float | None:
    """Seconds to an HTTP date, on the server's own clock where it tells it."""
    then = _date(text)
    return None if then is None else (then - (_date(now) or datetime.now(UTC))).total_seconds()


def _date(text: str | None) -> datetime | None:
    try:
        date = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _soon(words: str) -> float | None:
    found = _SOON.search(words)
    return float(found[1]) * {"ms": 0.001, "s": 1, "m": 60}[found[2]] if found else None
