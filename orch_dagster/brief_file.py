"""Briefs from files and folders: a good one, or every mistake of a bad one in words."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from orch_dagster.core.brief import Brief
from orch_dagster.intake import is_passing, local_bytes
from orch_dagster.strict_yaml import YamlError, read_mapping, split_head

LARGEST_FILE = 2 * 1024 * 1024
"""Bytes; every field at its cap in the widest UTF-8 stays below it."""

NOUN = "a brief"
SUFFIXES = (".yaml", ".yml", ".md", ".markdown")


class BriefError(ValueError):
    """A brief that is not registered: `mistakes` has a sentence for each thing to mend."""

    def __init__(self, *mistakes: str) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = mistakes


def brief_files(path: Path) -> tuple[Path, ...]:
    """The brief files that a path names: itself, or those directly in the folder, by name.

    Raises:
        BriefError: nothing there, a folder without briefs, or a file of another kind.
    """
    if path.is_dir():
        found = tuple(sorted(p for p in path.iterdir() if _is_brief(p.name) and p.is_file()))
        if not found:
            raise BriefError(f"{path}: no brief in this folder (looked for {', '.join(SUFFIXES)})")
        return found
    if not path.exists():
        raise BriefError(f"{path}: no such file or folder")
    if path.suffix not in SUFFIXES:
        raise BriefError(f"{path}: a brief is a file that ends in {', '.join(SUFFIXES)}")
    return (path,)


def _is_brief(name: str) -> bool:
    return name.endswith(SUFFIXES) and not is_passing(name)


def read_brief(path: Path) -> Brief:
    """The brief in a file.

    Raises:
        BriefError: one sentence for each mistake, with the file's name and the field.
    """
    data = local_bytes(path, largest=LARGEST_FILE, noun=NOUN)
    if isinstance(data, str):
        raise BriefError(data)
    return parse_brief(path.name, data)


def parse_brief(name: str, data: bytes) -> Brief:
    """The brief that a YAML file holds, or a Markdown file whose head has the fields.

    The body of a Markdown brief is its `sources`.

    Raises:
        BriefError: one sentence for each mistake, with the file's name and the field.
    """
    text = _text(name, data)
    try:
        fields = _fields(name, text)
    except YamlError as error:
        raise BriefError(f"{name}: {error}") from error
    try:
        return Brief.model_validate(fields)
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=True)
        raise BriefError(*_unique(_sentence(name, detail) for detail in details)) from error


def _text(name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BriefError(
            f"{name}: not UTF-8 (byte {error.start} is {error.object[error.start]:#04x}); "
            "save the file as UTF-8"
        ) from error


def _fields(name: str, text: str) -> dict[str, Any]:
    if name.endswith((".yaml", ".yml")):
        return read_mapping(text)
    parts = split_head(text)
    if parts is None:
        raise YamlError("a Markdown brief begins with a YAML head: a line '---', fields, '---'")
    head, body = parts
    fields = read_mapping(head)
    if body.strip():
        if "sources" in fields:
            raise YamlError("field 'sources' stands in the head and as the text below it; keep one")
        fields["sources"] = body
    return fields


def _sentence(name: str, detail: ErrorDetails) -> str:
    field = ".".join(str(part) for part in detail["loc"])
    return f"{name}: field {field!r} {_what(detail)}"


def _what(detail: ErrorDetails) -> str:
    if detail["input"] is None:
        return "is empty"
    template = _WHAT.get(detail["type"])
    if template is None:
        return f"is wrong: {detail['msg']}"
    return template.format(
        kind=_kind(detail["input"]), most=detail.get("ctx", {}).get("max_length", 0)
    )


_WHAT = {
    "missing": "is missing",
    "extra_forbidden": f"is not known; the fields are {', '.join(Brief.model_fields)}",
    "string_type": "must be text, not {kind}; put it in quotes",
    "int_type": "must be a whole number, not {kind}",
    "string_too_short": "is empty",
    "string_too_long": "is longer than {most:,} characters",
    "string_pattern_mismatch": (
        "must be a slug: small letters, digits and single hyphens, as in 'winter-service'"
    ),
    "tuple_type": "must be a list of entries with 'title' and 'url'",
    "model_type": "must be an entry with 'title' and 'url', not {kind}",
}
"""What to say of each kind of mistake, by pydantic's name for it."""


def _kind(value: object) -> str:
    match value:
        case None:
            return "empty"
        case bool():
            return f"the yes/no value {str(value).lower()!r}"
        case int() | float():
            return f"the number {str(value)[:40]}"
        case list():
            return "a list"
        case dict():
            return "a mapping"
        case str():
            return "text"
        case _:
            return f"a {type(value).__name__}"


def _unique(sentences: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sentences))
