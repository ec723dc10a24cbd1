"""A folder of prompts: Markdown files, a system text, and the models of their answers."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from json import dumps
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import BaseModel

from orch_dagster.core.brief import PROMPT_FIELDS
from orch_dagster.prompt import TEXT, Prompt, load_prompt

CANDIDATE = "candidate"
"""The answer that prompts see as the folder's `show` gives it: the text under work."""

Answers = Mapping[str, Any]
"""Text as `str`, structured answers as instances of their model, by prompt name."""


class LibraryError(ValueError):
    """A folder that cannot be used; the message names file and field."""


@dataclass(frozen=True)
class PromptFolder:
    """Prompts in order, what they share, and the Python beside them (`models.py`)."""

    name: str
    system: str
    prompts: tuple[Prompt, ...]
    module: ModuleType

    def prompt(self, name: str) -> Prompt:
        """The prompt of this name."""
        return next(prompt for prompt in self.prompts if prompt.name == name)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Brief fields in the order in which prompts show them: those that most prompts read first.

        So the messages of a chain share the longest prefix, which a provider can cache.
        """
        read = Counter(field for prompt in self.prompts for field in prompt.head.brief)
        return tuple(sorted(read, key=lambda name: (-read[name], PROMPT_FIELDS.index(name))))

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

    def hook(self, name: str) -> Callable[..., Any] | None:
        """A function of the library's `models.py`, or None where it leaves the default."""
        return getattr(self.module, name, None)

    def sources(self) -> list[str]:
        """The Python of the folder, as text."""
        folder = Path(str(self.module.__file__)).parent
        return [path.read_text("utf-8") for path in sorted(folder.glob("*.py"))]

    def version(self, prompts: tuple[Prompt, ...], sources: list[str]) -> str:
        """The code version of what is made with these prompts and this Python."""
        parts = [self.system, dumps(list(self.fields)), *sources]
        for prompt in prompts:
            parts += [prompt.name, prompt.head.model_dump_json(), prompt.body]
            if not prompt.text:
                parts.append(dumps(self.schema(prompt), sort_keys=True))
        return sha256("\0".join(parts).encode()).hexdigest()[:16]

    def faults(self) -> Iterator[str]:
        """What is wrong with the folder as a whole, each as a sentence naming the file."""
        names = [prompt.name for prompt in self.prompts]
        if not names:
            yield f"{self.name}/prompts: holds no prompt"
        if len(set(names)) != len(names):
            yield f"{self.name}/prompts: two prompts have the same name"
        for prompt in self.prompts:
            if prompt.head.output != TEXT:
                yield from self.model_faults(prompt.file, prompt.head.output)

    def model_faults(self, where: str, name: str) -> Iterator[str]:
        """Whether a name stands for an output model of this folder."""
        model = getattr(self.module, name, None)
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            yield f"{where}: {name!r} is no output model in {self.name}/models.py"


def load_prompt_folder(package: ModuleType) -> PromptFolder:
    """The prompts in one package's folder: `system.md`, `prompts/*.md`, `models.py`.

    Raises:
        LibraryError, PromptError: what is wrong, in which file.
    """
    folder = PromptFolder(**folder_parts(package))
    for fault in folder.faults():
        raise LibraryError(fault)
    return folder


def folder_parts(package: ModuleType) -> dict[str, Any]:
    """What every folder of prompts has, as the fields of `PromptFolder`; nothing is checked yet."""
    folder = Path(package.__path__[0])
    if not (folder / "models.py").is_file():
        raise LibraryError(f"{folder.name}/models.py: is not there")
    return {
        "name": folder.name,
        "system": read_text(folder, "system.md").strip(),
        "prompts": tuple(load_prompt(path) for path in sorted((folder / "prompts").glob("*.md"))),
        "module": import_module(f"{package.__name__}.models"),
    }


def read_text(folder: Path, name: str) -> str:
    """A text file of the folder.

    Raises:
        LibraryError: it is not there, or not UTF-8.
    """
    try:
        return (folder / name).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise LibraryError(f"{folder.name}/{name}: not UTF-8 (byte {error.start})") from error
    except OSError as error:
        raise LibraryError(f"{folder.name}/{name}: cannot be read ({error.strerror})") from error
