"""What is read for the page, and what a reader must know of a document."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from orch_dagster.core.episode import Flag, Status
from orch_dagster.core.ledger import Document, Ledger
from orch_dagster.library_pipeline import LibraryPipeline
from orch_dagster.page.package import Part, read_parts
from orch_dagster.shelf import Shelf
from tests.fakes import ledgers
from tests.fakes.memory_store import MemoryStore
from tests.fakes.tiny_library import package

TEXT = "A note.\n"
SHA = sha256(TEXT.encode()).hexdigest()


@pytest.fixture
def pipeline(tmp_path: Path) -> LibraryPipeline:
    """The content pipeline of one tiny library."""
    return LibraryPipeline("content", package(tmp_path, "notes", {}))


def _ledger(pipeline: LibraryPipeline, sha: str = SHA) -> Ledger:
    document = Document(url="memory://it", bytes=len(TEXT), sha256=sha)
    return ledgers.done(pipeline.declared.pipeline, notes={"document": document})


def _part(pipeline: LibraryPipeline, ledger: Ledger, text: str | None) -> Part:
    store = MemoryStore()
    if text is not None:
        [library] = pipeline.libraries
        path = Shelf(store, "content").deliverable_path(library, ledger.article)
        store.documents[path] = text.encode()
    [part] = read_parts(pipeline, store, ledger)
    return part


def test_a_document_that_stands_needs_no_word(pipeline: LibraryPipeline) -> None:
    part = _part(pipeline, _ledger(pipeline), TEXT)
    assert (part.text, part.caveat, part.variant) == (TEXT, None, "a")
    assert part.path == "content/notes/deliverable/winter-service.md"
    assert part.report is not None


def test_nothing_delivered_is_nothing_to_say(pipeline: LibraryPipeline) -> None:
    part = _part(pipeline, ledgers.ledger(), None)
    assert (part.report, part.text, part.caveat) == (None, None, None)


def test_a_document_of_an_earlier_brief_says_so(pipeline: LibraryPipeline) -> None:
    changed = replace(_ledger(pipeline), input="brief-2")
    part = _part(pipeline, changed, TEXT)
    assert part.report is None
    assert part.caveat == (
        "It was made from an earlier brief or draft and is not part of this package."
    )


def test_a_document_changed_by_hand_says_so(pipeline: LibraryPipeline) -> None:
    part = _part(pipeline, _ledger(pipeline), "Another note.\n")
    assert part.caveat == (
        "The document was changed after it was scored: the scores are of another text."
    )


def test_a_lost_document_says_so(pipeline: LibraryPipeline) -> None:
    part = _part(pipeline, _ledger(pipeline), None)
    assert part.caveat == "The document is no longer in the store."


@pytest.mark.parametrize("status", [Status.FAILED, Status.REFUSED])
def test_a_failed_attempt_says_so(pipeline: LibraryPipeline, status: Status) -> None:
    _, step = pipeline.declared.pipeline.steps
    stands = _ledger(pipeline)
    failed = ledgers.bad_record(step, status, made_from=stands.records[step.name].made_from)
    ledger = replace(stands, records={**stands.records, step.name: failed})
    ended = f"The newest attempt ended as {status}."
    assert _part(pipeline, ledger, None).caveat == ended
    assert _part(pipeline, ledger, TEXT).caveat == f"{ended} What follows is an earlier result."


def test_the_flag_picks_variant_b(pipeline: LibraryPipeline) -> None:
    part = _part(pipeline, _ledger(pipeline), TEXT)
    assert part.report is not None
    flagged = replace(part, report={**part.report, "flags": [str(Flag.USE_VARIANT_B)]})
    assert flagged.variant == "b"


def test_a_document_that_is_no_utf_8_is_read_all_the_same(pipeline: LibraryPipeline) -> None:
    store = MemoryStore()
    store.documents["content/notes/deliverable/winter-service.md"] = b"caf\xe9"
    [part] = read_parts(pipeline, store, _ledger(pipeline))
    assert part.text == "caf\ufffd"
