"""The output store on any fsspec URL: a folder by default, object stores by URL."""

import secrets
from hashlib import sha256
from pathlib import Path

from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from orch_dagster.core.ledger import Document
from resources.secret import hide, secrets_of_url, without_login


class StoreError(Exception):
    """The store cannot be used; the message names it and the setting to change."""


class OutputStore:
    """Documents below one URL.

    Writes are atomic: on a local disk a temporary file is renamed, on an object store the whole
    object is put at once.
    """

    def __init__(self, url: str) -> None:
        try:
            self._fs, self._root = url_to_fs(url)
        except (ValueError, ImportError, OSError) as error:
            said = f"{url!r} cannot be opened: {str(error) or type(error).__name__}"
            said = without_login(hide(said, secrets_of_url(url)))
            raise StoreError(f"ORCH_STORE: {said}") from None
        self._secrets = secrets_of_url(url)
        self._local = isinstance(self._fs, LocalFileSystem)

    @property
    def url(self) -> str:
        """The root, as a URL that can be shown."""
        return without_login(self._fs.unstrip_protocol(self._root))

    def read(self, path: str) -> bytes | None:
        """The document at a path below the root, or None where there is none."""
        try:
            return self._fs.cat_file(self._at(path))
        except FileNotFoundError:
            return None

    def write(self, path: str, data: bytes) -> Document:
        """Put the document there in one piece; a reader sees the old one or the new one.

        Raises:
            StoreError: the store cannot be written.
        """
        target = self._at(path)
        try:
            if self._local:
                self._write_local(Path(target), data)
            else:
                self._fs.pipe_file(target, data)
        except OSError as error:
            said = without_login(hide(str(error), self._secrets))
            raise StoreError(
                f"ORCH_STORE: {self.describe(path, data).url} cannot be written: {said}"
            ) from None
        return self.describe(path, data)

    def describe(self, path: str, data: bytes) -> Document:
        """Where these bytes lie once written, how many they are, and their hash."""
        return Document(
            url=without_login(self._fs.unstrip_protocol(self._at(path))),
            bytes=len(data),
            sha256=sha256(data).hexdigest(),
        )

    def exists(self, path: str) -> bool:
        """Whether a document is there; it is not opened."""
        return self._fs.exists(self._at(path))

    def names(self, folder: str) -> tuple[str, ...]:
        """The names of the documents in a folder, sorted; none where there is no folder."""
        where = self._at(folder)
        self._fs.invalidate_cache(where)
        try:
            found = self._fs.ls(where, detail=True)
        except FileNotFoundError:
            return ()
        names = [one["name"].rpartition("/")[2] for one in found if one["type"] == "file"]
        return tuple(sorted(name for name in names if not name.startswith(".")))

    def remove(self, path: str) -> None:
        """Remove the document, where there is one.

        Raises:
            StoreError: the store cannot be written.
        """
        try:
            self._fs.rm_file(self._at(path))
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreError(f"ORCH_STORE: {path} cannot be removed: {error}") from error

    def check_writable(self) -> None:
        """Write and remove a file.

        Raises:
            StoreError: the store cannot be written.
        """
        probe = f"probe-{secrets.token_hex(4)}"
        self.write(probe, b"orch check")
        self._fs.rm_file(self._at(probe))

    def _at(self, path: str) -> str:
        return f"{self._root.rstrip('/')}/{path}"

    @staticmethod
    def _write_local(target: Path, data: bytes) -> None:
        temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
        try:
            try:
                temporary.write_bytes(data)
            except FileNotFoundError:
                target.parent.mkdir(parents=True, exist_ok=True)
                temporary.write_bytes(data)
            temporary.replace(target)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
