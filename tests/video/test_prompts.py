"""The video library's files: they load, and each prompt is whole."""

import re
from importlib import import_module
from typing import Any

import pytest
from pydantic import BaseModel

from orch_dagster.candidate import candidate_of, render
from orch_dagster.library import Library, load_library
from orch_dagster.prompt import Prompt
from orch_dagster.subject import subject_of
from tests.video.answers import answers, brief, revision

LIBRARY: Library = load_library(import_module("assets.content.video"))
SECTIONS = [
    "# Job", "## Inputs", "## What good looks like", "## Avoid", "## Good example", "## Bad example",
]  # fmt: skip
PASS_SHARE = 0.2
"""The most that a pass may cost of all the library's tokens."""


def variables(prompt: Prompt, **changes: Any) -> dict[str, Any]:
    chain = answers()
    shown = {name: answer.model_dump(mode="json") for name, answer in chain.items()}
    candidate = LIBRARY.module.show(LIBRARY.compose(brief(), chain))
    scores = {"voice_consistency": 3.5, "coherence_score": 4.1}
    extra = {"candidate": candidate, "scores": scores, "findings": ["hero: too long"]}
    known = shown | extra | changes
    return {name: known[name] for name in prompt.head.reads}


def rendered(prompt: Prompt, **changes: Any) -> str:
    messages = prompt.messages(
        system=LIBRARY.system,
        fields=LIBRARY.fields,
        subject=subject_of(brief()),
        answers=variables(prompt, **changes),
    )
    return "\n".join(message.content for message in messages)


def test_the_library_loads_with_its_prompts_in_order():
    assert tuple(prompt.name for prompt in LIBRARY.prompts) == (*answers(), "quality_pass")
    assert [gate.minimum for gate in LIBRARY.gates] == [4.0, 4.0]


@pytest.mark.parametrize("prompt", LIBRARY.prompts, ids=lambda prompt: prompt.name)
def test_a_prompt_has_all_its_sections_in_order(prompt: Prompt):
    headings = re.findall(r"^#+ .+$", prompt.body, flags=re.MULTILINE)
    scoring = ["## Rubric"] if prompt is LIBRARY.quality_pass else []
    assert headings == [*SECTIONS, *scoring, "## Answer"]


@pytest.mark.parametrize("prompt", LIBRARY.prompts, ids=lambda prompt: prompt.name)
def test_a_prompt_renders_and_names_every_field_of_its_answer(prompt: Prompt):
    assert "{{" not in rendered(prompt)
    answer = prompt.body.split("## Answer")[1]
    assert [f for f in LIBRARY.model(prompt).model_fields if f"`{f}`" not in answer] == []


@pytest.mark.parametrize("prompt", LIBRARY.prompts, ids=lambda prompt: prompt.name)
def test_every_field_of_an_answer_is_described(prompt: Prompt):
    schema = LIBRARY.schema(prompt)
    models = [schema, *schema.get("$defs", {}).values()]
    fields = [(name, f) for model in models for name, f in model.get("properties", {}).items()]
    assert [name for name, field in fields if not field.get("description")] == []


@pytest.mark.parametrize("prompt", LIBRARY.chain, ids=lambda prompt: prompt.name)
def test_the_sound_answers_are_of_the_models_that_the_prompts_name(prompt: Prompt):
    model = LIBRARY.model(prompt)
    answer: BaseModel = answers()[prompt.name]
    assert model.model_validate_json(answer.model_dump_json(), strict=True) == answer


def test_the_rubric_anchors_both_scores_at_two_four_and_five():
    rubric = LIBRARY.quality_pass.body.split("## Rubric")[1].split("## Answer")[0]
    for score in ("voice_consistency", "coherence_score"):
        anchors = rubric.split(score)[1]
        assert [f"- {n}:" in anchors for n in (2, 4, 5)] == [True] * 3


def test_the_pass_reads_scores_and_findings_only_when_there_are_any():
    first = rendered(LIBRARY.quality_pass, scores=None, findings=[])
    assert "<last_scores>" not in first
    assert "<found_by_code>" not in first
    again = rendered(LIBRARY.quality_pass)
    assert "voice_consistency 3.5" in again
    assert "- hero: too long" in again


def test_the_deliverable_is_read_again_from_its_file():
    candidate = LIBRARY.compose(brief(), answers())
    assert candidate_of(LIBRARY, render(candidate)) == candidate


def test_a_pass_costs_a_small_part_of_the_chain():
    cost = {prompt.name: len(rendered(prompt)) for prompt in LIBRARY.prompts}
    for name, answer in {**answers(), "quality_pass": revision()}.items():
        cost[name] += len(answer.model_dump_json())
    assert cost["quality_pass"] / sum(cost.values()) <= PASS_SHARE
