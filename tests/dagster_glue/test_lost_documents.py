"""Documents that someone removed: only what hangs on them is made again."""

import json

import pytest

from orch_dagster.core.decision import State
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.conftest import Open
from tests.dagster_glue.studio import STRONG, weak

LOST = {
    "content/row/cellar.json": ({"row"}, {}),
    "content/note/episode/cellar.json": ({"note/deliverable", "note/episode", "row"}, {}),
    "content/note/deliverable/cellar.md": ({"note/deliverable", "note/episode", "row"}, {}),
    "content/note/draft/cellar.json": (
        {"note/draft", "note/deliverable", "note/episode", "row"},
        {"note/outline": 1, "note/text": 1},
    ),
}
"""By document: the assets that are made again, and what is asked again for them."""


@pytest.mark.parametrize("path", LOST)
def test_a_lost_document_is_made_again_with_what_hangs_on_it(studio: Open, path: str) -> None:
    selection, again = LOST[path]
    opened = studio(STRONG)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    before, text = opened.asked(), opened.file(path).read_bytes()
    opened.file(path).unlink()
    told = opened.drive("cellar")
    assert "gone from the store" in told[0].reasons[0] or path.startswith("content/row")
    assert told[-1].state is State.FINISHED
    assert opened.selection(opened.runs("cellar")[-1]) == selection
    assert opened.asked() - before == again
    assert len(opened.runs("cellar")) == 2
    assert _without_figures(opened.file(path).read_bytes()) == _without_figures(text)


def test_nothing_is_run_for_an_article_that_is_whole(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    before = opened.asked()
    [only] = opened.drive("cellar")
    assert only.state is State.FINISHED
    assert opened.asked() == before
    assert len(opened.runs("cellar")) == 1


def test_a_lost_deliverable_keeps_the_number_of_its_scoring(studio: Open) -> None:
    opened = studio(weak("note", "1"), STRONG)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    before = opened.asked()
    opened.file("content/note/deliverable/cellar.md").unlink()
    opened.drive("cellar")
    assert opened.asked() == before
    assert opened.report("cellar")["libraries"]["note"]["passes"] == 2


def test_a_lost_pass_transcript_costs_nothing_while_its_deliverable_stands(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    opened.file("content/note/pass/cellar.json").unlink()
    assert len(opened.drive("cellar")) == 1


def test_a_changed_brief_is_made_anew_and_gets_a_row_of_its_own(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    before = opened.metadata("row", "cellar")["row"]["made_from"]
    opened.register(brief("cellar", title="Another title altogether"))
    told = opened.drive("cellar")
    assert "made from an input that no longer stands" in told[0].reasons[0]
    assert told[-1].state is State.FINISHED
    assert opened.asked() == dict.fromkeys(opened.prompts(), 2)
    after = opened.metadata("row", "cellar")["row"]["made_from"]
    assert all(before[name] != after[name] for name in before)
    assert "Another title altogether" in opened.file(
        "content/note/deliverable/cellar.md"
    ).read_text("utf-8")


def test_registering_the_same_brief_again_changes_nothing(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    opened.register(brief("cellar"))
    assert len(opened.drive("cellar")) == 1


def _without_figures(document: bytes) -> bytes:
    """Latencies differ from call to call; and what a lost draft had cost is still on its account."""
    if document.startswith(b"{"):
        told = json.loads(document)
        told.pop("settled", None)
        document = json.dumps(told, indent=1).encode()
    return b"\n".join(line for line in document.split(b"\n") if b"latency" not in line)
