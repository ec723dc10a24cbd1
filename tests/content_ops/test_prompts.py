"""The distribution prompt files, as files and as requests."""

import pytest
from pydantic import BaseModel

from assets.content import content_ops as package
from assets.content.content_ops import models
from orch_dagster.library import load_library
from orch_dagster.prompt import Prompt
from orch_dagster.subject import subject_of
from tests.content_ops.answers import answers, brief

LIBRARY = load_library(package)
SECTIONS = (
    "# Job", "## Inputs", "## What good looks like", "## Avoid", "## Good example",
    "## Bad example", "## Answer",
)  # fmt: skip
NAMES = ["channels", "repurposing", "timeline", "quality_pass"]


def shown(value: object) -> object:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value


def request(prompt: Prompt, **changes: object) -> str:
    chain = answers()
    known = {name: shown(answer) for name, answer in chain.items()} | {
        "candidate": models.show(models.compose(brief(), chain)),
        "scores": {"voice_consistency": 3.5, "coherence_score": 4.1},
        "findings": ["something is wrong there"],
    }
    messages = prompt.messages(
        system=LIBRARY.system,
        fields=LIBRARY.fields,
        subject=subject_of(brief()),
        answers=known | changes,
    )
    return messages[1].content


def test_the_library_loads_with_its_prompts_in_order():
    assert [prompt.name for prompt in LIBRARY.prompts] == NAMES
    assert LIBRARY.quality_pass is LIBRARY.prompts[-1]
    assert {gate.score for gate in LIBRARY.gates} == {"voice_consistency", "coherence_score"}


@pytest.mark.parametrize("prompt", LIBRARY.prompts, ids=lambda prompt: prompt.name)
def test_every_prompt_has_all_sections_in_order_and_only_a_scoring_one_a_rubric(prompt: Prompt):
    lines = prompt.body.splitlines()
    places = [lines.index(section) for section in SECTIONS]
    assert places == sorted(places)
    assert ("## Rubric" in lines) == (prompt is LIBRARY.quality_pass)


@pytest.mark.parametrize("score", ["voice_consistency", "coherence_score"])
def test_the_rubric_anchors_two_four_and_five_for_each_score(score: str):
    rubric = LIBRARY.quality_pass.body.split("## Rubric")[1].split("## Answer")[0]
    anchors = rubric.split(f"\n{score}\n")[1].split("\n\n")[0]
    assert [line[:4] for line in anchors.splitlines()] == ["- 2:", "- 4:", "- 5:"]


@pytest.mark.parametrize("prompt", LIBRARY.prompts, ids=lambda prompt: prompt.name)
def test_every_prompt_renders_with_nothing_left_open(prompt: Prompt):
    text = request(prompt)
    assert text.startswith("<brief>\n")
    assert "{{" not in text
    assert "{%" not in text


def test_the_first_pass_shows_no_scores_and_no_findings_where_there_are_none():
    text = request(LIBRARY.quality_pass, scores=None, findings=[])
    assert "<last_scores>" not in text
    assert "<found_by_code>" not in text


def test_a_pass_reads_the_candidate_and_no_sources():
    text = request(LIBRARY.quality_pass)
    assert "something is wrong there" in text
    assert 'name="sources"' not in text


@pytest.mark.parametrize("prompt", LIBRARY.chain, ids=lambda prompt: prompt.name)
def test_every_sound_answer_of_the_chain_is_accepted(prompt: Prompt):
    assert models.accept(prompt.name, answers()[prompt.name], answers()) == []


@pytest.mark.parametrize("prompt", LIBRARY.prompts, ids=lambda prompt: prompt.name)
def test_every_field_of_an_answer_is_described(prompt: Prompt):
    schema = LIBRARY.schema(prompt)
    for model in (schema, *schema.get("$defs", {}).values()):
        for name, field in model.get("properties", {}).items():
            assert field.get("description"), name
