"""The article's prompt files, as files and as requests."""

import re
from importlib.resources import files
from typing import Any

import jinja2
import pytest
import yaml
from jinja2 import meta as jinja_meta
from jinja2.sandbox import SandboxedEnvironment
from pydantic import BaseModel

from assets.content.article import models
from orch_dagster.core.brief import PROMPT_FIELDS, Brief
from tests.article.answers import answers, brief, revision

FOLDER = files("assets.content.article")
FILES = sorted(entry.name for entry in (FOLDER / "prompts").iterdir() if entry.name.endswith(".md"))
NAMES = (
    "brief_analysis", "voice_calibration", "structure", "lede", "section_one", "section_two",
    "section_three", "transitions", "pull_quote", "footnotes", "quality_pass", "meta",
)  # fmt: skip
SECTIONS = [
    "# Job", "## Inputs", "## What good looks like", "## Avoid", "## Good example", "## Bad example",
]  # fmt: skip


def parts(file: str) -> tuple[dict[str, Any], str]:
    _, head, body = (FOLDER / "prompts" / file).read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(head), body


def environment() -> jinja2.Environment:
    return SandboxedEnvironment(undefined=jinja2.StrictUndefined, autoescape=False)


def variables() -> dict[str, Any]:
    chain = answers()
    plain = {
        name: answer.model_dump() if isinstance(answer, BaseModel) else answer
        for name, answer in chain.items()
    }
    candidate = models.show(models.compose(brief(), chain))
    scores = {"voice_consistency": 3.5, "coherence_score": 4.1}
    return plain | {"candidate": candidate, "scores": scores, "findings": ["[p3] repeats [p1]"]}


def rendered(file: str, **changes: Any) -> str:
    head, body = parts(file)
    known = variables() | {"words": 750} | changes
    needed = {*head["reads"], *(["words"] if "words" in head else [])}
    return environment().from_string(body).render({name: known[name] for name in needed})


def test_there_are_twelve_prompts_in_the_fixed_order():
    assert [f"{number:02}_{name}.md" for number, name in enumerate(NAMES, start=1)] == FILES


@pytest.mark.parametrize("file", FILES)
def test_a_prompt_has_all_its_sections_in_order(file: str):
    headings = re.findall(r"^#+ .+$", parts(file)[1], flags=re.MULTILINE)
    scoring = ["## Rubric"] if file == "11_quality_pass.md" else []
    assert headings == [*SECTIONS, *scoring, "## Answer"]


@pytest.mark.parametrize("file", FILES)
def test_a_prompt_uses_what_it_declares_and_only_earlier_answers(file: str):
    head, body = parts(file)
    used = jinja_meta.find_undeclared_variables(environment().parse(body))
    assert used == {*head["reads"], *(["words"] if "words" in head else [])}
    earlier = NAMES[: FILES.index(file)]
    special = ("candidate", "scores", "findings") if file == "11_quality_pass.md" else ()
    assert set(head["reads"]) <= {*earlier, *special}
    assert set(head["brief"]) <= set(PROMPT_FIELDS)


@pytest.mark.parametrize("file", FILES)
def test_a_prompt_names_an_output_model_or_text(file: str):
    head, _ = parts(file)
    assert head["role"] in ("reasoning", "fast")
    assert head["output"] == "text" or issubclass(getattr(models, head["output"]), BaseModel)
    assert ("words" in head) is (head["output"] == "text")


@pytest.mark.parametrize("file", [file for file in FILES if "words" in parts(file)[0]])
def test_the_length_asked_for_is_the_last_number_of_words_in_the_request(file: str):
    assert re.findall(r"about (\d+) words|(\d+) words", rendered(file))[-1] == ("750", "")


def test_lede_and_sections_make_up_the_whole_length():
    shares = [parts(file)[0].get("words", 0) for file in FILES]
    assert 0.94 <= sum(shares) <= 1.0


def test_the_rubric_anchors_both_scores_at_two_four_and_five():
    rubric = parts("11_quality_pass.md")[1].split("## Rubric")[1].split("## Answer")[0]
    for score in ("voice_consistency", "coherence_score"):
        anchors = rubric.split(score)[1]
        assert [f"- {n}:" in anchors for n in (2, 4, 5)] == [True] * 3


def test_the_pass_reads_scores_and_findings_only_when_there_are_any():
    first = rendered("11_quality_pass.md", scores=None, findings=[])
    assert "<last_scores>" not in first
    assert "<found_by_code>" not in first
    assert "voice_consistency 3.5" in rendered("11_quality_pass.md")
    assert "[p3] repeats [p1]" in rendered("11_quality_pass.md")


def test_a_footnote_for_a_person_is_told_to_the_pass():
    notes = answers()["footnotes"].model_dump()
    assert "set the flag" in rendered("11_quality_pass.md")
    calm = {"notes": [note | {"needs_review": False} for note in notes["notes"]]}
    assert "<for_a_person>" not in rendered("11_quality_pass.md", footnotes=calm)


def test_the_footnote_prompt_numbers_paragraphs_as_code_does():
    labels = re.findall(r"^\[p(\d+)\] (.+)$", rendered("10_footnotes.md"), flags=re.MULTILINE)
    texts = [answers()[name] for name in models.PROSE]
    assert [text for _, text in labels] == [p for text in texts for p in text.split("\n\n")]
    assert [int(number) for number, _ in labels] == list(range(1, len(labels) + 1))


@pytest.mark.parametrize("words", [300, 1200, 2500])
def test_a_later_pass_costs_at_most_a_fifth_of_the_chain(words: int):
    assert pass_share(words) <= 0.2


def pass_share(words: int) -> float:
    """A pass's tokens, counted as characters, as a part of those of the prompts before it."""
    lengths = {
        name: round(words * share)
        for name, share in zip(models.PROSE, (0.08, *[0.29] * 3), strict=True)
    }
    chain = answers(**{name: " ".join(["pitch"] * count) for name, count in lengths.items()})
    facts = brief(words=words, sources=" ".join(["ledger"] * 450))
    known = {name: a.model_dump() if isinstance(a, BaseModel) else a for name, a in chain.items()}
    known["candidate"] = models.show(models.compose(facts, chain))
    written = chain | {"quality_pass": revision(*((n, "pitch " * 80) for n in (1, 2, 3)))}
    cost = {
        file[3:-3]: request_size(file, facts, known) + size(written[file[3:-3]]) for file in FILES
    }
    before = sum(cost[name] for name in NAMES[: NAMES.index("quality_pass")])
    return cost["quality_pass"] / before


def request_size(file: str, facts: Brief, known: dict[str, Any]) -> int:
    fields = sum(len(str(getattr(facts, field))) for field in parts(file)[0]["brief"])
    system = (FOLDER / "system.md").read_text(encoding="utf-8")
    return len(system) + fields + len(rendered(file, **known))


def size(answer: Any) -> int:
    return len(answer if isinstance(answer, str) else answer.model_dump_json())
