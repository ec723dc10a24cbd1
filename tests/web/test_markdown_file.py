"""Markdown and text files: the head is read, the body is left as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.web.fetched import Fetched, FetchError
from resources.web.fetcher import Limits, WebFetcher


def read(text: str, *, name: str = "low-water.md", media_type: str | None = None) -> Fetched:
    fetcher = WebFetcher(allow_private=False)
    return fetcher.read(name, text.encode("utf-8", "surrogatepass"), media_type)


def test_a_head_gives_title_author_date_language_and_canonical_url() -> None:
    fetched = read(
        "---\ntitle: 'Low: water'\nauthors: [Ana Lee, {name: Bo}]\ndate: 2024-03-05\nlang: en\n"
        "canonical: https://example.com/a\ntags: [x]\n---\n# Other heading\n"
    )
    assert fetched == Fetched(
        title="Low: water",
        author="Ana Lee, Bo",
        date="2024-03-05",
        url="low-water.md",
        canonical_url="https://example.com/a",
        markdown="# Other heading\n",
        language="en",
    )


@pytest.mark.parametrize(
    ("head", "title"),
    [("no", "no"), ("2024-03-05", "2024-03-05"), ("007", "007"), (">\n  a\n  b", "a b")],
)
def test_a_title_is_read_as_it_is_written(head: str, title: str) -> None:
    assert read(f"---\ntitle: {head}\n---\nText.").title == title


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("Before.\n\n# A *fine* `title` #\n\nText.", "A fine title"),
        ("A title\n=======\n\nText.", "A title"),
        ("```\n# no heading\n```\n\n# Heading\n", "Heading"),
        ("## Second rank\n\nText.", "low water"),
        ("Text.", "low water"),
    ],
)
def test_without_a_title_in_the_head_the_first_top_heading_or_the_name_gives_it(
    body: str, title: str
) -> None:
    fetched = read(body)
    assert fetched.title == title
    assert fetched.markdown == body


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_body_is_unchanged(body: str) -> None:
    """Whatever stands in it; the letters before it keep it from being a head or another file."""
    assert read(f"Words. {body}").markdown == f"Words. {body}"
    assert read(f"---\ntitle: x\n---\nWords. {body}").markdown == f"Words. {body}"


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_line_endings_are_kept(ending: str) -> None:
    text = ending.join(["---", "title: x", "---", "", "One  ", "two", "", "\tcode", ""])
    assert read(text).markdown == ending.join(["", "One  ", "two", "", "\tcode", ""])


@pytest.mark.parametrize("text", ["---\n\nText under a rule.\n", "---\n\nText.\n\n---\n\nMore.\n"])
def test_a_rule_that_opens_a_text_is_no_head(text: str) -> None:
    assert read(text).markdown == text


def test_a_broken_head_is_told_with_its_line() -> None:
    with pytest.raises(FetchError, match=r"low-water\.md: the head: line 4: no valid YAML"):
        read("---\ntitle: x\nauthor: [a\n---\nText.")


@pytest.mark.parametrize("text", ["", "   \n", "---\ntitle: x\n---\n\n"])
def test_a_file_without_text_is_told(text: str) -> None:
    with pytest.raises(FetchError, match=r"low-water\.md: (is empty|holds no text)"):
        read(text)


@pytest.mark.parametrize(
    ("name", "media_type"),
    [("a.html", None), ("a", None), ("a.txt", None), ("a", "text/html"), ("a", "text/plain")],
)
def test_html_is_known_by_its_name_its_type_or_its_beginning(
    name: str, media_type: str | None
) -> None:
    text = "The river has never been so low in May, says the pilot of the harbour office here. " * 3
    fetched = read(
        f"<!DOCTYPE html><title>T</title><p>{text}</p>", name=name, media_type=media_type
    )
    assert fetched.markdown == text.strip() + "\n"


def test_a_file_beyond_the_cap_is_told() -> None:
    fetcher = WebFetcher(allow_private=False, limits=Limits(bytes=10))
    with pytest.raises(FetchError, match=r"a\.md: 11 bytes; an article has at most 10 bytes"):
        fetcher.read("a.md", b"x" * 11, None)


@pytest.mark.parametrize(("data", "says"), [(b"%PDF-1.4", "a PDF"), (b"\x89PNG", "an image")])
def test_a_file_of_another_kind_is_told_whatever_its_name(data: bytes, says: str) -> None:
    with pytest.raises(FetchError, match=f"a.md: is {says}, not an article"):
        WebFetcher(allow_private=False).read("a.md", data, None)
