"""A server with the Batch API that does what a test wants, and offline models that ask it."""

import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.model.raw_server import Answer, Heard, Said, completion, reply

FILES, BATCHES, CHAT = "/v1/files", "/v1/batches", "/v1/chat/completions"

Body = Mapping[str, Any]
Row = Mapping[str, Any]


def answered(row: Row, *, status: int = 200, body: Any = None) -> dict[str, Any]:
    """The line of a row that the model answered."""
    said = {"status_code": status, "request_id": "r", "body": body or completion("In a batch.")}
    return {"id": "batch_req_1", "custom_id": row["custom_id"], "response": said, "error": None}


def unanswered(row: Row, code: str) -> dict[str, Any]:
    """The line of a row that was not reached."""
    error = {"code": code, "message": f"{code}, says the server"}
    return {"id": "batch_req_1", "custom_id": row["custom_id"], "response": None, "error": error}


@dataclass
class BatchServer:
    """Files and batches; `line` makes the result of each row, None for a row that is missing.

    A batch is in progress for `looks` looks and then ends with `status`. `instead` may answer any
    request in place of all this.
    """

    line: Callable[[Row], dict[str, Any] | None] = answered
    live: Answer = field(default=lambda heard: reply(completion("At once.")))
    instead: Callable[[Heard], "bytes | tuple[Said, ...] | None"] = lambda heard: None
    looks: int = 0
    status: str = "completed"
    errors: list[dict[str, Any]] = field(default_factory=list)
    uploads: list[str] = field(default_factory=list)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def rows(self) -> list[Row]:
        """All rows of all batches that were created, in order."""
        return [row for batch in self.batches.values() for row in self.rows_of(batch)]

    def rows_of(self, batch: Body) -> list[Row]:
        """The rows of one batch."""
        return [json.loads(line) for line in self.files[batch["input_file_id"]].splitlines()]

    @property
    def ids(self) -> list[str]:
        """The ids of all rows."""
        return [row["custom_id"] for row in self.rows]

    def __call__(self, heard: Heard) -> Any:
        if (other := self.instead(heard)) is not None:
            return other
        path = heard.path.partition("?")[0]
        match heard.method, path:
            case "POST", "/v1/chat/completions":
                return self.live(heard)
            case "POST", "/v1/files":
                return self._upload(heard)
            case "POST", "/v1/batches":
                return reply(self.create(heard.body))
            case "GET", "/v1/batches":
                data = list(reversed(self.batches.values()))
                after = re.search("after=([^&]+)", heard.path)
                names = [batch["id"] for batch in data]
                start = names.index(after[1]) + 1 if after else 0
                return reply({"object": "list", "data": data[start : start + 2]})
        return self._get(path.removeprefix("/v1/").split("/"))

    def _get(self, path: list[str]) -> bytes:
        match path:
            case ["batches", name] if name in self.batches:
                return reply(self._look(self.batches[name]))
            case ["files", name, "content"] if name in self.files:
                return reply(self.files[name])
        return reply({"error": {"message": "nothing there"}}, status=404)

    def _upload(self, heard: Heard) -> bytes:
        data: bytes = heard.body
        self.uploads.append(data.decode("utf-8"))
        [content] = [
            part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n")
            for part in data.split(b"--" + data[2 : data.index(b"\r\n")])
            if b'name="file"' in part
        ]
        name = f"file-{len(self.files)}"
        self.files[name] = content
        return reply({"id": name, "object": "file", "bytes": len(content), "purpose": "batch"})

    def create(self, asked: Body) -> dict[str, Any]:
        """A new batch."""
        name = f"batch_{len(self.batches)}"
        self.batches[name] = {
            "id": name,
            "object": "batch",
            "status": "validating",
            "created_at": 1_800_000_000,
            "completion_window": asked["completion_window"],
            "endpoint": asked["endpoint"],
            "input_file_id": asked["input_file_id"],
            "metadata": asked["metadata"],
            "looks": 0,
        }
        return self.batches[name]

    def _look(self, batch: dict[str, Any]) -> dict[str, Any]:
        rows = self.rows_of(batch)
        batch["looks"] += 1
        if batch["looks"] <= self.looks:
            batch["status"] = "in_progress"
            batch["request_counts"] = {"total": len(rows), "completed": 0, "failed": 0}
        elif batch["status"] != self.status:
            batch["status"] = self.status
            batch[f"{self.status}_at"] = batch["created_at"] + 90
            batch["errors"] = {"object": "list", "data": self.errors} if self.errors else None
            self._write(batch, [self.line(row) for row in rows])
        return batch

    def _write(self, batch: dict[str, Any], lines: list[dict[str, Any] | None]) -> None:
        good, bad = [], []
        for line in lines:
            if line is not None:
                is_good = line["response"] and line["response"]["status_code"] == 200
                (good if is_good else bad).append(line)
        for kind, found in (("output", good), ("error", bad)):
            if found:
                name = f"{batch['id']}-{kind}"
                self.files[name] = "".join(f"{json.dumps(line)}\n" for line in found).encode()
                batch[f"{kind}_file_id"] = name
