"""Folders on disks and in object stores: what they list, and what shows that a file has changed."""

import os
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

from orch_dagster.core.inbox import Listed
from orch_dagster.inbox import FolderError
from resources.inbox_folder import InboxFolder


@pytest.fixture
def bucket() -> Iterator[str]:
    """An object store's place, empty."""
    yield "memory://inbox-of-a-test"
    memory = fsspec.filesystem("memory")
    if memory.exists("/inbox-of-a-test"):
        memory.rm("/inbox-of-a-test", recursive=True)


def listed(folder: InboxFolder) -> dict[str, Listed]:
    return {file.name: file for file in folder.listing()}


def test_files_directly_in_it_are_listed_with_their_time_and_size(tmp_path: Path) -> None:
    (tmp_path / "a b%20ü.yaml").write_text("four", encoding="utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "deep.yaml").touch()
    os.utime(tmp_path / "a b%20ü.yaml", (5.0, 7.5))
    folder = InboxFolder(str(tmp_path), setting="ORCH_INBOX")
    [file] = folder.listing()
    assert (file.name, file.modified, file.bytes) == ("a b%20ü.yaml", 7.5, 4)
    assert folder.read(file.name) == b"four"
    os.utime(tmp_path / "a b%20ü.yaml", (0.0, 0.0))
    assert folder.listing()[0].modified == 0.0


def test_a_link_is_the_file_that_it_leads_to(tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (tmp_path / "real.yaml").write_text("one", encoding="utf-8")
    (inbox / "link.yaml").symlink_to(tmp_path / "real.yaml")
    (inbox / "nowhere.yaml").symlink_to(tmp_path / "gone.yaml")
    folder = InboxFolder(str(inbox), setting="ORCH_INBOX")
    before = listed(folder)
    assert set(before) == {"link.yaml"}
    (tmp_path / "real.yaml").write_text("three", encoding="utf-8")
    assert listed(folder)["link.yaml"].stamp != before["link.yaml"].stamp


def test_a_stamp_changes_with_the_file_and_not_with_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("one", encoding="utf-8")
    folder = InboxFolder(str(tmp_path), setting="ORCH_INBOX")
    before = listed(folder)
    folder.read("a.yaml")
    assert listed(folder) == before
    path.write_text("two", encoding="utf-8")
    os.utime(path, (0.0, 0.0))
    assert listed(folder) != before


def test_an_object_store_is_listed_anew_each_time(bucket: str) -> None:
    folder, memory = InboxFolder(bucket, setting="ORCH_INBOX"), fsspec.filesystem("memory")
    assert folder.listing() == ()  # there are no empty folders in an object store
    memory.pipe_file("/inbox-of-a-test/a.yaml", b"one")
    memory.pipe_file("/inbox-of-a-test/sub/b.yaml", b"two")
    before = listed(folder)
    assert set(before) == {"a.yaml"}
    assert before["a.yaml"].modified is not None
    assert listed(folder) == before
    memory.pipe_file("/inbox-of-a-test/a.yaml", b"two")
    assert listed(folder) != before
    assert folder.read("a.yaml") == b"two"


def test_a_folder_that_is_not_there_is_told_by_its_setting(tmp_path: Path) -> None:
    folder = InboxFolder(str(tmp_path / "gone"), setting="ORCH_TRANSLATION_INBOX")
    with pytest.raises(FolderError, match=r"ORCH_TRANSLATION_INBOX: .*gone is not there; make it"):
        folder.listing()


def test_an_address_that_nobody_can_open_is_told_by_its_setting() -> None:
    with pytest.raises(FolderError, match="ORCH_INBOX: 'nonsense://x' cannot be opened"):
        InboxFolder("nonsense://x", setting="ORCH_INBOX")
