"""A secret is found in whatever form a server, a library or a page quotes it."""

import json
from html import escape
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.secret import HIDDEN, SHORTEST, hide, secrets_of_url, without_login

SECRETS = st.text(
    st.characters(min_codepoint=33, max_codepoint=126), min_size=SHORTEST, max_size=60
)
FORMS = {
    "as it is": str,
    "small": str.lower,
    "percent-encoded": lambda text: quote(text, safe=""),
    "as JSON": lambda text: json.dumps(text)[1:-1],
    "as JSON of others": lambda text: "".join(
        c if c.isalnum() else f"\\u{ord(c):04X}" for c in text
    ),
    "with its slashes escaped": lambda text: json.dumps(text)[1:-1].replace("/", "\\/"),
    "as HTML": escape,
}


@pytest.mark.parametrize("form", FORMS)
@given(secret=SECRETS)
def test_a_secret_is_hidden_in_every_form(form: str, secret: str) -> None:
    assert hide(f"I got «{FORMS[form](secret)}».", [secret]) == f"I got «{HIDDEN}»."


@given(st.text(), st.lists(st.none() | st.text(max_size=SHORTEST - 1)))
def test_what_is_no_secret_is_left_as_it_is(text: str, short: list[str | None]) -> None:
    assert hide(text, short) == text


def test_a_secret_within_a_longer_one_does_not_show_the_rest() -> None:
    assert hide("sk-key-and-more", ["sk-key", "sk-key-and-more"]) == HIDDEN


@pytest.mark.parametrize(
    ("shown", "url"),
    [
        ("ftp://host/store", "ftp://ada:l@velace@host/store"),
        ("'https://host/a' and s3://bucket/x@y", "'https://ada@host/a' and s3://bucket/x@y"),
        ("simplecache::ftp://host/a", "simplecache::ftp://ada:lovelace@host/a"),
        ("file:///home/ada@work/store", "file:///home/ada@work/store"),
        ("write to ada@example.org", "write to ada@example.org"),
    ],
)
def test_a_url_is_shown_without_its_login(shown: str, url: str) -> None:
    assert without_login(url) == shown


def test_the_pieces_of_a_password_are_secret_too() -> None:
    found = secrets_of_url("postgresql://ada:love@lace/1843%21@host/db?sslpassword=engine&x=%2Bno")
    assert {"love@lace/1843%21", "love", "lace", "1843!", "engine", "+no"} <= set(found)
    assert "ada" not in found
    assert secrets_of_url("file:///srv/content") == ("",)
