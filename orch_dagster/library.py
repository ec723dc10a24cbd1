"""Libraries: folders of prompts, output models and gates, loaded into one declaration each."""

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from json import dumps
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from orch_dagster.core.brief import PROMPT_FIELDS, Brief
from orch_dagster.core.episode import CONTENT_SCORES, REVIEW_SCORE
from orch_dagster.core.gate import Gate, minimum
from orch_dagster.core.pipeline import INPUT, Step
from orch_dagster.prompt import TEXT, Prompt, load_prompt
from orch_dagster.strict_yaml import YamlError, read_mapping

MARKDOWN = "markdown"

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*\Z")

CANDIDATE, SCORES, FINDINGS, DELIVERABLE = "candidate", "scores", "findings", "deliverable"
"""What a pass op offers to its prompts beside the chain's answers."""

Answers = Mapping[str, Any]
"""Text as `str`, structured answers as instances of their model, by prompt name."""


class LibraryError(ValueError):
    """A library folder that cannot be used; the message names file and field."""


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
class Library:
    """One discipline: its prompts in order, its gates, and the pure functions of its `models.py`."""

    name: str
    declared: LibraryFile
    system: str
    prompts: tuple[Prompt, ...]
    module: ModuleType

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

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Brief fields in the order in which prompts show them: those that most prompts read first.

        So the messages of a chain share the longest prefix, which a provider can cache.
        """
        read = Counter(field for prompt in self.prompts for field in prompt.head.brief)
        return tuple(sorted(read, key=lambda name: (-read[name], PROMPT_FIELDS.index(name))))

    @property
    def suffix(self) -> str:
        """The deliverable's file suffix."""
        return ".md" if self.declared.deliverable == MARKDOWN else ".json"

    def model(self, prompt: Prompt) -> type[BaseModel]:
        """The output model of a structured prompt."""
        return getattr(self.module, prompt.head.output)

    def schema(self, prompt: Prompt) -> dict[str, Any]:
        """The JSON schema of a structured prompt's answer."""
        if prompt.name not in self._schemas:
            self._schemas[prompt.name] = self.model(prompt).model_json_schema()
        return self._schemas[prompt.name]

    @cached_property
    def _schemas(self) -> dict[str, dict[str, Any]]:
        return {}

    @cached_property
    def draft_version(self) -> str:
        """The code version of the chain: its prompts, output models and acceptance rules."""
        accept = self.hook("accept")
        return self._version(self.chain, [inspect.getsource(accept)] if accept else [])

    @cached_property
    def pass_version(self) -> str:
        """The code version of the pass op: its prompts, and all Python of the folder."""
        prompts = (self.quality_pass, *self.after_pass)
        return self._version(prompts, [path.read_text("utf-8") for path in self._sources()])

    def hook(self, name: str) -> Callable[..., Any] | None:
        """A function of the library's `models.py`, or None where it leaves the default."""
        return getattr(self.module, name, None)

    def compose(self, brief: Brief, answers: Answers) -> Any:
        """The draft as one candidate, from the chain's answers."""
        return self.module.compose(brief, answers)

    @cached_property
    def _pass_index(self) -> int:
        return [prompt.name for prompt in self.prompts].index(self.declared.quality_pass)

    def _sources(self) -> list[Path]:
        return sorted(Path(str(self.module.__file__)).parent.glob("*.py"))

    def _version(self, prompts: tuple[Prompt, ...], sources: list[str]) -> str:
        parts = [self.system, dumps(list(self.fields)), *sources]
        for prompt in prompts:
            parts += [prompt.name, prompt.head.model_dump_json(), prompt.body]
            if not prompt.text:
                parts.append(dumps(self.schema(prompt), sort_keys=True))
        return sha256("\0".join(parts).encode()).hexdigest()[:16]


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
        declared = LibraryFile.model_validate(read_mapping(_text(folder, "library.yaml")))
    except YamlError as error:
        raise LibraryError(f"{name}/library.yaml: {error}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise LibraryError(f"{name}/library.yaml: field {field!r}: {first['msg']}") from error
    if not (folder / "models.py").is_file():
        raise LibraryError(f"{name}/models.py: is not there")
    library = Library(
        name=name,
        declared=declared,
        system=_text(folder, "system.md").strip(),
        prompts=tuple(load_prompt(path) for path in sorted((folder / "prompts").glob("*.md"))),
        module=import_module(f"{package.__name__}.models"),
    )
    for fault in _faults(library):
        raise LibraryError(fault)
    return library


def _text(folder: Path, name: str) -> str:
    try:
        return (folder / name).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise LibraryError(f"{folder.name}/{name}: not UTF-8 (byte {error.start})") from error
    except OSError as error:
        raise LibraryError(f"{folder.name}/{name}: cannot be read ({error.strerror})") from error


def _faults(library: Library) -> Iterator[str]:
    if not _NAME.match(library.name):
        yield f"{library.name}: a library's folder has a short name in small letters, as in 'seo'"
    where = f"{library.name}/library.yaml"
    names = [prompt.name for prompt in library.prompts]
    for field in ("quality_pass", "meta"):
        named = getattr(library.declared, field)
        if named is not None and named not in names:
            yield f"{where}: field {field!r} names {named!r}; the prompts are {', '.join(names)}"
    if len(set(names)) != len(names):
        yield f"{library.name}/prompts: two prompts have the same name"
    if library.hook("compose") is None:
        yield f"{library.name}/models.py: has no function 'compose'"
    if library.declared.deliverable != MARKDOWN:
        yield from _model_faults(library, where, library.declared.deliverable)
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
        if prompt.head.output != TEXT:
            yield from _model_faults(library, prompt.file, prompt.head.output)
        known.add(prompt.name)
        if prompt.name == library.declared.quality_pass:
            known.add(DELIVERABLE)


def _model_faults(library: Library, where: str, name: str) -> Iterator[str]:
    model = getattr(library.module, name, None)
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        yield f"{where}: {name!r} is no output model in {library.name}/models.py"
