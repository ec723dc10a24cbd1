"""What a server can answer, and what is done about it: the table of everything seen in the field."""

import re
from dataclasses import dataclass
from typing import Literal

import openai

from orch_dagster.model import Ask
from resources.model.dialect import Dialect


@dataclass(frozen=True, slots=True)
class Wait:
    """Try again: after `seconds` if the server named a time, else after a growing pause.

    `everyone` is true where the whole process is being limited, not this request.
    """

    seconds: float | None
    everyone: bool
    why: str


@dataclass(frozen=True, slots=True)
class Adapt:
    """Say the same in another form, at once."""

    change: Literal["cap", "structure"]
    why: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """The server's filter declined the request."""

    why: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Nothing to be done here; the sentence names the setting or the file to change."""

    why: str


Verdict = Wait | Adapt | Refuse | Stop

_CAP = re.compile(r"max_(completion_)?tokens", re.IGNORECASE)
_CONTEXT = re.compile(
    r"context.{0,3}(length|window|size)|maximum context|too many (input )?tokens|prompt is too long"
    r"|exceeds? the available context",
    re.IGNORECASE,
)
_STRUCTURE = re.compile(r"response_format|json_schema|json_object|guided|grammar", re.IGNORECASE)
_QUOTA = re.compile(r"insufficient_quota|quota|billing|credit", re.IGNORECASE)
_FILTER = re.compile(r"content_filter|content_policy|content management policy", re.IGNORECASE)


def verdict(error: openai.APIError, *, request: Ask, model: str, base_url: str) -> Verdict:
    """What to do about an error that the server, or the way to it, gave."""
    match error:
        case openai.APITimeoutError():
            return Wait(None, False, f"{base_url} did not answer in time")
        case openai.APIConnectionError():
            return Wait(
                None, False, f"OPENAI_BASE_URL: {base_url} cannot be reached ({_cause(error)})"
            )
        case openai.APIResponseValidationError():
            return Stop(_no_chat(base_url))
        case openai.RateLimitError():
            return _limited(error, base_url)
        case openai.APIStatusError(status_code=status) if status >= 500 or status in (
            408,
            409,
            425,
        ):
            return Wait(_retry_after(error), False, f"{base_url} answered {status}: {_text(error)}")
        case openai.APIStatusError():
            return _mistaken(error, request=request, model=model, base_url=base_url)
        case _:
            return Wait(None, False, f"{base_url}: {error.message}")


def _limited(error: openai.RateLimitError, base_url: str) -> Verdict:
    if error.code == "insufficient_quota" or (
        _retry_after(error) is None and _QUOTA.search(f"{error.code} {error.type}")
    ):
        return Stop(f"OPENAI_API_KEY: the quota at {base_url} is used up ({_text(error)})")
    return Wait(_retry_after(error), True, f"{base_url} limits the rate: {_text(error)}")


def _mistaken(error: openai.APIStatusError, *, request: Ask, model: str, base_url: str) -> Verdict:
    said = f"{error.code or ''} {error.param or ''} {error.message}"
    match error.status_code:
        case 401 | 403:
            return Stop(
                f"OPENAI_API_KEY: {base_url} refused the key ({error.status_code}: {_text(error)})"
            )
        case 404 if "model" in said.lower():
            return Stop(f"{_setting(request)}: {base_url} has no model {model!r} ({_text(error)})")
        case 404 | 405:
            return Stop(_no_chat(base_url))
        case _:
            return _refused_request(error, said, request=request, model=model)


def _refused_request(
    error: openai.APIStatusError, said: str, *, request: Ask, model: str
) -> Verdict:
    if error.code == "context_length_exceeded" or _CONTEXT.search(said):
        size = sum(len(message.content) for message in request.messages)
        return Stop(
            f"{request.trace}: the prompt ({size:,} characters, room for {request.max_tokens:,} "
            f"tokens of answer) is longer than the window of {model!r}: {_text(error)}"
        )
    if _FILTER.search(said):
        return Refuse(f"{request.trace}: the server's filter refused the request: {_text(error)}")
    if _CAP.search(said):
        return Adapt("cap", _text(error))
    if request.schema is not None and _STRUCTURE.search(said):
        return Adapt("structure", _text(error))
    return Stop(
        f"{request.trace}: the server refused the request ({error.status_code}: {_text(error)})"
    )


def _setting(request: Ask) -> str:
    return "ORCH_MODEL_REASONING" if request.role == "reasoning" else "ORCH_MODEL_FAST"


def _no_chat(base_url: str) -> str:
    return (
        f"OPENAI_BASE_URL: {base_url} does not speak the chat-completions protocol; "
        "does the address lack '/v1' at its end?"
    )


def _retry_after(error: openai.APIStatusError) -> float | None:
    text = error.response.headers.get("retry-after", "")
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text.strip()) else None


def _text(error: openai.APIError) -> str:
    body = error.body
    message = body.get("message") if isinstance(body, dict) else None
    return " ".join(str(message or error.message).split())[:300]


def _cause(error: openai.APIError) -> str:
    return str(error.__cause__ or error.message)


def learn(dialect: Dialect, used: Dialect, change: Literal["cap", "structure"]) -> bool:
    """Change the server's dialect after a refusal; False where no other form is left.

    `used` is the dialect in which the refused request was said: another request may have
    learned the same in between.
    """
    if change == "cap":
        return dialect.cap != used.cap or dialect.swap_cap(used.cap)
    return dialect.structure != used.structure or dialect.loosen_structure(used.structure)
