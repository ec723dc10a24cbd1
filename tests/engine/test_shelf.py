"""The shelf: documents of one pipeline, as the values they hold."""

import asyncio

import pytest

from orch_dagster.library import Library
from orch_dagster.shelf import DRAFT, DocumentError, Shelf
from orch_dagster.transcript import Transcript
from tests.fakes.briefs import brief
from tests.fakes.memory_store import MemoryStore


@pytest.fixture
def shelf() -> Shelf:
    return Shelf(MemoryStore(), "content")


def documents(shelf: Shelf) -> dict[str, bytes]:
    assert isinstance(shelf.store, MemoryStore)
    return shelf.store.documents


def test_a_brief_comes_back_as_it_was_registered(shelf: Shelf):
    shelf.write_brief(brief())
    assert list(documents(shelf)) == ["content/brief/winter-service.json"]
    assert asyncio.run(shelf.brief("winter-service")) == brief()


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b'{"slug": "x"}', b"[]"])
def test_a_brief_that_is_none_is_told_with_its_file(shelf: Shelf, data: bytes):
    documents(shelf)["content/brief/x.json"] = data
    with pytest.raises(DocumentError, match=r"content/brief/x\.json: no brief"):
        asyncio.run(shelf.brief("x"))


def test_a_brief_that_is_not_there_is_told_with_the_way_out(shelf: Shelf):
    with pytest.raises(DocumentError, match="no brief in the store; register it with 'orch add'"):
        asyncio.run(shelf.brief("x"))


def test_a_transcript_comes_back_and_none_where_none_was_begun(shelf: Shelf):
    found = Transcript(article="x", library="notes", made_from={})
    asyncio.run(shelf.keep(DRAFT, found))
    assert asyncio.run(shelf.transcript("notes", DRAFT, "x")) == found
    assert asyncio.run(shelf.transcript("notes", DRAFT, "y")) is None


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b'{"article": "x"'])
def test_a_transcript_that_is_none_is_told_with_its_file(shelf: Shelf, data: bytes):
    documents(shelf)["content/notes/draft/x.json"] = data
    with pytest.raises(DocumentError, match=r"content/notes/draft/x\.json: no transcript of ours"):
        asyncio.run(shelf.transcript("notes", DRAFT, "x"))


def test_history_is_numbered_and_keeps_a_text_once(shelf: Shelf, tiny: Library):
    for text in ("One.", "Two.", "One.", "Two.", "Three."):
        asyncio.run(shelf.keep_history(tiny, "x", text))
    assert documents(shelf) == {
        "content/notes/history/x/1.md": b"One.",
        "content/notes/history/x/2.md": b"Two.",
        "content/notes/history/x/3.md": b"Three.",
    }
