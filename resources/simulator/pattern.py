"""Strings that match a regular expression, for the expressions that JSON schemas really use."""

import random
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_LETTERS = string.ascii_lowercase + string.ascii_uppercase
_PLAIN = string.ascii_lowercase + string.digits + " -_.,:/" + string.ascii_uppercase
_CLASSES = {
    "d": string.digits,
    "w": string.ascii_lowercase + string.digits + "_",
    "s": " ",
    "D": string.ascii_lowercase,
    "W": "-.:/ ",
    "S": string.ascii_lowercase + string.digits,
}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_TRIES = 200


class PatternError(ValueError):
    """An expression that nothing could be written for."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """A single character out of `chars`."""

    chars: str


@dataclass(frozen=True, slots=True)
class Row:
    """Everything in `parts`, in order."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Any one of `branches`."""

    branches: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """`part`, `least` to `most` times; None stands for no end."""

    part: "Node"
    least: int
    most: int | None


Node = OneOf | Row | Choice | Repeat


def matching(pattern: str, rng: random.Random, *, least: int, most: int | None) -> str:
    """A string of `least` to `most` characters in which `pattern` is found.

    Look-arounds, back references and word borders are skipped when writing and checked at the end.

    Raises:
        PatternError: the expression is malformed, or many tries gave nothing that fits.
    """
    node, check = _compiled(pattern)
    extra = 3
    for _ in range(_TRIES):
        text = "".join(_written(node, rng, extra))
        if len(text) < least:
            extra = min(extra * 2, 4096)
        elif most is not None and len(text) > most:
            extra = max(0, extra // 2)
        elif check.search(text):
            return text
    raise PatternError(f"no string of the asked length was found for pattern {pattern!r}")


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> tuple[Node, re.Pattern[str]]:
    try:
        check = re.compile(pattern)
    except re.error as error:
        raise PatternError(f"pattern {pattern!r} is malformed: {error}") from error
    return _Reader(pattern).choice(), check


def _written(node: Node, rng: random.Random, extra: int) -> Iterator[str]:
    match node:
        case OneOf(chars):
            yield rng.choice(chars)
        case Row(parts):
            for part in parts:
                yield from _written(part, rng, extra)
        case Choice(branches):
            yield from _written(rng.choice(branches), rng, extra)
        case Repeat(part, least, most):
            top = least + extra if most is None else min(most, least + extra)
            for _ in range(rng.randint(least, top)):
                yield from _written(part, rng, extra)


class _Reader:
    """Reads an expression that `re` has already found well formed."""

    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0

    def choice(self) -> Node:
        branches = [self._row()]
        while self._taken("|"):
            branches.append(self._row())
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def _row(self) -> Node:
        parts: list[Node] = []
        while self._at < len(self._text) and self._text[self._at] not in "|)":
            parts.append(self._repeated(self._atom()))
        return Row(tuple(parts))

    def _repeated(self, part: Node) -> Node:
        bounds = re.compile(r"([*+?])|\{(\d*)(,?)(\d*)\}").match(self._text, self._at)
        if bounds is None or bounds[0] in ("{}", "{,}"):
            return part
        self._at = bounds.end()
        if not self._taken("?"):
            self._taken("+")
        if bounds[1]:
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[bounds[1]]
            return Repeat(part, least, most)
        least = int(bounds[2] or 0)
        open_end = None if bounds[3] else least
        return Repeat(part, least, int(bounds[4]) if bounds[4] else open_end)

    def _atom(self) -> Node:
        char = self._next()
        match char:
            case "(":
                return self._group()
            case "[":
                return OneOf(self._char_class())
            case ".":
                return OneOf(_PLAIN)
            case "^" | "$":
                return Row(())
            case "\\":
                return self._escaped()
            case _:
                return OneOf(char)

    def _group(self) -> Node:
        head = re.compile(r"\?(?:P?<[A-Za-z_]\w*>|:|[=!]|<[=!]|[a-z]+:)").match(
            self._text, self._at
        )
        self._at = head.end() if head else self._at
        inside = self.choice()
        self._next()
        looks_around = head is not None and head[0] in ("?=", "?!", "?<=", "?<!")
        return Row(()) if looks_around else inside

    def _escaped(self) -> Node:
        char = self._next()
        if char in "bBAZ" or char.isdigit():
            return Row(())
        return OneOf(self._escape(char))

    def _escape(self, char: str) -> str:
        if char in _CLASSES:
            return _CLASSES[char]
        if char in "xu":
            digits = 2 if char == "x" else 4
            code = self._text[self._at : self._at + digits]
            self._at += digits
            return chr(int(code, 16))
        return _CONTROLS.get(char, char)

    def _char_class(self) -> str:
        negated = self._taken("^")
        chars = ""
        while not chars or self._text[self._at] != "]":
            chars += self._class_member()
        self._next()
        if negated:
            return "".join(c for c in _PLAIN if c not in chars) or "~"
        return "".join(dict.fromkeys(chars))

    def _class_member(self) -> str:
        first = self._class_char()
        if len(first) > 1 or not self._is_range():
            return first
        self._next()
        last = self._class_char()
        return "".join(
            chr(code) for code in range(ord(first), min(ord(last), ord(first) + 255) + 1)
        )

    def _class_char(self) -> str:
        char = self._next()
        return self._escape(self._next()) if char == "\\" else char

    def _is_range(self) -> bool:
        return self._text[self._at] == "-" and self._text[self._at + 1] != "]"

    def _taken(self, char: str) -> bool:
        found = self._text.startswith(char, self._at)
        self._at += found
        return found

    def _next(self) -> str:
        char = self._text[self._at]
        self._at += 1
        return char
