"""A structured deliverable as an outline for the terminal."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from orch_dagster.page.wording import wording

_INDENT = "  "
_BREAK = re.compile(r"\s*\n\s*")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """The text without the signs by which it could command the terminal."""
    return _CONTROL.sub("\ufffd", text)


def outline(value: Any) -> Iterator[str]:
    """Lines of `name: value`; parts below a name are indented, items of a list numbered."""
    match value:
        case Mapping():
            for name, item in value.items():
                yield from _named(f"{wording(name)}:", item)
        case list():
            for number, item in enumerate(value, start=1):
                yield from _numbered(f"{number}.", item)
        case _:
            yield _scalar(value)


def _named(name: str, value: Any) -> Iterator[str]:
    if not isinstance(value, Mapping | list):
        yield f"{name} {_scalar(value)}"
    elif not value:
        yield f"{name} none"
    elif isinstance(value, list) and not any(isinstance(item, Mapping | list) for item in value):
        yield f"{name} {', '.join(map(_scalar, value))}"
    else:
        yield name
        yield from (f"{_INDENT}{line}" for line in outline(value))


def _numbered(number: str, value: Any) -> Iterator[str]:
    """The value's first line beside its number, the others below the first."""
    margin = " " * (len(number) + 1)
    for place, line in enumerate(outline(value)):
        yield f"{margin}{line}" if place else f"{number} {line}"


def _scalar(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case _:
            return printable(_BREAK.sub(" / ", str(value).strip()))
