"""The reply to one request: the generated answer with the script's changes in it."""

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from resources.simulator.answers import answer
from resources.simulator.place import Unanswerable
from resources.simulator.request import ChatRequest, RequestError
from resources.simulator.script import Rule, ScriptError, set_values
from resources.simulator.usage import CHARACTERS_PER_TOKEN, Usage, tokens

_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "invalid_request_error",
    405: "invalid_request_error",
    429: "rate_limit_error",
}
_CODES = {401: "invalid_api_key", 404: "not_found", 429: "rate_limit_exceeded"}
_NO_RULE = Rule()


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer and what the log says of it."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    finish_reason: str | None = None
    usage: Mapping[str, Any] | None = None


def reply(request: ChatRequest, rule: Rule | None, *, seed: int, cached: int) -> Reply:
    """What to send; `cached` is how many of the prompt's tokens count as cached."""
    rule = rule or _NO_RULE
    if rule.body is not None or rule.status not in (None, 200):
        return _scripted(rule)
    try:
        content = rule.content if rule.content is not None else _content(request, rule, seed)
    except (Unanswerable, ScriptError) as error:
        param = "response_format" if isinstance(error, Unanswerable) else None
        return error_reply(400, str(error), param=param)
    return _completion(request, rule, content=content, seed=seed, cached=cached)


def error_reply(
    status: int, message: str, *, param: str | None = None, code: str | None = None
) -> Reply:
    """An error in the protocol's shape."""
    kind = _TYPES.get(status, "server_error")
    error = {"message": message, "type": kind, "param": param, "code": code or _CODES.get(status)}
    return _json(status, {"error": error}, {})


def refused(error: RequestError) -> Reply:
    """The reply to a malformed request."""
    return error_reply(400, str(error), param=error.param)


def _scripted(rule: Rule) -> Reply:
    status = rule.status or 200
    if rule.body is None:
        plain = error_reply(status, f"scripted status {status}")
        return Reply(status, _headers(rule, "application/json"), plain.body)
    if isinstance(rule.body, str):
        kind = "text/html" if rule.body.lstrip().startswith("<") else "text/plain"
        return Reply(status, _headers(rule, f"{kind}; charset=utf-8"), rule.body.encode())
    return _json(status, rule.body, rule.headers)


def _content(request: ChatRequest, rule: Rule, seed: int) -> str:
    content = answer(request, seed=seed)
    if not rule.overrides:
        return content
    try:
        data = json.loads(content)
    except ValueError as error:
        raise ScriptError("'set' needs a JSON answer, but the request asks for text") from error
    return json.dumps(set_values(data, rule.overrides), ensure_ascii=False)


def _completion(request: ChatRequest, rule: Rule, *, content: str, seed: int, cached: int) -> Reply:
    reason = "stop"
    if request.max_tokens is not None and tokens(content) > request.max_tokens:
        content = content[: request.max_tokens * CHARACTERS_PER_TOKEN]
        reason = "length"
    reason = rule.finish_reason or reason
    spoken = rule.refusal if rule.refusal is not None else content
    usage = _usage(
        rule, Usage(prompt=tokens(request.text), cached=cached, completion=tokens(spoken))
    )
    message = {
        "role": "assistant",
        "content": content if rule.refusal is None else None,
        "refusal": rule.refusal,
        "annotations": [],
    }
    data = {
        "id": _identity(request, seed),
        "object": "chat.completion",
        "created": int(time.time()),
        "model": request.model,
        "system_fingerprint": "simulator",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reason}],
        "usage": usage,
    }
    sent = _json(200, data, rule.headers)
    return Reply(200, sent.headers, sent.body, finish_reason=reason, usage=usage)


def _usage(rule: Rule, usage: Usage) -> dict[str, Any] | None:
    if "usage" not in rule.model_fields_set:
        return usage.as_json()
    return None if rule.usage is None else {**usage.as_json(), **rule.usage}


def _identity(request: ChatRequest, seed: int) -> str:
    key = f"{seed}\0{request.digest}\0{request.trace}".encode()
    return f"chatcmpl-simulator-{hashlib.blake2b(key, digest_size=12).hexdigest()}"


def _json(status: int, data: JsonValue | Mapping[str, Any], headers: Mapping[str, Any]) -> Reply:
    body = json.dumps(data, ensure_ascii=False).encode(errors="surrogatepass")
    return Reply(status, _with_default(headers, "application/json"), body)


def _headers(rule: Rule, content_type: str) -> tuple[tuple[str, str], ...]:
    return _with_default(rule.headers, content_type)


def _with_default(headers: Mapping[str, Any], content_type: str) -> tuple[tuple[str, str], ...]:
    given = {name.lower(): str(value) for name, value in headers.items()}
    return tuple({"content-type": content_type, **given}.items())
