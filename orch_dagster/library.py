"""Libraries: folders of prompts, output models and gates, loaded into one declaration each."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import CONTENT_SCORES, REVIEW_SCORE
from orch_dagster.core.gate import Gate, minimum
from orch_dagster.core.pipeline import INPUT, Step
from orch_dagster.prompt import Prompt
from orch_dagster.prompt_folder import (
    CANDIDATE,
    Answers,
    LibraryError,
    PromptFolder,
    folder_parts,
    read_text,
)
from orch_dagster.strict_yaml import YamlError, read_mapping

MARKDOWN = "markdown"

_NAME = re.compile(r"(?=.{1,24}\Z)[a-z][a-z0-9]*(_[a-z0-9]+)*\Z")

SCORES, FINDINGS, DELIVERABLE = "scores", "findings", "deliverable"
"""What a pass op offers to its prompts beside the chain's answers."""


class LibraryFile(BaseModel):
    """What `library.yaml` declares."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Annotated[str, Field(min_length=1)]
    description: Annotated[str, Field(min_length=1)]
    deliverable: str
    quality_pass: str
    meta: str | None = None
    gates: Annotated[dict[str, Annotated[float, Field(strict=True)]], Field(min_length=1)]


@dataclass(frozen=True)
class Library(PromptFolder):
    """One discipline: its prompts in order, its gates, and the pure functions of its `models.py`."""

    declared: LibraryFile

    @cached_property
    def chain(self) -> tuple[Prompt, ...]:
        """The prompts before the quality pass."""
        return self.prompts[: self._pass_index]

    @cached_property
    def quality_pass(self) -> Prompt:
        """The prompt that repairs and scores."""
        return self.prompts[self._pass_index]

    @cached_property
    def after_pass(self) -> tuple[Prompt, ...]:
        """The prompts that follow the quality pass."""
        return self.prompts[self._pass_index + 1 :]

    @cached_property
    def gates(self) -> tuple[Gate, ...]:
        """The minimum of each score."""
        return tuple(minimum(score, value) for score, value in self.declared.gates.items())

    @property
    def draft_step(self) -> str:
        """The name of the chain's step."""
        return f"{self.name}/draft"

    @cached_property
    def steps(self) -> tuple[Step, Step]:
        """The library as the orchestrator sees it: the chain, and the pass that can be repeated."""
        return (
            Step(name=self.draft_step, needs=(INPUT,), gates=(), rework=()),
            Step(name=self.name, needs=(self.draft_step,), gates=self.gates, rework=(self.name,)),
        )

    @property
    def suffix(self) -> str:
        """The deliverable's file suffix."""
        return ".md" if self.declared.deliverable == MARKDOWN else ".json"

    @cached_property
    def draft_version(self) -> str:
        """The code version of the chain: its prompts, output models and acceptance rules."""
        accept = self.hook("accept")
        return self.version(self.chain, [inspect.getsource(accept)] if accept else [])

    @cached_property
    def pass_version(self) -> str:
        """The code version of the pass op: its prompts, and all Python of the folder."""
        prompts = (self.quality_pass, *self.after_pass)
        return self.version(prompts, self.sources())

    def compose(self, brief: Brief, answers: Answers) -> Any:
        """The draft as one candidate, from the chain's answers."""
        return self.module.compose(brief, answers)

    @cached_property
    def _pass_index(self) -> int:
        return [prompt.name for prompt in self.prompts].index(self.declared.quality_pass)


def load_libraries(package: ModuleType) -> tuple[Library, ...]:
    """The libraries in the folders of a package, by name; each holds a `library.yaml`.

    Raises:
        LibraryError, PromptError: a folder that is no whole library; nothing is left out.
    """
    return tuple(
        load_library(import_module(f"{package.__name__}.{found.name}"))
        for found in sorted(iter_modules(package.__path__), key=lambda found: found.name)
        if found.ispkg and (Path(package.__path__[0]) / found.name / "library.yaml").is_file()
    )


def load_library(package: ModuleType) -> Library:
    """The library in one package's folder.

    Raises:
        LibraryError, PromptError: what is wrong, in which file.
    """
    folder = Path(package.__path__[0])
    name = folder.name
    try:
        declared = LibraryFile.model_validate(read_mapping(read_text(folder, "library.yaml")))
    except YamlError as error:
        raise LibraryError(f"{name}/library.yaml: {error}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise LibraryError(f"{name}/library.yaml: field {field!r}: {first['msg']}") from error
    library = Library(declared=declared, **folder_parts(package))
    for fault in _faults(library):
        raise LibraryError(fault)
    return library


def _faults(library: Library) -> Iterator[str]:
    if not _NAME.match(library.name):
        yield f"{library.name}: a library's folder has a short name in small letters, as in 'seo'"
    where = f"{library.name}/library.yaml"
    names = [prompt.name for prompt in library.prompts]
    for field in ("quality_pass", "meta"):
        named = getattr(library.declared, field)
        if named is not None and named not in names:
            yield f"{where}: field {field!r} names {named!r}; the prompts are {', '.join(names)}"
    yield from library.faults()
    if library.hook("compose") is None:
        yield f"{library.name}/models.py: has no function 'compose'"
    if library.declared.deliverable != MARKDOWN:
        yield from library.model_faults(where, library.declared.deliverable)
    yield from _reading_faults(library)
    yield from _gate_faults(library, where)
    yield from _pass_faults(library)


def _gate_faults(library: Library, where: str) -> Iterator[str]:
    try:
        scores = {gate.score for gate in library.gates}
    except ValueError as error:
        yield f"{where}: field 'gates': {error}"
        return
    if scores not in ({*CONTENT_SCORES}, {REVIEW_SCORE}):
        yield (
            f"{where}: field 'gates' names {', '.join(sorted(scores))}; an episode carries "
            f"{' and '.join(CONTENT_SCORES)}, or {REVIEW_SCORE}"
        )


def _pass_faults(library: Library) -> Iterator[str]:
    prompt = library.quality_pass
    if prompt.text:
        yield f"{prompt.file}: head field 'output': a quality pass gives scores, so it is no text"
        return
    applied = [] if library.hook("revise") else [DELIVERABLE]
    for name in (*library.declared.gates, "flags", *applied):
        if name not in library.model(prompt).model_fields:
            yield f"{library.name}/models.py: {prompt.head.output!r} has no field {name!r}"


def _reading_faults(library: Library) -> Iterator[str]:
    known: set[str] = set()
    for prompt in library.prompts:
        if prompt.name == library.declared.quality_pass:
            known |= {CANDIDATE, SCORES, FINDINGS}
        if unknown := [name for name in prompt.head.reads if name not in known]:
            yield f"{prompt.file}: reads {unknown[0]!r}, which no earlier prompt answers"
        known.add(prompt.name)
        if prompt.name == library.declared.quality_pass:
            known.add(DELIVERABLE)
