"""Deliverables without a template, and texts that are not what their library makes."""

import json
from pathlib import Path

import pytest

from orch_dagster.library import Library
from orch_dagster.page.page import template_path
from orch_dagster.prompt_folder import LibraryError
from tests.fakes.tiny_library import tiny_library
from tests.page import audit, dom, samples


def test_markdown_without_a_template_shows_head_and_text(tmp_path: Path) -> None:
    library = tiny_library(tmp_path)
    text = "---\ntitle: A note\n---\n\n# One\n\nTwo *three*.[^1]\n\n[^1]: Four.\n"
    html = samples.page(samples.package(samples.part(library, text)))
    words = dom.words(html)
    assert audit.faults(html) == []
    assert "title A note" in words
    assert "One Two three." in words
    assert "Mind:" not in words


def test_a_structured_deliverable_without_a_template_is_shown_field_by_field(
    plain_social: Library,
) -> None:
    html = samples.page(samples.package(samples.part(plain_social, samples.text("social"))))
    made = samples.candidate("social")
    words = dom.words(html)
    assert audit.faults(html) == []
    assert f"variant b bets on {made.variant_b_bets_on}" in words
    for post in made.posts:
        assert " ".join(post.text.split()) in words
        assert f"limit {post.limit}" in words


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"posts": [{"text": "one"}], "more": [], "none": null, "yes": true}', "text one"),
        ("no JSON at all", "no JSON at all"),
        ("[1, [2, [3]]]", "1 2 3"),
        ("[" * 5_000 + "]" * 5_000, "[[["),
        ("[" * 400 + "]" * 400, "[[["),
        ("", ""),
        ("\ud800".encode("utf-8", "replace").decode(), "?"),
        (json.dumps({"items": {"keys": 1}}), "items keys 1"),
    ],
)
def test_a_text_that_does_not_fit_its_model_is_shown_with_a_word_of_warning(
    text: str, shown: str
) -> None:
    [library] = [library for library in samples.libraries() if library.name == "social"]
    html = samples.page(samples.package(samples.part(library, text)))
    words = dom.words(html)
    assert audit.faults(html) == []
    assert "Mind: The document is not what its library makes, so it is shown as it is." in words
    assert shown in words


@pytest.mark.parametrize("text", ["---\nno end", "---\n- a list\n---\ntext", "---\nx: *y\n---\nz"])
def test_a_broken_head_is_shown_as_text(text: str) -> None:
    [library] = [library for library in samples.libraries() if library.name == "article"]
    html = samples.page(samples.package(samples.part(library, text)))
    assert audit.faults(html) == []
    assert text.split()[-1] in dom.words(html)


@pytest.mark.parametrize(
    ("template", "fault"),
    [
        ("one\n{% if %}", "line 2"),
        ("one\n\n{{ deliverable.nothing }}", "line 3"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ deliverable.__class__ }}", "unsafe"),
        ("{% include '../../other.html' %}", "other.html"),
    ],
)
def test_a_template_that_does_not_work_is_named_with_its_line(
    tmp_path: Path, template: str, fault: str
) -> None:
    library = tiny_library(tmp_path)
    template_path(library).write_text(template, encoding="utf-8")
    with pytest.raises(LibraryError) as caught:
        samples.page(samples.package(samples.part(library, "text")))
    assert str(caught.value).startswith(f"{library.name}/page.html: ")
    assert fault in str(caught.value)


def test_a_template_is_found_in_the_librarys_folder(tmp_path: Path) -> None:
    library = tiny_library(tmp_path)
    template_path(library).write_text("<p>{{ deliverable.body }}</p>", encoding="utf-8")
    html = samples.page(samples.package(samples.part(library, "<b>text</b>")))
    assert "<p>&lt;b&gt;text&lt;/b&gt;</p>" in html
