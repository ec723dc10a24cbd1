"""Files of addresses."""

from hypothesis import given
from hypothesis import strategies as st

from assets.translation.intake import SourceIntake
from orch_dagster.core.entry import Contents
from resources.web.article_key import article_key

FILE = """\
# what we follow
https://a.example/one#part   # a comment
  http://b.example/two

feed https://c.example/feed.xml
FEED https://c.example/feed.xml
https://a.example/one#part
ftp://d.example/three
https://
two words
"""


def read(data: bytes) -> Contents:
    return SourceIntake(article_key).read("list.urls", data)


def test_addresses_feeds_and_mistakes_are_told_apart() -> None:
    contents = read(FILE.encode())
    sources = [entry.metadata["source"] for entry in contents.entries]
    assert sources == ["https://a.example/one#part", "http://b.example/two"]
    assert contents.feeds == ("https://c.example/feed.xml",)
    assert contents.mistakes == (
        "list.urls: line 8: ftp://d.example/three: only http and https addresses are fetched",
        "list.urls: line 9: https://: names no host; check the address",
        "list.urls: line 10: 'two words' is more than an address; write one address a line, or "
        "'feed' and the address of a feed",
    )


def test_an_address_in_a_file_is_the_one_that_is_given_alone() -> None:
    intake = SourceIntake(article_key)
    [entry] = read(b"https://a.example/one\n").entries
    assert entry == intake.address("https://a.example/one")


@given(st.binary(max_size=200))
def test_no_bytes_give_anything_but_entries_feeds_and_sentences(data: bytes) -> None:
    contents = read(data)
    assert all(mistake.startswith("list.urls: ") for mistake in contents.mistakes)


@given(st.text(alphabet="htps:/[]. #feed\n@%é", max_size=60))
def test_every_line_gives_one_thing(text: str) -> None:
    contents = read(text.encode())
    given_by = len(contents.entries) + len(contents.feeds) + len(contents.mistakes)
    assert given_by <= len(text.splitlines())
