"""Keys of articles: slugs that a partition and a file can bear."""

import re
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.web.article_key import article_key

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def _digits(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]


@pytest.mark.parametrize(
    ("source", "key"),
    [
        ("low-water.md", "low-water"),
        ("/home/ana/Low Water (draft).html", "low-water-draft"),
        ("статті/Порт стоїть.txt", "port-stoit"),
        ("don't.md", "dont"),
        ("a.b.md", "a-b"),
    ],
)
def test_a_file_is_called_by_its_stem(source: str, key: str) -> None:
    assert article_key(source) == key


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://example.com/news/low-water", "low-water"),
        ("https://example.com/news/low-water/", "low-water"),
        ("https://example.com/news/Low%20Water.html?utm=1#top", "low-water"),
        ("HTTPS://example.com/", "example-com"),
        ("https://example.com", "example-com"),
        ("https://example.com/%D0%BF%D0%BE%D1%80%D1%82", "port"),
    ],
)
def test_a_url_is_called_by_its_last_part_and_its_hash(url: str, name: str) -> None:
    assert article_key(url) == f"{name}-{_digits(url)}"


@given(st.text())
def test_any_source_has_a_key_that_is_a_slug(source: str) -> None:
    for key in (article_key(source), article_key(f"https://example.com/{source}")):
        assert SLUG.fullmatch(key)
        assert len(key) <= 100


@given(st.text(), st.text())
def test_two_urls_never_share_a_key(one: str, other: str) -> None:
    first, second = (article_key(f"https://example.com/{path}") for path in (one, other))
    assert (first == second) == (one == other)


def test_names_of_signs_alone_do_not_share_a_key() -> None:
    assert article_key("🙂.md") != article_key("§§§.md") != article_key("....md")
