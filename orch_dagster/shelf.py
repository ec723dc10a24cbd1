"""The documents of one pipeline in the output store, as the values they hold."""

import asyncio
from dataclasses import dataclass

from pydantic import ValidationError

from orch_dagster.core.brief import Brief
from orch_dagster.core.ledger import Document
from orch_dagster.library import Library
from orch_dagster.store import Store, document_path
from orch_dagster.transcript import Transcript

BRIEF, DRAFT, PASS, DELIVERABLE, HISTORY, EPISODE, ROW = (
    "brief", "draft", "pass", "deliverable", "history", "episode", "row",
)  # fmt: skip


class DocumentError(Exception):
    """A document in the store is not what it should be; the message says which and what to do."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """One pipeline's part of the store. Reading and writing happen in threads."""

    store: Store
    pipeline: str

    def path(self, *folders: str, article: str, suffix: str = ".json") -> str:
        """Where a document of an article lies."""
        return document_path(self.pipeline, *folders, article=article, suffix=suffix)

    async def brief(self, article: str) -> Brief:
        """The brief as registered.

        Raises:
            DocumentError: it is not there, or no brief.
        """
        path = self.path(BRIEF, article=article)
        data = await asyncio.to_thread(self.store.read, path)
        if data is None:
            raise DocumentError(f"{path}: no brief in the store; register it with 'orch add'")
        try:
            return Brief.model_validate_json(data)
        except ValidationError as error:
            raise DocumentError(f"{path}: no brief (register it again): {error}") from error

    def write_brief(self, brief: Brief) -> Document:
        """Put a brief into the store."""
        return self.store.write(self.path(BRIEF, article=brief.slug), brief_bytes(brief))

    async def transcript(self, library: str, folder: str, article: str) -> Transcript | None:
        """The transcript of a chain (`draft`) or of a pass, or None where none was begun.

        Raises:
            DocumentError: the file is there and no transcript.
        """
        path = self.path(library, folder, article=article)
        data = await asyncio.to_thread(self.store.read, path)
        if data is None:
            return None
        try:
            return Transcript.model_validate_json(data)
        except ValidationError as error:
            raise DocumentError(
                f"{path}: no transcript of ours (delete the file to begin anew): {error}"
            ) from error

    async def keep(self, folder: str, transcript: Transcript) -> None:
        """Write a transcript, so that none of its answers is asked for again."""
        path = self.path(transcript.library, folder, article=transcript.article)
        await asyncio.to_thread(self.store.write, path, transcript_bytes(transcript))

    async def deliverable(self, library: Library, article: str) -> str | None:
        """The newest deliverable's text, or None where there is none.

        Raises:
            DocumentError: the file is there and is no text.
        """
        path = self.deliverable_path(library, article)
        data = await asyncio.to_thread(self.store.read, path)
        try:
            return None if data is None else data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise DocumentError(f"{path}: not UTF-8; save it as UTF-8, or delete it") from error

    async def text(self, folder: str, *, article: str, suffix: str) -> str:
        """The text of a document that must be there.

        Raises:
            DocumentError: it is not in the store, or is no text.
        """
        path = self.path(folder, article=article, suffix=suffix)
        data = await asyncio.to_thread(self.store.read, path)
        if data is None:
            raise DocumentError(f"{path}: not in the store")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise DocumentError(f"{path}: not UTF-8; delete it to have it made again") from error

    def deliverable_path(self, library: Library, article: str) -> str:
        """Where a library's deliverable lies."""
        return self.path(library.name, DELIVERABLE, article=article, suffix=library.suffix)

    async def keep_history(self, library: Library, article: str, text: str) -> None:
        """Keep a deliverable that a later pass replaces, under the next free number."""
        number = 1
        folder = self.path(library.name, HISTORY, article=article, suffix="")
        while (
            old := await asyncio.to_thread(self.store.read, f"{folder}/{number}{library.suffix}")
        ) is not None:
            if old.decode("utf-8") == text:
                return
            number += 1
        path = f"{folder}/{number}{library.suffix}"
        await asyncio.to_thread(self.store.write, path, text.encode())


def brief_bytes(brief: Brief) -> bytes:
    """A brief as it lies in the store."""
    return (brief.model_dump_json(indent=2) + "\n").encode()


def transcript_bytes(transcript: Transcript) -> bytes:
    """A transcript as it lies in the store."""
    return (transcript.model_dump_json(indent=1) + "\n").encode()
