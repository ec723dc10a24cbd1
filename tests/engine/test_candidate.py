"""Candidates: a document's text and back, and its words."""

import json
from pathlib import Path

import pytest

from orch_dagster.candidate import candidate_of, count_words, render
from orch_dagster.library import Library
from orch_dagster.shelf import DocumentError
from tests.fakes.tiny_library import FILES, tiny_library


@pytest.fixture
def structured(tmp_path: Path) -> Library:
    """The tiny library with a JSON deliverable."""
    declared = FILES["library.yaml"].replace("deliverable: markdown", "deliverable: Plan")
    return tiny_library(tmp_path, library_yaml=declared)


def test_markdown_is_its_own_candidate(tiny: Library):
    text = "# A note\n"
    assert candidate_of(tiny, text) == text
    assert render(candidate_of(tiny, text)) == text


def test_a_json_deliverable_comes_back_as_its_model(structured: Library):
    found = candidate_of(structured, '{"points": ["salt"]}')
    assert found.points == ("salt",)
    assert candidate_of(structured, render(found)) == found
    assert structured.suffix == ".json"


@pytest.mark.parametrize("text", ["", "no object", '{"points": []}', '{"points": [1]}'])
def test_a_json_deliverable_spoilt_by_hand_is_told(structured: Library, text: str):
    with pytest.raises(DocumentError, match="notes: the deliverable is not valid"):
        candidate_of(structured, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("Snow fell - twice.\n\n* * *\n", 3),
        ("---\ntitle: Not counted here\n---\nTwo words.\n", 2),
        ("---\n\nA rule above, and no head.\n", 6),
        ("{{ a brace }} begins this Markdown", 5),
        ("{ broken", 1),
        (json.dumps({"not counted": "one two", "list": [{"deep": "three"}, 4, None]}), 3),
        ("{}", 0),
    ],
)
def test_words_are_those_a_reader_sees(text: str, words: int):
    assert count_words(text) == words
