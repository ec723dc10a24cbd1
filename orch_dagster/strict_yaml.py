"""YAML as people write it, refusing in words what a parser would let pass."""

from collections.abc import Iterator
from typing import Any

import yaml

DEEPEST, MOST = 20, 5_000
"""Levels and values of one text: no file of ours has more, and the parser slows with them."""


class YamlError(ValueError):
    """The text is no YAML mapping that we read; the message says what and on which line."""


def read_mapping(text: str) -> dict[str, Any]:
    """The one mapping that the text holds.

    Raises:
        YamlError: broken YAML, no mapping, a key that stands twice, an alias (it could expand
            without bound), a tag, more than one document, or more than a person writes.
    """
    try:
        return _parsed(text)
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise YamlError(f"{line}no valid YAML: {error.problem or error}") from error
    except yaml.YAMLError as error:
        raise YamlError(f"no valid YAML: {error}") from error
    except OverflowError as error:  # the escape "\UFFFFFFFF"
        raise YamlError(f"no valid YAML: {error}") from error


def _parsed(text: str) -> dict[str, Any]:
    _refuse_what_expands(text)
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(node, yaml.MappingNode):
        raise YamlError("is not a mapping of 'field: value' lines")
    for line, key in _repeated_keys(node):
        raise YamlError(f"line {line}: field {key!r} stands twice")
    try:
        return yaml.load(text, Loader=yaml.SafeLoader)
    except ValueError as error:  # such as the date 2026-13-45
        raise YamlError(f"a value cannot be read ({error}): put it in quotes") from error


def split_head(text: str) -> tuple[str, str] | None:
    """The YAML head and the body of a Markdown text, or None where it has no head.

    A head stands between a first line `---` and the next line that is `---`. An empty line
    stands in the place of the first, so that lines are numbered as in the file.
    """
    lines = text.removeprefix("\ufeff").splitlines(keepends=True)
    if not lines or lines[0].strip() != "---":
        return None
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == "---":
            return "".join(["\n", *lines[1:number]]), "".join(lines[number + 1 :])
    raise YamlError("line 1 opens a YAML head with '---' that no later line '---' closes")


def _refuse_what_expands(text: str) -> None:
    depth = values = documents = 0
    for event in _events(text):
        line = event.start_mark.line + 1
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        values += isinstance(event, yaml.NodeEvent)
        documents += isinstance(event, yaml.DocumentStartEvent)
        if documents > 1:
            raise YamlError(f"line {line}: a second document begins; keep one a file")
        if depth > DEEPEST:
            raise YamlError(f"line {line}: is nested too deeply, more than {DEEPEST} levels")
        if values > MOST:
            raise YamlError(f"line {line}: holds too much, more than {MOST:,} values")
        _refuse(event, line)


def _events(text: str) -> Iterator[yaml.Event]:
    try:
        yield from yaml.parse(text, Loader=yaml.SafeLoader)
    except ValueError as error:  # the escape "\U00110000"
        raise YamlError(f"no valid YAML: {error}") from error


def _refuse(event: yaml.Event, line: int) -> None:
    if isinstance(event, yaml.AliasEvent):
        raise YamlError(f"line {line}: aliases (*{event.anchor}) are not read; write the text out")
    tag = getattr(event, "tag", None)
    if tag is not None and tag != "!":
        raise YamlError(f"line {line}: the tag {tag!r} is not read; write plain text")


def _repeated_keys(node: yaml.Node) -> Iterator[tuple[int, str]]:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    yield key.start_mark.line + 1, key.value
                seen.add(key.value)
            yield from _repeated_keys(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _repeated_keys(value)
