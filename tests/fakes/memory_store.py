"""An output store in memory, which remembers its writes and can be switched off in the middle."""

from hashlib import sha256

from orch_dagster.core.ledger import Document
from tests.fakes.scripted_model import Killed


class MemoryStore:
    """Documents by path."""

    def __init__(self) -> None:
        self.documents: dict[str, bytes] = {}
        self.writes: list[str] = []
        self.reads: list[str] = []
        self.dies_before: int | None = None
        self.dies_after: int | None = None
        """The number of the write, from 1, before or after which the process ends."""

    def read(self, path: str) -> bytes | None:
        """The document, or None."""
        self.reads.append(path)
        return self.documents.get(path)

    def write(self, path: str, data: bytes) -> Document:
        """Put it there, unless the process ends first."""
        self.writes.append(path)
        if self.dies_before == len(self.writes):
            raise Killed
        self.documents[path] = data
        if self.dies_after == len(self.writes):
            raise Killed
        return self.describe(path, data)

    def describe(self, path: str, data: bytes) -> Document:
        """What `write` returns."""
        return Document(url=f"memory://{path}", bytes=len(data), sha256=sha256(data).hexdigest())

    def exists(self, path: str) -> bool:
        """Whether it is there."""
        return path in self.documents

    def under(self, *folders: str) -> dict[str, str]:
        """The texts of all documents below a folder, by file name."""
        prefix = "/".join(folders) + "/"
        return {
            path.removeprefix(prefix): data.decode()
            for path, data in self.documents.items()
            if path.startswith(prefix)
        }
