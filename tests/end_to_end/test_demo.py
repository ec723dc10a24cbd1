"""What a newcomer sees first."""

import json
from pathlib import Path

import pytest

from orch_dagster.brief_file import read_brief
from orch_dagster.candidate import count_words
from orch_dagster.core.row import Row
from tests.end_to_end.orch import ROOT, Orch

BRIEF = read_brief(ROOT / "assets" / "briefs" / "lift-modernisation-in-stages.md")


@pytest.mark.slow
def test_the_demo_ends_in_a_row_and_a_readable_article(empty: Path) -> None:
    orch = Orch(empty)
    done = orch.run("demo")
    assert done.status == 0, done.err
    assert "No model is configured" in done.err
    assert "simulator" in done.err
    _check_the_row(orch)
    _check_the_article(orch)
    assert f"orch show {BRIEF.slug}" in done.out
    shown = orch.run("show", BRIEF.slug)
    assert shown.status == 0
    assert BRIEF.title in shown.out
    again = orch.run("demo")
    assert again.status == 0
    assert {path.name for path in empty.iterdir()} == {".orch"}


def _check_the_row(orch: Orch) -> None:
    row = Row.model_validate_json((orch.store / "row" / f"{BRIEF.slug}.json").read_bytes())
    assert row.status in ("assembled", "needs_review")
    for name, library in row.libraries.items():
        assert library.deliverable is not None
        assert (orch.store / name / "deliverable").is_dir()
    assert "article" in row.libraries
    assert "sources" not in json.dumps(row.model_dump(mode="json"))


def _check_the_article(orch: Orch) -> None:
    text = (orch.store / "article" / "deliverable" / f"{BRIEF.slug}.md").read_text("utf-8")
    assert 0.6 * BRIEF.words <= count_words(text) <= 1.4 * BRIEF.words
    assert f"# {BRIEF.title}" in text
    assert text.count("\n## ") >= 3
    assert "[^1]:" in text
