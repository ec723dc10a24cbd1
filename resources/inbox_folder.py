"""A folder that people put files into, on any fsspec URL."""

from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from orch_dagster.core.inbox import Listed
from orch_dagster.inbox import FolderError

_TIMES = ("mtime", "LastModified", "last_modified", "modified", "updated", "created")
"""What file systems call the time of the last change, those that mean it first."""

_TELLING = (
    *_TIMES, "size", "ino", "ETag", "etag", "md5Hash", "content_md5", "generation", "VersionId",
)  # fmt: skip
"""What of a listing changes with a file; the time of the last reading does not."""


class InboxFolder:
    """The files directly in one folder."""

    def __init__(self, url: str, *, setting: str) -> None:
        self._setting = setting
        try:
            self._fs, self._root = url_to_fs(url)
        except (ValueError, ImportError) as error:
            raise FolderError(f"{setting}: {url!r} cannot be opened: {error}") from error

    @property
    def url(self) -> str:
        """The folder, as a URL."""
        return self._fs.unstrip_protocol(self._root)

    def listing(self) -> tuple[Listed, ...]:
        """The files, unread; sub-folders are left out.

        Raises:
            FolderError: the folder is not there, or may not be listed.
        """
        self._fs.invalidate_cache(self._root)  # object stores keep listings for ever
        try:
            found = self._fs.ls(self._root, detail=True)
        except FileNotFoundError as error:
            if isinstance(self._fs, LocalFileSystem):
                raise FolderError(f"{self._setting}: {self.url} is not there; make it") from error
            return ()  # object stores have no empty folders
        except OSError as error:
            raise FolderError(f"{self._setting}: {self.url} cannot be listed: {error}") from error
        files = (self._followed(info) for info in found)
        return tuple(self._listed(info) for info in files if info["type"] == "file")

    def read(self, name: str) -> bytes:
        """A file's bytes; raises `OSError` where it cannot be read."""
        return self._fs.cat_file(f"{self._root.rstrip('/')}/{name}")

    def _followed(self, info: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a link leads to; one that leads nowhere is no file."""
        try:
            return self._fs.info(info["name"]) if info.get("islink") else info
        except OSError:
            return info

    def _listed(self, info: Mapping[str, Any]) -> Listed:
        path = info["name"]
        if not any(name in info for name in _TELLING if name != "size"):
            info = {**info, **self._fs.info(path)}
        telling = {name: str(info[name]) for name in _TELLING if info.get(name) is not None}
        return Listed(
            name=path.rstrip("/").rpartition("/")[2],
            stamp=sha256(repr(telling).encode()).hexdigest()[:16],
            modified=next(
                (_seconds(info[name]) for name in _TIMES if info.get(name) is not None), None
            ),
            bytes=int(info.get("size") or 0),
        )


def _seconds(time: object) -> float | None:
    """A time as file systems give it, in seconds since 1970."""
    match time:
        case int() | float():
            return float(time)
        case str():
            return _seconds(datetime.fromisoformat(time))
        case datetime():
            return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
        case _:
            return None
