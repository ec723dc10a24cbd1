"""A library of five prompts in a package of its own, small enough to follow by eye."""

import importlib.util
import itertools
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

from orch_dagster.library import Library, load_library

_numbers = itertools.count(1)

FILES = {
    "__init__.py": "",
    "library.yaml": """\
title: Notes
description: A note of two paragraphs.
deliverable: markdown
quality_pass: quality_pass
meta: meta
gates:
  voice_consistency: 4.0
  coherence_score: 4.0
""",
    "system.md": "You write notes.\n",
    "models.py": '''\
"""What the prompts answer."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from orch_dagster.core.episode import Score5


class Plan(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    points: Annotated[tuple[str, ...], Field(min_length=1, max_length=3)]


class Revision(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    deliverable: str
    flags: tuple[Literal["footnote_requires_review", "use_variant_b"], ...]
    voice_consistency: Score5
    coherence_score: Score5


class Meta(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Annotated[str, Field(min_length=3, max_length=20)]


def compose(brief, answers):
    return answers["lede"] + "\\n\\n" + answers["body"]


def accept(prompt, answer, answers):
    if prompt == "body" and answer == answers["lede"]:
        return ["the body repeats the lede"]
    return []


def finish(brief, candidate, answers):
    return f"---\\ntitle: {answers['meta'].title}\\n---\\n{candidate}\\n"


def check(brief, answers, deliverable):
    return ["the word 'forbidden' stands in it"] if "forbidden" in deliverable else []
''',
    "prompts/01_plan.md": """\
---
job: Plan
role: reasoning
brief: [title, core_thesis]
output: Plan
max_tokens: 500
---
Plan the note.
""",
    "prompts/02_lede.md": """\
---
job: Lede
role: fast
brief: [title, core_thesis, brand_voice]
reads: [plan]
output: text
max_tokens: 500
---
Write the lede on {{ plan.points | join(", ") }}.
""",
    "prompts/03_body.md": """\
---
job: Body
role: fast
brief: [title, sources]
reads: [plan, lede]
output: text
words: 0.04
max_tokens: {base: 100, per_word: 2.0}
---
Go on after "{{ lede }}" with {{ plan.points[0] }}, about {{ words }} words.
""",
    "prompts/04_quality_pass.md": """\
---
job: Repair and score
role: reasoning
brief: [title]
reads: [candidate, scores, findings]
output: Revision
max_tokens: 500
---
<note>{{ candidate }}</note>
{% if scores %}Last time: {{ scores.voice_consistency }}.{% endif %}
{% for finding in findings %}- {{ finding }}
{% endfor %}
""",
    "prompts/05_meta.md": """\
---
job: Title
role: fast
brief: [title]
reads: [deliverable]
output: Meta
max_tokens: 100
---
A title for <note>{{ deliverable }}</note>
""",
}
"""The files of the library, by their path in its folder."""

CHAIN, AFTER = ("plan", "lede", "body"), ("quality_pass", "meta")

PLAN = '{"points": ["salt", "snow"]}'
LEDE = "Snow fell before the depot opened."
BODY = "The lorries went out at four, and nobody in the valley noticed a thing."
META = '{"title": "Before four"}'


def revision(text: str, *, voice: float = 4.5, flags: str = "") -> str:
    """A quality pass's answer: the note as it now stands, and its scores."""
    return (
        f'{{"deliverable": "{text}", "flags": [{flags}], '
        f'"voice_consistency": {voice}, "coherence_score": 4.5}}'
    )


GOOD = {
    "plan": [PLAN],
    "lede": [LEDE],
    "body": [BODY],
    "quality_pass": [revision("The repaired note.")],
    "meta": [META],
}
"""A script in which every prompt is answered well at once."""


def package(folder: Path, library: str, changes: Mapping[str, str | bytes | None]) -> ModuleType:
    """A new package in a folder, with one library in it.

    `changes` replace files, by their path with `/` and `.` written as `__` and `_`; None leaves
    one out.
    """
    written = {path.replace("/", "__").replace(".", "_"): path for path in FILES}
    files: dict[str, str | bytes | None] = {**FILES}
    for key, text in changes.items():
        files[written.get(key, key)] = text
    where = folder / library
    for path, text in files.items():
        if text is not None:
            target = where / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text if isinstance(text, bytes) else text.encode())
    (folder / "__init__.py").touch()
    return _imported(folder)


def tiny_library(folder: Path, **changes: str | bytes | None) -> Library:
    """The library of a new package in a folder."""
    return load_library(import_module(f"{package(folder, 'notes', changes).__name__}.notes"))


def _imported(folder: Path) -> ModuleType:
    """The folder as a package under a name of its own, without touching the import path."""
    name = f"tiny_package_{next(_numbers)}"
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
