"""The input file of a batch: JSON lines, each a request under an id of its own."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

URL = "/v1/chat/completions"

MOST_ROWS = 50_000
"""Rows of one file (OpenAI's API reference, "Create batch"); a file has at most 200 MB."""

MOST_BYTES = 200_000_000


@dataclass(frozen=True, slots=True)
class InputRow:
    """One request of a batch: its line in the file, its id, and its body as it would be posted."""

    line: int
    custom_id: str
    model: str
    body: bytes


@dataclass(frozen=True, slots=True)
class InputFault:
    """Why a file is no batch: an entry of the batch's `errors.data`."""

    code: str
    message: str
    line: int | None = None
    param: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The entry as the protocol has it."""
        return {
            "code": self.code,
            "message": self.message,
            "param": self.param,
            "line": self.line,
        }


def read_input(data: bytes) -> tuple[tuple[InputRow, ...], tuple[InputFault, ...]]:
    """The rows of a file, and everything that is wrong with it; with faults it is no batch.

    The codes are those of OpenAI's Batch API (guide "Batch", and reports of what it answers).
    """
    lines = [(n, line) for n, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    if not lines:
        return (), (InputFault("empty_file", "The input file is empty."),)
    if len(lines) > MOST_ROWS or len(data) > MOST_BYTES:
        said = f"A batch has at most {MOST_ROWS:,} requests and {MOST_BYTES:,} bytes."
        return (), (InputFault("too_many_tasks", said),)
    read = [_row(line, number) for number, line in lines]
    rows = tuple(row for row in read if isinstance(row, InputRow))
    faults = [fault for fault in read if isinstance(fault, InputFault)]
    return rows, (*faults, *_mismatches(rows))


def _row(line: bytes, number: int) -> InputRow | InputFault:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return InputFault("invalid_json_line", "This line is not parseable as valid JSON.", number)
    match data:
        case {"custom_id": str(custom_id), "method": "POST", "url": str(url), "body": dict(body)}:
            if url != URL:
                said = f"The URL of this request is {url!r}; the batch's endpoint is {URL!r}."
                return InputFault("mismatched_url", said, number, "url")
            sent = json.dumps(body, ensure_ascii=False).encode(errors="surrogatepass")
            return InputRow(number, custom_id, str(body.get("model") or ""), sent)
        case _:
            said = "A request needs a custom_id, the method POST, a url and a body."
            return InputFault("invalid_request", said, number)


def _mismatches(rows: tuple[InputRow, ...]) -> Iterator[InputFault]:
    seen: set[str] = set()
    for row in rows:
        if row.custom_id in seen:
            said = f"The custom_id {row.custom_id!r} is not unique in this file."
            yield InputFault("duplicate_custom_id", said, row.line, "custom_id")
        seen.add(row.custom_id)
        if row.model != rows[0].model:
            said = f"The model {row.model!r} is not the first request's {rows[0].model!r}."
            yield InputFault("model_mismatch", said, row.line, "body.model")
