"""The request log: JSON lines that prove what was asked and what was answered."""

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as the log knows it: its number in this server, from 1, and its batch if any."""

    number: int
    trace: str
    model: str | None
    batch: str | None


class RequestLog:
    """Appends one record when a request arrives and one when it ends, each in a single write.

    Every record has `event`, `server`, `pid`, `request`, `time` (Unix seconds), `trace`, `model` and
    `batch`: the id of the batch whose row it is, null for a request of its own.

    - `asked`: `body`, the whole request (a text where it is no JSON), and `in_flight`, this one included.
    - `answered`: `status`, `finish_reason`, `usage`, `scripted`. Written when the answer is handed to a
      connection that is still open, in the same step of the event loop.
    - `lost`: `reason`. The connection was reset, hung or left by the client, or the row of a batch got no
      reply; nothing whole was sent.

    A request without a second record was on the wire when the process died.
    """

    def __init__(self, path: Path) -> None:
        """Creates the file, so that a path that cannot be written fails at once with OSError."""
        self._path = path
        self._server = uuid4().hex[:8]
        path.open("ab").close()

    def asked(self, asked: Asked, body: bytes, *, in_flight: int) -> None:
        """Writes the whole body, on arrival."""
        self._append("asked", asked, {"in_flight": in_flight, "body": _readable(body)})

    def answered(
        self,
        asked: Asked,
        *,
        status: int,
        reason: str | None,
        usage: Mapping[str, Any] | None,
        scripted: bool,
    ) -> None:
        """Writes what was answered; `reason` is the finish reason, None where there is no choice."""
        fields = {"status": status, "finish_reason": reason, "usage": usage, "scripted": scripted}
        self._append("answered", asked, fields)

    def lost(self, asked: Asked, *, reason: str) -> None:
        """Writes that this request will get no whole answer."""
        self._append("lost", asked, {"reason": reason})

    def _append(self, event: str, asked: Asked, fields: Mapping[str, Any]) -> None:
        record = {
            "event": event,
            "server": self._server,
            "pid": os.getpid(),
            "request": asked.number,
            "time": time.time(),
            "trace": asked.trace,
            "model": asked.model,
            "batch": asked.batch,
            **fields,
        }
        line = json.dumps(record, ensure_ascii=False) + "\n"
        with self._path.open("ab", buffering=0) as file:
            file.write(line.encode(errors="surrogatepass"))


def read_log(path: Path) -> tuple[dict[str, Any], ...]:
    """All records of a log; a last line that was cut off by a crash is left out."""
    lines = path.read_bytes().split(b"\n")[:-1]
    return tuple(json.loads(line) for line in lines)


def _readable(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body.decode(errors="replace")
