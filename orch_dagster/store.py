"""The port to the output store, and where each document lies in it."""

import re
from hashlib import sha256
from typing import Protocol

from orch_dagster.core.ledger import Document

_PLAIN = re.compile(rb"[a-z0-9_-]")
_LONGEST = 180
"""Bytes of an encoded key; with any suffix and a temporary mark it stays under 255."""


class Store(Protocol):
    """Documents under slash-separated paths. A write is seen whole or not at all."""

    def read(self, path: str) -> bytes | None:
        """The document, or None where there is none."""
        ...

    def write(self, path: str, data: bytes) -> Document:
        """Put the document there, in place of any that stood there."""
        ...

    def describe(self, path: str, data: bytes) -> Document:
        """What `write` would return; nothing is written."""
        ...

    def exists(self, path: str) -> bool:
        """Whether a document is there; it is not opened."""
        ...


def file_name(key: str) -> str:
    """A name for a key: a slug stays as it is, every other key gets a name of its own.

    No two keys share a name (capitals are encoded too, for file systems that fold case), none
    leaves its folder, and none is longer than 180 bytes.
    """
    raw = key.encode("utf-8", "surrogatepass")
    name = "".join(chr(byte) if _PLAIN.match(bytes([byte])) else f"%{byte:02x}" for byte in raw)
    if 0 < len(name) <= _LONGEST:
        return name
    return f"{name[: _LONGEST - 34]}~{sha256(raw).hexdigest()[:32]}"


def document_path(pipeline: str, *folders: str, article: str, suffix: str) -> str:
    """Where a document lies below the store's root (DESIGN 4.4)."""
    return "/".join((pipeline, *folders, file_name(article) + suffix))
