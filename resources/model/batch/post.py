"""The files and batches of one server, by the `openai` package; nothing is tried again here."""

from collections.abc import Awaitable
from typing import Any, TypeVar

import httpx2
import openai
from openai.types import Batch, FileObject

from resources.model.batch.row import URL
from resources.model.endpoint import Endpoint
from resources.model.failure import Failure
from resources.model.log_filter import LogFilter
from resources.model.wire import open_client, refusal_in, unreached

KEY = "orch_key"
"""The entry of a batch's metadata by which a batch is found whose id was not kept."""

CONNECTIONS, LIMIT_S = 8, 600.0
"""Seconds for one request: 200 MB may go up or down in it."""

_PAGE = 100
_EARLIER_S = 24 * 3600
"""Batches are listed newest first; clocks that differ by more than a day are not thought of."""

_NO_BATCH_API = Failure("no chat", "the reply is none of the Batch API")

Given = TypeVar("Given")


class Post:
    """Sends and fetches, for one event loop."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._log_filter = LogFilter(endpoint)
        self._client = open_client(endpoint, connections=CONNECTIONS, limit_s=LIMIT_S)

    async def upload(self, data: bytes, key: str) -> FileObject | Failure:
        """Upload the rows of a batch."""
        file = (f"orch-{key}.jsonl", data, "application/jsonl")
        return await self._given(FileObject, self._client.files.create(file=file, purpose="batch"))

    async def create(self, file: str, key: str) -> Batch | Failure:
        """Have the rows of a file answered within 24 hours, the one window there is."""
        creating = self._client.batches.create(
            input_file_id=file, endpoint=URL, completion_window="24h", metadata={KEY: key}
        )
        return await self._given(Batch, creating)

    async def find(self, key: str, made_at: float) -> Batch | Failure | None:
        """The batch with a key, made about then, or None where the server has none."""
        after = None
        while True:
            page = await self.listed(after)
            if isinstance(page, Failure):
                return page
            for batch in page:
                if (batch.metadata or {}).get(KEY) == key:
                    return batch
            if not page or (page[-1].created_at or 0) < made_at - _EARLIER_S:
                return None
            after = page[-1].id

    async def listed(self, after: str | None) -> list[Batch] | Failure:
        """A page of the server's batches, newest first, from the one after that with this id.

        The package's own pages break on an answer that is no list.
        """
        params = {"limit": _PAGE, **({"after": after} if after else {})}
        reply = await self._given(
            httpx2.Response,
            self._client.get("/batches", cast_to=httpx2.Response, options={"params": params}),
        )
        if isinstance(reply, Failure):
            return reply
        try:
            match reply.json():
                case {"data": list(items)} if all(_is_batch(item) for item in items):
                    return [Batch.construct(**item) for item in items]
        except ValueError as error:
            if reply.text.lstrip().startswith("{"):
                return Failure("no whole answer", f"half a list of batches ({error})")
        return _NO_BATCH_API

    async def look(self, batch: str) -> Batch | Failure | None:
        """The batch as it stands now, or None where the server does not know it."""
        return _or_gone(await self._given(Batch, self._client.batches.retrieve(batch)))

    async def content(self, file: str) -> bytes | Failure | None:
        """A file's content, or None where the server does not have it any more."""

        async def read() -> bytes:
            return (await self._client.files.content(file)).content

        return _or_gone(await self._given(bytes, read()))

    async def close(self) -> None:
        """End all connections."""
        await self._client.close()
        self._log_filter.remove()

    async def _given(self, kind: Any, sending: Awaitable[Given]) -> Given | Failure:
        """What the server gives where it is of the kind that it should be: some answer with a page."""
        try:
            given = await sending
        except openai.APIStatusError as error:
            return refusal_in(error.response, self._endpoint)
        except openai.APIConnectionError as error:
            return unreached(error, self._endpoint)
        except (openai.APIResponseValidationError, ValueError) as error:
            return Failure("no whole answer", self._endpoint.hide(str(error)[:300]))
        if not isinstance(given, kind) or (isinstance(given, Batch | FileObject) and not given.id):
            return _NO_BATCH_API
        return given


def _is_batch(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("id"), str)


def _or_gone(found: Given | Failure) -> Given | Failure | None:
    return None if isinstance(found, Failure) and found.seen == 404 else found
