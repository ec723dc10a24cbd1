"""What a batch gives back: the lines of its output and error files."""

import json
from collections.abc import Iterator
from typing import Any

from resources.model.completion import Completion, read_completion
from resources.model.endpoint import Endpoint
from resources.model.failure import Failure, failure_in, status_in
from resources.model.wire import quotable, without_secrets

Result = Completion | Failure


def results_in(content: bytes, endpoint: Endpoint) -> Iterator[tuple[str, Result]]:
    """Each row's id with what came for it, read as an answer of the endpoint is read.

    A row that the model answered has a `response` with a status and a body, others an `error`
    (OpenAI's API reference, "Request output object"). A line that is neither is passed over: its
    row counts as missing.
    """
    for line in content.split(b"\n"):
        found = _result(line)
        if found is not None and isinstance(found[1], Failure):
            found = _result(quotable(line, endpoint))
        if found is not None:
            custom_id, result = found
            yield custom_id, without_secrets(result, endpoint)


def _result(line: bytes) -> tuple[str, Result] | None:
    match _parsed(line):
        case {"custom_id": str(custom_id), "response": {"status_code": int(status)} as said}:
            return custom_id, _answer(status, said.get("body"))
        case {"custom_id": str(custom_id), "error": {} as error}:
            return custom_id, failure_in(error, status=status_in(error), headers={})
        case _:
            return None


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _answer(status: int, body: Any) -> Result:
    if 200 <= status < 300:
        return read_completion(json.dumps(body).encode(), headers={}, charset=None)
    if not 300 <= status < 600:
        return Failure("no whole answer", f"a row with the status {status}")
    return failure_in(body, status=status, headers={})
