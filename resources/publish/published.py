"""A finished translation, and the Markdown document that it is published as."""

import json
import re
from dataclasses import dataclass

_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What JSON leaves as it is and YAML does not (YAML 1.2, sections 5.1 and 5.4)."""


@dataclass(frozen=True, slots=True)
class Published:
    """An article that goes out; `note` says so where it does below the threshold."""

    key: str
    title: str
    author: str | None
    date: str | None
    canonical_url: str | None
    category: str
    language: str
    score: int
    note: str | None
    body: str

    def head(self) -> dict[str, str | int]:
        """The fields of the head, in order; those that are not known are left out."""
        fields = {
            "title": self.title,
            "author": self.author,
            "date": self.date,
            "canonical_url": self.canonical_url,
            "category": self.category,
            "language": self.language,
            "score": self.score,
            "note": self.note,
            "key": self.key,
        }
        return {name: _line(value) for name, value in fields.items() if value is not None}

    def document(self) -> bytes:
        """Markdown in UTF-8 under a YAML head.

        Each text of the head stands on one line in double quotes, so that every parser, of YAML
        1.1 and 1.2, reads the same text and none a date, a number or a truth value.
        """
        head = "".join(f"{name}: {_scalar(value)}\n" for name, value in self.head().items())
        body = self.body.strip("\n")
        return f"---\n{head}---\n\n{body}\n".encode("utf-8", "replace")


def _line(value: str | int) -> str | int:
    if isinstance(value, int):
        return value
    return " ".join(value.encode("utf-8", "ignore").decode().split())


def _scalar(value: str | int) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
