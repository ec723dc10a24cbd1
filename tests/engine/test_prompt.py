"""Prompt files: every mistake is named on loading, and inserted text stays text."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orch_dagster.core.episode import Status
from orch_dagster.library import Library
from orch_dagster.prompt import PromptError, load_prompt
from tests.engine.conftest import MakeBench, bench_of
from tests.fakes.briefs import brief
from tests.fakes.tiny_library import FILES, tiny_library

LEDE = FILES["prompts/02_lede.md"]


def with_head(old: str, new: str) -> str:
    assert old in LEDE
    return LEDE.replace(old, new)


def with_body(body: str) -> str:
    return LEDE[: LEDE.index("Write the lede")] + body


WRONG: dict[str, tuple[str | bytes, str]] = {
    "no head": ("Write.\n", "begins with no YAML head"),
    "open head": ("---\njob: x\n", "line 1 opens a YAML head"),
    "broken head": ("---\njob: [\n---\nx", "no valid YAML"),
    "key twice": (with_head("job: Lede", "job: Lede\njob: Lede"), "line 3: field 'job' stands twice"),
    "unknown key": (with_head("job: Lede", "job: Lede\nmood: dry"), "head field 'mood'"),
    "no job": (with_head("job: Lede\n", ""), "head field 'job': Field required"),
    "unknown role": (with_head("role: fast", "role: slow"), "head field 'role'"),
    "cap of nothing": (with_head("max_tokens: 500", "max_tokens: 0"), "head field 'max_tokens"),
    "cap in words": (with_head("max_tokens: 500", "max_tokens: many"), "head field 'max_tokens"),
    "cap without base": (
        with_head("max_tokens: 500", "max_tokens: {per_word: 2.0}"), "head field 'max_tokens",
    ),
    "share of words": (with_head("output: text", "output: text\nwords: 1.5"), "head field 'words'"),
    "words of a model": (
        with_head("output: text", "output: Plan\nwords: 0.5"),
        "head field 'words' goes with 'output: text' only",
    ),
    "unknown field": (
        with_head("brand_voice", "brand_vice"), "head field 'brief' names 'brand_vice'; there are title",
    ),
    "undeclared": (
        with_body("{{ plan.points }} {{ outline }}"),
        "uses 'outline', which its head does not declare under 'reads'",
    ),
    "unused": (with_body("Write."), "declares 'plan' and never uses it"),
    "words unused": (
        with_head("output: text", "output: text\nwords: 0.5"), "declares 'words' and never uses it",
    ),
    "words undeclared": (with_body("{{ plan }} {{ words }}"), "uses 'words'"),
    "open brace": (with_body("{{ plan "), "body line 1: "),
    "open block": (with_body("{{ plan }}\n{% if plan %}"), "body line 2: "),
    "no such filter": (with_body("{{ plan | shout }}"), "body line 1: No filter named 'shout'"),
    "include": (with_body("{{ plan }}{% include 'x.md' %}"), "takes in another template"),
    "include by name": (with_body("{% include plan %}"), "takes in another template"),
    "extends": (with_body("{% extends 'x' %}{{ plan }}"), "takes in another template"),
    "not UTF-8": (b"---\njob: caf\xe9\n---\n", "not UTF-8 (byte 12); save it as UTF-8"),
}  # fmt: skip


def load(folder: Path, content: str | bytes, name: str = "02_lede.md") -> Any:
    path = folder / "notes" / "prompts" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return load_prompt(path)


@pytest.mark.parametrize(("content", "said"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_told_with_library_and_file(tmp_path: Path, content: str | bytes, said: str):
    with pytest.raises(PromptError) as caught:
        load(tmp_path, content)
    assert str(caught.value).startswith("notes/prompts/02_lede.md: ")
    assert said in str(caught.value)


@pytest.mark.parametrize("name", ["lede.md", "x2_lede.md", "02-lede.md", "02_.md", "02_le de.md"])
def test_a_file_is_named_by_number_and_name(tmp_path: Path, name: str):
    with pytest.raises(PromptError, match=r"a prompt file is named like '03_structure\.md'"):
        load(tmp_path, LEDE, name)


def test_a_prompt_has_the_name_of_its_file(tmp_path: Path):
    found = load(tmp_path, LEDE, "02_lede.md")
    assert (found.name, found.file) == ("lede", "notes/prompts/02_lede.md")
    assert found.text


def request(library: Library, prompt: str, **script: Any) -> str:
    """What a prompt of the chain is sent for the small brief."""
    bench = bench_of(library, script)
    bench.draft()
    return next(ask.messages[1].content for ask in bench.model.asked if f"/{prompt}#" in ask.trace)


INJECTIONS = (
    "{{ 7*7 }}", "{% for x in range(9) %}x{% endfor %}", "{{ plan.__class__.__mro__ }}",
    "{# gone #}", "{{ config }}", "{% raw %}", "{{", "}}", "{%",
)  # fmt: skip


@pytest.mark.parametrize("text", INJECTIONS)
def test_a_template_in_the_brief_stays_as_it_is(make_bench: MakeBench, text: str):
    bench = make_bench()
    bench.register(brief(title=f"a {text} b", sources=f"c {text} d"))
    bench.draft()
    assert f"a {text} b" in bench.model.asked[0].messages[1].content
    assert f"c {text} d" in bench.model.asked[2].messages[1].content


@pytest.mark.parametrize("text", INJECTIONS)
def test_a_template_in_an_answer_stays_as_it_is(tiny: Library, text: str):
    assert f'"a {text} b"' in request(tiny, "body", lede=[f"a {text} b"])


@given(text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_answer_is_inserted_as_it_is(tiny: Library, text: str):
    said = f"a{text}b"
    assert f'Go on after "{said}" with' in request(tiny, "body", lede=[said])


@pytest.mark.parametrize(
    "body",
    [
        "{{ plan.no_such_field }}",
        "{{ plan.points[9] }}",
        "{{ plan.points.append(1) }}",
        "{{ plan.__class__ }}",
        "{% if plan is loud %}{% endif %}",
        "{{ ''.__class__.__mro__ }}{{ plan }}",
        "{{ plan.points | map('attr', '__class__') | list }}{{ plan.points.__init__.__globals__ }}",
        "{{ 1 / (plan.points | length - 2) }}",
        "{{ range(100000000) }}{{ plan }}",
        "{{ plan.points + 1 }}",
        "{{ 'a' | int(base=99) }}{{ plan | batch }}",
    ],
)
def test_what_a_template_cannot_do_fails_in_words_with_its_file(tmp_path: Path, body: str):
    library = tiny_library(tmp_path, prompts__02_lede_md=with_body(body))
    bench = bench_of(library, {})
    drafted = bench.draft()
    assert drafted.transcript.status is Status.FAILED
    assert drafted.transcript.failure is not None
    assert drafted.transcript.failure.startswith("notes/prompts/02_lede.md: ")


def test_a_field_of_an_answer_wins_over_a_method_of_its_mapping(tmp_path: Path):
    models = FILES["models.py"].replace(
        "points: Annotated", "items: str = 'the items'\n    points: Annotated"
    )
    library = tiny_library(
        tmp_path, models_py=models, prompts__02_lede_md=with_body("{{ plan.items }}")
    )
    assert request(library, "lede").endswith("the items")


def test_a_field_the_brief_does_not_have_is_shown_as_none(tiny: Library):
    assert '<field name="sources">(none)</field>' in request(tiny, "body")


def test_links_are_shown_as_a_list(tmp_path: Path):
    library = tiny_library(tmp_path, prompts__02_lede_md=with_head("brand_voice", "related"))
    assert '<field name="related">(none)</field>' in request(library, "lede")
    bench = bench_of(library, {})
    bench.register(brief(related=[{"title": "Salt", "url": "https://depot.example/salt"}]))
    bench.draft()
    shown = '<field name="related">- Salt: https://depot.example/salt</field>'
    assert shown in bench.model.asked[1].messages[1].content


def test_a_prompt_that_reads_no_field_has_no_brief_before_it(tmp_path: Path):
    head = with_head("brief: [title, core_thesis, brand_voice]", "brief: []")
    assert request(tiny_library(tmp_path, prompts__02_lede_md=head), "lede").startswith("Write")


def test_prompts_of_a_library_begin_with_what_they_share(make_bench: MakeBench):
    bench = make_bench()
    bench.drive(2)
    assert {ask.messages[0].content for ask in bench.model.asked} == {"You write notes."}
    plan, lede, *others = (ask.messages[1].content for ask in bench.model.asked)
    title = '<brief>\n<field name="title">Winter service</field>\n'
    assert all(content.startswith(title) for content in (plan, lede, *others))
    thesis = '<field name="core_thesis">What the brief says of core_thesis.</field>\n'
    for content in (plan, lede):
        assert content.startswith(title + thesis)


def test_a_field_that_more_prompts_read_stands_first(tiny: Library):
    read = [sum(field in p.head.brief for p in tiny.prompts) for field in tiny.fields]
    assert tiny.fields[:2] == ("title", "core_thesis")
    assert all(before >= after for before, after in pairwise(read))
