"""The simulator's request log, read as it is written: tokens are counted, bodies are not kept."""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.flat.prefix import Counted, PrefixMemory


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it was logged: its trace, its tokens, and those of its answer.

    `completion` is the server's own count, by which a provider bills.
    """

    trace: str
    context: int
    cached: int
    completion: int

    @property
    def article(self) -> str:
        """The article that it was asked for."""
        return self.trace.split("/")[1]

    @property
    def prompt(self) -> str:
        """The library and the prompt that was asked, as `library/prompt`."""
        return self.trace.split("/", 2)[2].split("#")[0]


class Meter:
    """Counts every request of a log. A request that was not answered well is an error."""

    def __init__(self) -> None:
        self._memory = PrefixMemory()
        self._counted: dict[int, Counted] = {}
        self._answered: list[Request] = []
        self._fault: str | None = None

    def take(self, line: bytes) -> None:
        """One line of the log."""
        record: dict[str, Any] = json.loads(line)
        number = record["request"]
        if record["event"] == "asked":
            self._counted[number] = self._memory.count(record["body"])
        elif record["event"] == "answered" and record["status"] == 200:
            counted = self._counted.pop(number)
            completion = record["usage"]["completion_tokens"]
            found = Request(record["trace"], counted.context, counted.cached, completion)
            self._answered.append(found)
        else:
            self._fault = f"{record['trace']}: {record['event']}, status {record.get('status')}"

    def taken(self) -> tuple[Request, ...]:
        """The requests that were answered since the last call, in the order of their answers."""
        if self._fault:
            raise RuntimeError(
                f"the simulator's log has a request without an answer: {self._fault}"
            )
        found, self._answered = self._answered, []
        return tuple(found)


class LogPipe:
    """A named pipe in place of a log file: gigabytes of bodies go through it, none to the disk.

    `taken` and `close` are for moments at which no request is in flight, for they write a line
    of their own into the pipe: the answer is logged before it is sent, so what a client has got
    stands before that line.
    """

    def __init__(self, path: Path, meter: Meter) -> None:
        os.mkfifo(path)
        # Open for both ends, so that it does not end when the writer closes it between two lines.
        self._file = os.fdopen(os.open(path, os.O_RDWR), "r+b", buffering=0)
        self.path, self._meter = path, meter
        self._caught_up = threading.Event()
        self._broken: Exception | None = None
        self._thread = threading.Thread(target=self._read, name="log", daemon=True)
        self._thread.start()

    def taken(self) -> tuple[Request, ...]:
        """The requests that were answered up to now; waits until the log is read so far."""
        self._mark(b"mark")
        if self._broken:
            raise RuntimeError(f"the log could not be read: {self._broken!r}") from self._broken
        return self._meter.taken()

    def close(self) -> None:
        """End the reading."""
        self._mark(b"end")
        self._thread.join()
        self._file.close()

    def _mark(self, word: bytes) -> None:
        self._caught_up.clear()
        os.write(self._file.fileno(), word + b"\n")
        self._caught_up.wait()

    def _read(self) -> None:
        for line in self._lines():
            if line in (b"mark", b"end"):
                self._caught_up.set()
                if line == b"end":
                    return
            elif self._broken is None:
                try:
                    self._meter.take(line)
                except (LookupError, TypeError, ValueError) as error:
                    self._broken = error

    def _lines(self) -> Iterator[bytes]:
        parts: list[bytes] = []
        while True:
            *ended, rest = os.read(self._file.fileno(), 1 << 20).split(b"\n")
            for piece in ended:
                yield b"".join((*parts, piece))
                parts = []
            parts.append(rest)


@contextmanager
def metered(folder: Path) -> Iterator[LogPipe]:
    """A pipe in a folder, whose requests are counted while the block lasts."""
    pipe = LogPipe(folder / "log.pipe", Meter())
    try:
        yield pipe
    finally:
        pipe.close()
