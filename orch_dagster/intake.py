"""How a pipeline reads what is handed in, from wherever it comes: a file of people, an inbox."""

from pathlib import Path
from typing import Protocol

from orch_dagster.core.entry import Contents, Entry, refused


class Intake(Protocol):
    """What one pipeline takes in."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The endings of file names that it reads."""
        ...

    @property
    def largest(self) -> int:
        """The most bytes that a file may have."""
        ...

    @property
    def noun(self) -> str:
        """What such a file is called, as in "a brief"."""
        ...

    @property
    def called(self) -> str:
        """What names the article, as in "field 'slug'"."""
        ...

    def read(self, name: str, data: bytes) -> Contents:
        """What a file's bytes give; mistakes begin with the file's name."""
        ...

    def address(self, address: str) -> Entry | str:
        """The entry that an address stands for, or a sentence that says why it is none."""
        ...


def read_local(intake: Intake, path: Path) -> Contents:
    """What a file on this machine gives."""
    data = local_bytes(path, largest=intake.largest, noun=intake.noun)
    return refused(data) if isinstance(data, str) else intake.read(path.name, data)


def folder_files(intake: Intake, folder: Path) -> tuple[Path, ...]:
    """The files directly in a folder of this machine that the pipeline reads, by name."""
    return tuple(
        sorted(
            path
            for path in folder.iterdir()
            if path.name.endswith(intake.suffixes) and not is_passing(path.name) and path.is_file()
        )
    )


def local_bytes(path: Path, *, largest: int, noun: str) -> bytes | str:
    """A file's bytes, or a sentence that says why there are none."""
    try:
        fault = size_fault(path.name, path.stat().st_size, largest=largest, noun=noun)
        return fault or path.read_bytes()
    except OSError as error:
        return unreadable(path.name, error)


def size_fault(name: str, size: int, *, largest: int, noun: str) -> str | None:
    """What is wrong with a file's size, if it is too large."""
    if size <= largest:
        return None
    return f"{name}: {size:,} bytes; {noun} has at most {largest:,} bytes"


def name_fault(intake: Intake, name: str) -> str | None:
    """What is wrong with a file's name, if it is none of ours."""
    if name.endswith(intake.suffixes):
        return None
    return f"{name}: {intake.noun} is a file that ends in {', '.join(intake.suffixes)}"


def unreadable(name: str, error: OSError) -> str:
    """What is said of a file that cannot be opened."""
    return f"{name}: cannot be read ({error.strerror or error})"


def is_passing(name: str) -> bool:
    """Whether a file is hidden, a lock or half a copy: no business of ours."""
    return name.startswith((".", "~", "#")) or name.endswith(("~", ".tmp", ".part", ".crdownload"))
