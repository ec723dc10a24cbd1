"""Candidates: what a library's functions work on, and the text of the document it becomes."""

import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from orch_dagster.library import MARKDOWN, Library
from orch_dagster.shelf import DocumentError
from orch_dagster.strict_yaml import YamlError, split_head


def candidate_of(library: Library, text: str) -> Any:
    """A deliverable's text as the library's functions take it: Markdown, or the model's instance.

    Raises:
        DocumentError: the file is no deliverable of this library, perhaps edited by hand.
    """
    if library.declared.deliverable == MARKDOWN:
        return text
    try:
        return getattr(library.module, library.declared.deliverable).model_validate_json(text)
    except ValidationError as error:
        raise DocumentError(f"{library.name}: the deliverable is not valid: {error}") from error


def render(candidate: Any) -> str:
    """A candidate as the text of its document."""
    if isinstance(candidate, BaseModel):
        return candidate.model_dump_json(indent=2, by_alias=True) + "\n"
    return candidate


def count_words(text: str) -> int:
    """Words of a Markdown deliverable without its head, or of all texts in a JSON one."""
    try:
        document = json.loads(text) if text.startswith("{") else None
    except json.JSONDecodeError:  # Markdown that begins with a brace
        document = None
    if document is None:
        return _words_of(_body(text))
    return sum(_words_of(words) for words in _strings(document))


def _body(text: str) -> str:
    try:
        parts = split_head(text)
    except YamlError:  # a rule of three hyphens at the top, and no head
        return text
    return parts[1] if parts else text


def _words_of(text: str) -> int:
    return sum(any(char.isalnum() for char in word) for word in text.split())


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for item in value.values():
                yield from _strings(item)
        case list():
            for item in value:
                yield from _strings(item)
