"""A model server that quotes what opens it, wherever it can; and a look at all that is written."""

import sqlite3
import threading
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import psutil

from tests.model.raw_server import Answer, Heard, completion, reply


def hostile(simulator: str) -> Answer:
    """The server: how it fails is in the model's name or in the article's, as in `page`."""
    return lambda heard: _WAYS.get(_way(heard), _answer)(heard, simulator)


def _way(heard: Heard) -> str:
    if heard.path.startswith("/v1/hook"):
        return "hook"
    if heard.body is None:
        return "list"
    article = heard.trace.split("/")[1] if heard.trace.count("/") > 1 else ""
    return article if article in _WAYS else heard.body["model"]


def _quoted(heard: Heard) -> str:
    return f"you sent {heard.headers.get('authorization', 'nothing')} here"


def _answer(heard: Heard, simulator: str) -> bytes:
    """What the simulator says; a text has the quotation at its end."""
    headers = {"X-Orch-Trace": heard.trace}
    asked = {**heard.body, "model": "simulator"}
    said = httpx2.post(f"{simulator}/chat/completions", json=asked, headers=headers).json()
    message = said["choices"][0]["message"]
    if "response_format" not in heard.body:
        message["content"] += f" And {_quoted(heard)}."
    return reply(said)


def _page(heard: Heard, _simulator: str) -> bytes:
    title = f"<html><title>{'x' * 270} {_quoted(heard)}</title></html>"
    return reply(title.encode(), status=500, headers={"content-type": "text/html"})


def _denied(heard: Heard, _simulator: str) -> bytes:
    return reply({"error": {"message": _quoted(heard), "code": _quoted(heard)}}, status=401)


def _mistaken(heard: Heard, _simulator: str) -> bytes:
    return reply({"detail": [{"code": _quoted(heard)}]}, status=418)


def _refusal(heard: Heard, _simulator: str) -> bytes:
    return reply(completion(None, message={"refusal": _quoted(heard)}))


def _hook(heard: Heard, _simulator: str) -> bytes:
    return reply(f"{heard.path} {dict(heard.headers)}".encode(), status=400)


def _list(_heard: Heard, _simulator: str) -> bytes:
    return reply({"object": "list", "data": []})


_WAYS = {
    "page": _page,
    "denied": _denied,
    "mistaken": _mistaken,
    "refusal": _refusal,
    "hook": _hook,
    "list": _list,
}


@contextmanager
def process_list() -> Iterator[set[str]]:
    """The command lines of all processes below this one, as `ps` shows them, during the block."""
    seen: set[str] = set()
    ended = threading.Event()

    def look() -> None:
        own = psutil.Process()
        while not ended.wait(0.02):
            for child in own.children(recursive=True):
                try:
                    seen.add("\0".join(child.cmdline()))
                except psutil.NoSuchProcess:
                    continue

    watcher = threading.Thread(target=look, name="process list")
    watcher.start()
    try:
        yield seen
    finally:
        ended.set()
        watcher.join()


@dataclass(frozen=True)
class Sought:
    """Secrets by name, looked for whole, in small letters, and in halves."""

    secrets: dict[str, str]

    def in_text(self, text: str) -> list[str]:
        """The names of those that stand in it."""
        small = text.lower()
        return [name for name, secret in self.secrets.items() if _stands(secret.lower(), small)]

    def in_folder(self, folder: Path) -> dict[str, list[str]]:
        """The files that hold one, with the names; what databases hold is unpacked."""
        found = {str(path): self.in_file(path) for path in folder.rglob("*") if path.is_file()}
        return {path: names for path, names in found.items() if names}

    def in_file(self, path: Path) -> list[str]:
        """The names of those that stand in a file or its name."""
        data = path.read_bytes()
        text = f"{path} {data.decode('utf-8', 'replace')}"
        if data.startswith(b"SQLite format 3"):
            text += " ".join(_cells(path))
        return self.in_text(text)


def _stands(secret: str, text: str) -> bool:
    half = len(secret) // 2
    return secret[:half] in text or secret[half:] in text


def _cells(path: Path) -> Iterator[str]:
    with closing(sqlite3.connect(path)) as database:
        tables = database.execute("select name from sqlite_master where type = 'table'").fetchall()
        for (table,) in tables:
            for row in database.execute(f'select * from "{table}"'):
                yield from map(_cell, row)


def _cell(value: Any) -> str:
    if not isinstance(value, bytes):
        return str(value)
    try:
        return zlib.decompress(value).decode("utf-8", "replace")
    except zlib.error:
        return value.decode("utf-8", "replace")
