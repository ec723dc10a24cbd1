"""Prompts: Markdown files with a YAML head, rendered into the messages of one request."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from jinja2 import StrictUndefined, TemplateError, TemplateSyntaxError, meta
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from orch_dagster.core.brief import PROMPT_FIELDS
from orch_dagster.model import Message, Role
from orch_dagster.strict_yaml import YamlError, read_mapping, split_head
from orch_dagster.subject import Subject

TEXT = "text"


class PromptError(ValueError):
    """A prompt file that cannot be used; the message names file and field."""


class TokenCap(BaseModel):
    """A cap that grows with the length the brief asks for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base: Annotated[int, Field(strict=True, ge=1)]
    per_word: Annotated[float, Field(ge=0, le=20)]


class Head(BaseModel):
    """The YAML head of a prompt file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    job: Annotated[str, Field(min_length=1)]
    role: Role
    brief: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    output: str
    words: Annotated[float, Field(gt=0, le=1)] | None = None
    max_tokens: Annotated[int, Field(strict=True, ge=1)] | TokenCap


class _Environment(ImmutableSandboxedEnvironment):
    """A field of an answer wins over a method of its mapping (`items`, `values`, `keys`)."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, Mapping) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


_ENVIRONMENT = _Environment(
    undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
)


@dataclass(frozen=True)
class Prompt:
    """One prompt of a library: its head, and the body that is rendered for an article."""

    name: str
    file: str
    head: Head
    body: str

    @property
    def text(self) -> bool:
        """Whether the answer is plain text, not a structured one."""
        return self.head.output == TEXT

    def words(self, words: int) -> int | None:
        """How many words a text answer should have in an article of so many, or None where it is free."""
        return None if self.head.words is None else round(words * self.head.words)

    def max_tokens(self, words: int) -> int:
        """The cap of this prompt's answer for an article of so many words."""
        cap = self.head.max_tokens
        return cap if isinstance(cap, int) else round(cap.base + cap.per_word * words)

    def messages(
        self, *, system: str, fields: tuple[str, ...], subject: Subject, answers: Mapping[str, Any]
    ) -> tuple[Message, ...]:
        """The messages of the first request: what is the same for most prompts stands first.

        `fields` is the order in which the folder's prompts show the subject's fields; `answers` holds at
        least what the head's `reads` names.

        Raises:
            PromptError: the template asks for something that its inputs do not have.
        """
        shown = tuple(name for name in fields if name in self.head.brief)
        variables: dict[str, Any] = {name: answers[name] for name in self.head.reads}
        if (words := self.words(subject.words)) is not None:
            variables["words"] = words
        try:
            body = self._template.render(variables)
        except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise PromptError(f"{self.file}: {error}") from error
        return (
            Message(role="system", content=system),
            Message(role="user", content=f"{subject.block(shown)}{body}"),
        )

    @cached_property
    def _template(self) -> Any:
        return _ENVIRONMENT.from_string(self.body)


def load_prompt(path: Path) -> Prompt:
    """The prompt in a file named `NN_name.md`.

    Raises:
        PromptError: no head, a wrong field in it, a body that is no template, a variable that is
            used and not declared, or declared and not used.
    """
    file = f"{path.parent.parent.name}/{path.parent.name}/{path.name}"
    number, _, name = path.stem.partition("_")
    if not (number.isdigit() and name.isidentifier()):
        raise PromptError(f"{file}: a prompt file is named like '03_structure.md'")
    try:
        parts = split_head(_text(file, path))
        if parts is None:
            raise PromptError(f"{file}: begins with no YAML head (a line '---', fields, '---')")
        head = Head.model_validate(read_mapping(parts[0]))
    except YamlError as error:
        raise PromptError(f"{file}: {error}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise PromptError(f"{file}: head field {field!r}: {first['msg']}") from error
    _check_variables(file, head, parts[1])
    return Prompt(name=name, file=file, head=head, body=parts[1].strip())


def _text(file: str, path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PromptError(f"{file}: not UTF-8 (byte {error.start}); save it as UTF-8") from error


def _check_variables(file: str, head: Head, body: str) -> None:
    for field in head.brief:
        if field not in PROMPT_FIELDS:
            raise PromptError(
                f"{file}: head field 'brief' names {field!r}; there are {', '.join(PROMPT_FIELDS)}"
            )
    if head.words is not None and head.output != TEXT:
        raise PromptError(f"{file}: head field 'words' goes with 'output: text' only")
    used = _variables(file, body)
    declared = {*head.reads, *(["words"] if head.words is not None else [])}
    if unknown := sorted(used - declared):
        raise PromptError(
            f"{file}: uses {unknown[0]!r}, which its head does not declare under 'reads'"
        )
    if unused := sorted(declared - used):
        raise PromptError(f"{file}: declares {unused[0]!r} and never uses it")


def _variables(file: str, body: str) -> set[str]:
    try:
        template = _ENVIRONMENT.parse(body)
        _ENVIRONMENT.from_string(template)
    except TemplateSyntaxError as error:
        raise PromptError(f"{file}: body line {error.lineno}: {error.message}") from error
    if [*meta.find_referenced_templates(template)]:
        raise PromptError(f"{file}: takes in another template; a prompt is one file")
    return meta.find_undeclared_variables(template)
