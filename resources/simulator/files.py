"""Files of the simulator: what was uploaded for batches, and what batches wrote."""

import time
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from resources.simulator.batch_input import MOST_BYTES
from resources.simulator.reply import error_reply

KEPT_SECONDS = 30 * 24 * 3600
"""How long the real API keeps files of batches (its reference, "Upload file")."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file and what the protocol says of it."""

    id: str
    name: str
    purpose: str
    created_at: int
    data: bytes

    def as_json(self) -> dict[str, Any]:
        """The file object of the protocol."""
        return {
            "id": self.id,
            "object": "file",
            "bytes": len(self.data),
            "created_at": self.created_at,
            "expires_at": self.created_at + KEPT_SECONDS,
            "filename": self.name,
            "purpose": self.purpose,
            "status": "processed",
            "status_details": None,
        }


class Files:
    """Files in memory, and the endpoints under `/v1/files`."""

    def __init__(self) -> None:
        """No file yet."""
        self._files: dict[str, StoredFile] = {}

    def get(self, name: str) -> StoredFile | None:
        """The file with this id."""
        return self._files.get(name)

    def keep(self, data: bytes, *, name: str, purpose: str) -> StoredFile:
        """Keep a new file."""
        identity = f"file-{uuid4().hex}"
        stored = StoredFile(identity, name, purpose, int(time.time()), data)
        self._files[identity] = stored
        return stored

    async def upload(self, request: Request) -> Response:
        """`POST /v1/files`: a form with the purpose and the file."""
        async with request.form() as form:
            purpose, file = form.get("purpose"), form.get("file")
            if not isinstance(file, UploadFile) or not isinstance(purpose, str):
                return failed(400, "'file' and 'purpose' are required")
            name, data = file.filename or "", await file.read()
        if purpose != "batch":
            return failed(400, f"the simulator takes no files for {purpose!r}", "purpose")
        if not name.endswith(".jsonl"):
            return failed(400, "Invalid file format for Batch API. Must be .jsonl", "file")
        if len(data) > MOST_BYTES:
            return failed(413, f"a batch file has at most {MOST_BYTES:,} bytes", "file")
        return JSONResponse(self.keep(data, name=name, purpose=purpose).as_json())

    async def describe(self, request: Request) -> Response:
        """`GET /v1/files/{id}`."""
        file = self.get(request.path_params["id"])
        return JSONResponse(file.as_json()) if file else _missing(request)

    async def content(self, request: Request) -> Response:
        """`GET /v1/files/{id}/content`."""
        file = self.get(request.path_params["id"])
        if file is None:
            return _missing(request)
        return Response(file.data, media_type="application/octet-stream")


def failed(status: int, message: str, param: str | None = None) -> Response:
    """An error as the response of an endpoint."""
    reply = error_reply(status, message, param=param)
    return Response(reply.body, reply.status, dict(reply.headers))


def _missing(request: Request) -> Response:
    return failed(404, f"No such File object: {request.path_params['id']}", "id")
