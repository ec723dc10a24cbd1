"""The output store: any key has a file of its own, and a write is seen whole or not at all."""

import os
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orch_dagster.store import document_path, file_name
from resources.output_store import OutputStore, StoreError

ROOT = Path(__file__).parents[2]

KEYS = [
    "winter-service", "../x", "..", ".", "a/b", "a\\b", "/etc/passwd", "x" * 300, "", " ",
    "Winter", "winter", "ключ", "ключ" * 80, "a\nb", "a\tb", "a\0b", "%2e", "~", ".hidden.tmp",
    "...", "COM1", "e\u0301", "é", "\ud800",
]  # fmt: skip


def _store(folder: Path) -> OutputStore:
    return OutputStore(folder.as_uri())


@pytest.mark.parametrize("key", KEYS)
def test_any_key_comes_back_and_stays_in_its_folder(key: str, tmp_path: Path) -> None:
    store = _store(tmp_path / "store")
    path = document_path("content", "note", "draft", article=key, suffix=".json")
    store.write(path, key.encode("utf-8", "surrogatepass"))
    assert store.read(path) == key.encode("utf-8", "surrogatepass")
    assert store.exists(path)
    [file] = [found for found in tmp_path.rglob("*") if found.is_file()]
    assert file.parent == tmp_path / "store/content/note/draft"
    assert len(os.fsencode(file.name)) <= 255


def test_no_two_keys_share_a_file_also_where_the_file_system_folds_case() -> None:
    names = [file_name(key).casefold() for key in KEYS]
    assert len(set(names)) == len(KEYS)


@settings(deadline=None)
@given(st.text(), st.text())
def test_different_keys_have_different_names(one: str, other: str) -> None:
    assert (file_name(one).casefold() == file_name(other).casefold()) == (one == other)
    assert set("/\\\0") & set(file_name(one)) == set()
    assert len(file_name(one).encode()) <= 200


def test_a_missing_document_is_none(tmp_path: Path) -> None:
    store = _store(tmp_path)
    assert store.read("content/row/nobody.json") is None
    assert not store.exists("content/row/nobody.json")


def test_a_write_says_what_was_written(tmp_path: Path) -> None:
    document = _store(tmp_path).write("content/row/a.json", b"whole")
    assert document.url == (tmp_path / "content/row/a.json").as_uri()
    assert document.bytes == 5
    assert document.sha256 == sha256(b"whole").hexdigest()
    assert document == _store(tmp_path).describe("content/row/a.json", b"whole")


def test_a_failed_write_leaves_the_old_document_and_nothing_beside_it(tmp_path: Path) -> None:
    store = _store(tmp_path)
    (tmp_path / "content/row/a.json/occupied").mkdir(parents=True)
    with pytest.raises(StoreError, match=r"ORCH_STORE: .*a\.json cannot be written"):
        store.write("content/row/a.json", b"new")
    assert [file.name for file in (tmp_path / "content/row").iterdir()] == ["a.json"]
    assert (tmp_path / "content/row/a.json/occupied").is_dir()


_FULL_DISK = """
import resource, signal, sys
from resources.output_store import OutputStore, StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    OutputStore(sys.argv[1]).write("a.json", b"n" * 100_000)
except StoreError as error:
    print(error)
"""

_KILLED = """
import sys
from resources.output_store import OutputStore
store = OutputStore(sys.argv[1])
print("ready", flush=True)
while True:
    for letter in b"abcdefgh":
        store.write("a.json", bytes([letter]) * 2_000_000)
"""


def test_a_disk_that_fills_up_leaves_the_old_document_and_no_temporary_file(
    tmp_path: Path,
) -> None:
    _store(tmp_path).write("a.json", b"old")
    said = subprocess.run(
        [sys.executable, "-c", _FULL_DISK, tmp_path.as_uri()],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.startswith("ORCH_STORE: ")
    assert "a.json cannot be written" in said
    assert (tmp_path / "a.json").read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_a_killed_writer_leaves_a_whole_document(tmp_path: Path) -> None:
    _store(tmp_path).write("a.json", b"old")
    with subprocess.Popen(
        [sys.executable, "-c", _KILLED, tmp_path.as_uri()],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        for _ in range(50):
            data = (tmp_path / "a.json").read_bytes()
            assert len(set(data)) == 1 or data == b"old"
            assert len(data) in (3, 2_000_000)
        writer.send_signal(signal.SIGKILL)
    data = (tmp_path / "a.json").read_bytes()
    assert len(data) in (3, 2_000_000)
    # What was under way stays behind under a name that no document has.
    leftovers = {file.name for file in tmp_path.iterdir()} - {"a.json"}
    assert all(name.startswith(".") and name.endswith(".tmp") for name in leftovers)


def test_an_object_store_is_used_by_its_url() -> None:
    store = OutputStore(f"memory://{uuid4().hex}")
    document = store.write("content/row/a.json", b"whole")
    assert store.read("content/row/a.json") == b"whole"
    assert store.exists("content/row/a.json")
    assert store.read("content/row/b.json") is None
    assert document.url == f"{store.url}/content/row/a.json"
    store.check_writable()


@pytest.mark.parametrize("url", ["nosuch://bucket/x", "abfs://x"])
def test_a_store_that_cannot_be_opened_names_the_setting(url: str) -> None:
    with pytest.raises(StoreError, match="ORCH_STORE"):
        OutputStore(url)


def test_checking_leaves_nothing_behind(tmp_path: Path) -> None:
    _store(tmp_path / "new").check_writable()
    assert list((tmp_path / "new").iterdir()) == []


def test_a_store_under_a_file_is_not_writable_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="ORCH_STORE"):
        _store(tmp_path / "file" / "store").check_writable()
