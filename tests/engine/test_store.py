"""Names in the store: no two keys share a file, none leaves its folder, none is too long."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.store import document_path, file_name
from tests.fakes.memory_store import MemoryStore

LONGEST = 255
TEMPORARY_MARK = ".0123456789abcdef.tmp"

NASTY = st.sampled_from(
    [
        "", ".", "..", "../x", "a/b", "a\\b", "/", "//", "a%2fb", "a%2Fb", "%", "~", "a~b", "-", "_",
        "con", "nul.txt", "a\0b", "a\nb", "a b", "A", "a", "Ä", "ä", "ß", "SS", "\u0131", "I", "\ud800",
        "\u212a", "e\u0301", "é", "😀" * 60, "a" * 179, "a" * 180, "a" * 181, "A" * 60, "A" * 61,
        "ї" * 90, "-" * 300, "tmp", ".tmp", "a.json", "a.md",
    ]
)  # fmt: skip
KEYS = st.one_of(
    NASTY,
    st.text(st.characters(), max_size=300),
    st.text(st.sampled_from("aA%~/.2fF"), max_size=8),
    st.text(st.sampled_from("aAb"), min_size=140, max_size=200),
)
SLUGS = st.from_regex(r"\A[a-z0-9]+(-[a-z0-9]+)*\Z").filter(lambda slug: len(slug) <= 120)


@given(st.lists(KEYS, unique=True, max_size=20))
def test_no_two_keys_share_a_file_also_where_capitals_do_not_count(keys: list[str]):
    names = [file_name(key) for key in keys]
    assert len({name.casefold() for name in names}) == len(keys)
    assert names == [name.lower() for name in names]


@given(KEYS)
def test_a_name_is_one_plain_file_name(key: str):
    assert re.fullmatch(r"[a-z0-9_%~-]+", file_name(key))


@given(KEYS, st.sampled_from([".md", ".json", "", TEMPORARY_MARK, f".json{TEMPORARY_MARK}"]))
def test_a_name_with_any_suffix_is_not_longer_than_a_file_system_takes(key: str, suffix: str):
    assert 0 < len((file_name(key) + suffix).encode()) <= LONGEST


@given(SLUGS)
def test_a_slug_stays_as_it_is(slug: str):
    assert file_name(slug) == slug


@given(KEYS)
def test_a_path_has_the_folders_it_was_given_and_no_more(key: str):
    path = document_path("content", "article", "draft", article=key, suffix=".json")
    assert path.split("/")[:3] == ["content", "article", "draft"]
    assert path.count("/") == 3


@given(KEYS)
def test_a_key_has_the_same_name_every_time(key: str):
    assert file_name(key) == file_name(key)


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("a b", "a%20b"),
        ("A", "%41"),
        ("../x", "%2e%2e%2fx"),
        ("ї", "%d1%97"),
    ],
)
def test_what_is_no_plain_letter_is_written_as_its_bytes(key: str, name: str):
    assert file_name(key) == name


def test_the_fake_store_is_a_store():
    store = MemoryStore()
    assert store.read("a/b") is None
    document = store.write("a/b", b"x")
    assert (store.read("a/b"), store.exists("a/b")) == (b"x", True)
    assert document == store.describe("a/b", b"x")
