"""The prompt files of every library with a structured deliverable: whole, rendered, affordable."""

import re
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel

from orch_dagster.candidate import candidate_of, render
from orch_dagster.library import Library, load_library
from orch_dagster.prompt import Prompt
from orch_dagster.subject import subject_of

NAMES = ("content_ops", "crm", "design", "image", "seo", "social", "task", "video")

SECTIONS = [
    "# Job", "## Inputs", "## What good looks like", "## Avoid", "## Good example", "## Bad example",
]  # fmt: skip

PASS_SHARE = 0.2
"""The most that a pass may cost of all the library's tokens (DESIGN 7)."""

SHORT_CHAIN_SHARE = 0.25
"""The same for a library with three prompts before its pass: a fifth is out of their reach."""


@dataclass(frozen=True)
class Case:
    """A library, and sound answers of its prompts (`tests/<library>/answers.py`)."""

    library: Library
    sound: ModuleType

    def request(self, prompt: Prompt, **changes: Any) -> str:
        """The messages of a prompt after a sound chain, as one text."""
        chain = self.sound.answers()
        candidate = self.library.compose(self.sound.brief(), chain)
        known = {name: _shown(answer) for name, answer in chain.items()} | {
            "candidate": self.library.module.show(candidate),
            "scores": {"voice_consistency": 3.5, "coherence_score": 4.1},
            "findings": ["something is wrong there"],
        }
        messages = prompt.messages(
            system=self.library.system,
            fields=self.library.fields,
            subject=subject_of(self.sound.brief()),
            answers=known | changes,
        )
        return "\n".join(message.content for message in messages)


def case(name: str) -> Case:
    """The library of this name."""
    library = load_library(import_module(f"assets.content.{name}"))
    return Case(library, import_module(f"tests.{name}.answers"))


CASES = {name: case(name) for name in NAMES}
each_library = pytest.mark.parametrize("one", CASES.values(), ids=CASES.keys())
each_prompt = pytest.mark.parametrize(
    ("one", "prompt"),
    [
        pytest.param(one, prompt, id=f"{name}-{prompt.name}")
        for name, one in CASES.items()
        for prompt in one.library.prompts
    ],
)


def _shown(answer: Any) -> Any:
    return answer.model_dump(mode="json") if isinstance(answer, BaseModel) else answer


@each_library
def test_a_library_loads_with_its_prompts_in_order_and_the_pass_last(one: Case):
    names = [prompt.name for prompt in one.library.prompts]
    assert names == [*one.sound.answers(), "quality_pass"]
    assert [gate.minimum for gate in one.library.gates] == [4.0, 4.0]


@each_prompt
def test_a_prompt_has_all_its_sections_in_order(one: Case, prompt: Prompt):
    headings = re.findall(r"^#{1,2} .+$", prompt.body, flags=re.MULTILINE)
    scoring = ["## Rubric"] if prompt is one.library.quality_pass else []
    assert [found for found in headings if found in {*SECTIONS, *scoring, "## Answer"}] == [
        *SECTIONS,
        *scoring,
        "## Answer",
    ]


@each_prompt
def test_a_prompt_renders_with_nothing_left_open(one: Case, prompt: Prompt):
    text = one.request(prompt)
    assert "<brief>\n" in text
    assert "{{" not in text
    assert "{%" not in text


@each_prompt
def test_every_field_of_an_answer_is_described(one: Case, prompt: Prompt):
    schema = one.library.schema(prompt)
    models = [schema, *schema.get("$defs", {}).values()]
    fields = [(name, f) for model in models for name, f in model.get("properties", {}).items()]
    assert [name for name, found in fields if not found.get("description")] == []


@each_prompt
def test_a_sound_answer_is_of_the_model_that_its_prompt_names_and_is_accepted(
    one: Case, prompt: Prompt
):
    if prompt is one.library.quality_pass:
        return
    answers = one.sound.answers()
    answer: BaseModel = answers[prompt.name]
    model = one.library.model(prompt)
    assert model.model_validate_json(answer.model_dump_json(), strict=True) == answer
    assert one.library.module.accept(prompt.name, answer, answers) == []


@each_library
@pytest.mark.parametrize("score", ["voice_consistency", "coherence_score"])
def test_the_rubric_anchors_each_score_at_two_four_and_five(one: Case, score: str):
    rubric = one.library.quality_pass.body.split("## Rubric")[1].split("## Answer")[0]
    anchors = rubric.split(score)[1]
    assert [f"- {n}:" in anchors for n in (2, 4, 5)] == [True] * 3


@each_library
def test_the_pass_reads_scores_and_findings_only_where_there_are_any(one: Case):
    first = one.request(one.library.quality_pass, scores=None, findings=[])
    assert "<last_scores>" not in first
    assert "<found_by_code>" not in first
    again = one.request(one.library.quality_pass)
    assert "something is wrong there" in again
    assert "3.5" in again


@each_library
def test_the_deliverable_is_read_again_from_its_file(one: Case):
    candidate = one.library.compose(one.sound.brief(), one.sound.answers())
    assert candidate_of(one.library, render(candidate)) == candidate


@each_library
def test_a_pass_costs_a_small_part_of_the_library(one: Case):
    cost = {prompt.name: len(one.request(prompt)) for prompt in one.library.prompts}
    for name, answer in {**one.sound.answers(), "quality_pass": one.sound.revision()}.items():
        cost[name] += len(answer.model_dump_json())
    most = PASS_SHARE if len(one.library.chain) > 3 else SHORT_CHAIN_SHARE
    assert cost["quality_pass"] / sum(cost.values()) <= most
