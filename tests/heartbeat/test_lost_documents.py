"""Documents deleted by hand: noticed by looking whether they are there, and made again alone."""

from collections import Counter
from collections.abc import Iterable

import pytest

from orch_dagster.core.decision import State
from orch_dagster.core.ledger import Document, Ledger
from orch_dagster.event_log import read_ledgers
from orch_dagster.verify import missing_steps
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.studio import STRONG, Studio, weak
from tests.heartbeat.conftest import OpenLab

LOST = {
    "content/row/cellar.json": ("row", {}),
    "content/card/episode/cellar.json": ("card", {}),
    "content/card/deliverable/cellar.json": ("card", {}),
    "content/card/draft/cellar.json": ("card/draft", {"card/idea": 1}),
}
"""By document: the step that is made again, and what is asked again for it."""


class Closed:
    """A store whose documents are there and cannot be opened."""

    def __init__(self, there: Iterable[str]) -> None:
        self._there = frozenset(there)

    def exists(self, path: str) -> bool:
        return path in self._there

    def read(self, path: str) -> bytes | None:
        raise AssertionError(f"{path} was opened")

    def write(self, path: str, data: bytes) -> Document:
        raise AssertionError(f"{path} was written")

    def describe(self, path: str, data: bytes) -> Document:
        raise AssertionError(f"{path} was described")


@pytest.mark.parametrize("path", LOST)
def test_orch_run_makes_a_lost_document_again_and_leaves_the_other_library_alone(
    lab: OpenLab, path: str
) -> None:
    step, again = LOST[path]
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    opened.daemon.live()
    before = opened.studio.asked()
    opened.studio.file(path).unlink()
    assert opened.daemon.tick() == []  # the heartbeat looks at events, not into the store
    assert _missing(opened.studio) == {step}
    assert opened.studio.drive("cellar")[-1].state is State.FINISHED
    assert opened.studio.asked() - before == Counter(again)
    repaired = opened.studio.selection(opened.studio.runs("cellar")[-1])
    assert not any(asset.startswith("note/") for asset in repaired)
    assert opened.studio.file(path).exists()


def test_documents_are_looked_for_and_not_opened(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    opened.daemon.live()
    declared = opened.studio.declared
    paths = {
        document.location.path("cellar")
        for step in declared.records
        for document in declared.documents(step)
    }
    [ledger] = _ledgers(opened.studio)
    assert missing_steps(Closed(paths), declared, [ledger]) == {"cellar": frozenset()}
    lost = paths - {"content/note/draft/cellar.json"}
    assert missing_steps(Closed(lost), declared, [ledger]) == {"cellar": {"note/draft"}}


def test_a_brief_lost_from_the_store_ends_with_a_stuck_article(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    opened.studio.file("content/brief/cellar.json").unlink()
    assert len(opened.daemon.live()) == 4
    assert opened.studio.report("cellar")["state"] == "stuck"
    opened.studio.register(brief("cellar"))
    assert opened.studio.drive("cellar")[-1].state is State.FINISHED


# As after 'orch add' was killed between the two.
def test_another_brief_in_the_store_than_the_registered_one_ends_with_a_stuck_article(
    lab: OpenLab,
) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    other = brief("cellar", title="Another title").model_dump_json().encode()
    opened.studio.store.write("content/brief/cellar.json", other)
    assert len(opened.daemon.live()) == 4
    assert opened.studio.report("cellar")["state"] == "stuck"
    opened.studio.register(brief("cellar"))
    assert opened.studio.drive("cellar")[-1].state is State.FINISHED


def test_a_draft_lost_before_a_rework_ends_with_a_stuck_article_that_a_person_can_start(
    lab: OpenLab,
) -> None:
    opened = lab(weak("note", "1"), STRONG)
    opened.studio.register(brief("cellar"))
    opened.daemon.beat()
    opened.studio.file("content/note/draft/cellar.json").unlink()
    assert len(opened.daemon.live()) == 4
    assert (
        opened.studio.report("cellar")["next"] == "note/draft: its document is gone from the store"
    )
    assert opened.studio.drive("cellar")[-1].state is State.FINISHED


def _missing(studio: Studio) -> frozenset[str]:
    return missing_steps(studio.store, studio.declared, _ledgers(studio))["cellar"]


def _ledgers(studio: Studio) -> list[Ledger]:
    found = read_ledgers(studio.instance, studio.declared, ["cellar"], own_run=None, missing={})
    return list(found.values())
