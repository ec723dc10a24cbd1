"""An article through all six steps."""

import json
from typing import Any

import dagster as dg

from assets.translation.structure.structure_faults import structure_faults
from orch_dagster.core.decision import State
from orch_dagster.strict_yaml import read_mapping, split_head
from tests.translation.articles import FULL
from tests.translation.conftest import Open
from tests.translation.desk import reviewed

DOCUMENTS = (
    "fetch-output",
    "categorize-output",
    "translate-output",
    "polish-output",
    "review-output",
    "decision",
    "publish-output",
)


def _head(text: str) -> tuple[dict[str, Any], str]:
    parts = split_head(text)
    assert parts is not None
    return read_mapping(parts[0]), parts[1].lstrip("\n")


def test_an_article_comes_to_its_published_text(desk: Open) -> None:
    opened = desk(reviewed(9))
    opened.hand_in(FULL)
    told = opened.drive()
    assert (told[-1].state, opened.faults) == (State.FINISHED, [])
    assert opened.report()["state"] == "published"
    assert all(opened.file(name).is_file() for name in DOCUMENTS)
    assert len(opened.look().records) == 6
    decision = json.loads(opened.text("decision"))
    assert (decision["score"], decision["scorings"], decision["polishes"]) == (9, 1, 0)
    assert not decision["below_threshold"]
    [published] = opened.published()
    assert published.read_bytes() == opened.file("publish-output").read_bytes()
    head, body = _head(published.read_text("utf-8"))
    assert head["category"] == "science"
    assert "note" not in head
    assert "Саль" in body or "Салт" in body
    assert opened.asked() == {
        "categorize/category": 1,
        "translate/glossary": 1,
        "translate/piece_01": 1,
        "review/review": 1,
    }


def test_the_structure_survives(desk: Open) -> None:
    opened = desk(reviewed(9))
    opened.hand_in(FULL)
    opened.drive()
    source, text = opened.text("fetch-output"), opened.text("translate-output")
    assert structure_faults(_head(source)[1], text) == []
    assert (
        structure_faults(_head(source)[1], _head(opened.published()[0].read_text("utf-8"))[1]) == []
    )
    assert json.loads(opened.text("review-output"))["findings"] == []


def test_each_document_shows_its_words_and_tokens(desk: Open) -> None:
    opened = desk(reviewed(9))
    opened.hand_in(FULL)
    opened.drive()
    words = len(opened.text("translate-output").split())
    assert opened.metadata("translate_output")["words"] == words
    for asset in ("categorize_output", "translate_output", "review_output"):
        assert opened.metadata(asset)["tokens"] > 0
    for asset in ("fetch_output", "polish_output"):
        assert opened.metadata(asset)["tokens"] == 0
    assert opened.metadata("review_output")["score"] == 9


def test_the_lineage_is_the_one_that_was_promised(desk: Open) -> None:
    opened = desk()
    graph = opened.definitions.resolve_asset_graph()
    parents = {
        key.to_user_string(): {parent.to_user_string() for parent in graph.get(key).parent_keys}
        for key in graph.get_all_asset_keys()
    }
    assert parents == {
        "article_source": set(),
        "fetch_output": {"article_source"},
        "categorize_output": {"fetch_output"},
        "translate_output": {"fetch_output"},
        "polish_output": {"translate_output"},
        "review_output": {"translate_output", "polish_output"},
        "decision": {"review_output"},
        "publish_output": {"decision", "categorize_output", "polish_output"},
    }
    assert isinstance(opened.definitions.resolve_job_def("translation"), dg.JobDefinition)
