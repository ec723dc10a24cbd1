"""A deliverable on its way to the page: Markdown with its head, a model's instance, or plain data."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from orch_dagster.candidate import candidate_of
from orch_dagster.library import MARKDOWN, Library
from orch_dagster.shelf import DocumentError
from orch_dagster.strict_yaml import YamlError, read_mapping, split_head

_DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Written:
    """A Markdown deliverable; `head` holds the fields of its YAML head, none where it has none."""

    head: Mapping[str, Any]
    body: str


@dataclass(frozen=True, slots=True)
class Structured:
    """A deliverable that is valid by its library's model."""

    value: BaseModel


@dataclass(frozen=True, slots=True)
class Loose:
    """A text that is not what its library declares: its data if it is JSON, else the text."""

    value: Any


Document = Written | Structured | Loose


def read_document(library: Library, text: str) -> Document:
    """What a deliverable's text holds; one that a person has broken is still shown."""
    if library.declared.deliverable == MARKDOWN:
        return _written(text)
    try:
        return Structured(candidate_of(library, text))
    except (DocumentError, RecursionError):
        return Loose(_json_or_text(text))


def plain_data(value: Any) -> Any:
    """Mappings, lists and scalars, as they stand in the file; what lies very deep is JSON text."""
    data = value.model_dump(mode="json", by_alias=True) if isinstance(value, BaseModel) else value
    return _cut(data, _DEEPEST)


def pretty_json(value: Any) -> str:
    """JSON as people read it; models and lists of models too."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=plain_data)


def _written(text: str) -> Written:
    try:
        parts = split_head(text)
        return Written(read_mapping(parts[0]), parts[1]) if parts else Written({}, text)
    except YamlError:  # a rule of three hyphens at the top, or a head edited by hand
        return Written({}, text)


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _cut(value: Any, depth: int) -> Any:
    match value:
        case dict() | list() if depth == 0:
            return json.dumps(value, ensure_ascii=False)
        case dict():
            return {str(key): _cut(item, depth - 1) for key, item in value.items()}
        case list() | tuple():
            return [_cut(item, depth - 1) for item in value]
        case _:
            return value
