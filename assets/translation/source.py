"""What is registered of an article to be translated: an address, or a file's own bytes."""

import base64
from collections.abc import Awaitable
from hashlib import sha256
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from orch_dagster.document_step import Task
from orch_dagster.shelf import DocumentError

SOURCE = "source"
"""The folder of what is registered."""


class Fetcher(Protocol):
    """Brings articles in from the web and from files."""

    def fetch(self, url: str) -> Awaitable[Any]:
        """The article at an address."""
        ...

    def read(self, name: str, data: bytes, media_type: str | None) -> Any:
        """The article in a file."""
        ...


class Source(BaseModel):
    """Either `url`, or `name` and the file's `data` in base 64."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    article: str
    url: str | None
    name: str | None
    data: str | None

    def fingerprint(self) -> str:
        """The hash of what is registered, 16 hex digits."""
        return sha256(self.model_dump_json().encode()).hexdigest()[:16]

    async def fetched_by(self, fetcher: Fetcher) -> Any:
        """The article that this source stands for."""
        if self.url is not None:
            return await fetcher.fetch(self.url)
        return fetcher.read(self.name or "", base64.b64decode(self.data or ""), None)


def source_of_url(article: str, url: str) -> Source:
    """What is registered for an address."""
    return Source(article=article, url=url, name=None, data=None)


def source_of_file(article: str, name: str, data: bytes) -> Source:
    """What is registered for a file: its bytes, since runs may be on another machine."""
    return Source(article=article, url=None, name=name, data=base64.b64encode(data).decode())


async def read_source(task: Task) -> Source:
    """What is registered for the article of a task.

    Raises:
        DocumentError: it is not in the store, or not what is registered.
    """
    text = await task.read(SOURCE, ".json")
    try:
        source = Source.model_validate_json(text)
    except ValidationError as error:
        raise DocumentError(f"source of {task.article!r}: register it again: {error}") from error
    if source.fingerprint() != task.ledger.input:
        raise DocumentError(
            f"source of {task.article!r}: not the one that is registered; register it again"
        )
    return source
