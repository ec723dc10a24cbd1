"""The Markdown document that a text is published as."""

import json
import re

from orch_dagster.publication import Publication

_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What JSON leaves as it is and YAML does not (YAML 1.2, sections 5.1 and 5.4)."""


def head(publication: Publication) -> dict[str, str | int]:
    """The fields of the head, in order, each on one line; those that are not known are left out."""
    fields = {
        "title": publication.title,
        "author": publication.author,
        "date": publication.date,
        "canonical_url": publication.canonical_url,
        "category": publication.category,
        "language": publication.language,
        "score": publication.score,
        "note": publication.note,
        "key": publication.key,
    }
    return {name: _line(value) for name, value in fields.items() if value is not None}


def rendered(publication: Publication) -> str:
    """Markdown under a YAML head; what no UTF-8 can hold is left out or a question mark.

    Each text of the head stands on one line in double quotes, so that every parser, of YAML 1.1
    and 1.2, reads the same text and none a date, a number or a truth value.
    """
    lines = "".join(f"{name}: {_scalar(value)}\n" for name, value in head(publication).items())
    body = encodable(publication.body).strip("\n")
    return f"---\n{lines}---\n\n{body}\n"


def encodable(text: str) -> str:
    """The text with a question mark for each lone surrogate."""
    return text.encode("utf-8", "replace").decode()


def _line(value: str | int) -> str | int:
    if isinstance(value, int):
        return value
    return " ".join(value.encode("utf-8", "ignore").decode().split())


def _scalar(value: str | int) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
