"""Markdown from models."""

import re

import pytest

from orch_dagster.page.rich_text import rich_text
from tests.page import dom


def _levels(text: str, *, top: int) -> list[str]:
    return re.findall(r"<(h\d)>", rich_text(text, top=top, key="k"))


@pytest.mark.parametrize(
    ("text", "top", "levels"),
    [
        ("# a\n\n## b\n\n### c\n\n## d", 3, ["h3", "h4", "h5", "h4"]),
        ("## a\n\n### b", 3, ["h3", "h4"]),
        ("# a\n\n#### b\n\n##### c", 3, ["h3", "h4", "h5"]),
        ("# a\n\n## b\n\n### c\n\n#### d\n\n##### e", 4, ["h4", "h5", "h6", "h6", "h6"]),
        ("### a\n\n# b", 3, ["h3", "h3"]),
        ("a\n===\n\nb\n---", 5, ["h5", "h6"]),
        ("no heading", 3, []),
    ],
)
def test_headings_begin_at_the_given_level_and_skip_none(
    text: str, top: int, levels: list[str]
) -> None:
    assert _levels(text, top=top) == levels


def test_footnotes_of_two_texts_do_not_meet() -> None:
    text = "One.[^1] Again.[^1]\n\n[^1]: Note."
    both = rich_text(text, top=3, key="a") + rich_text(text, top=3, key="b")
    ids = [element.get("id") for element in dom.elements(both) if element.get("id")]
    links = [element.get("href")[1:] for element in dom.named(both, "a")]
    assert len(ids) == len(set(ids)) == 6
    assert set(links) <= set(ids)


def test_a_key_with_signs_in_it_still_makes_links_that_hit() -> None:
    html = rich_text("One.[^1]\n\n[^1]: Note.", top=3, key="crm-1")
    ids = {element.get("id") for element in dom.elements(html)}
    assert all(link.get("href")[1:] in ids for link in dom.named(html, "a"))


def test_good_links_stay_and_say_nothing_of_where_they_were_followed() -> None:
    html = rich_text("[a](https://a.example/x?y=1#z) [b](mailto:b@b.example)", top=3, key="k")
    links = dom.named(html, "a")
    assert [link.get("href") for link in links] == [
        "https://a.example/x?y=1#z",
        "mailto:b@b.example",
    ]
    assert all(link.get("rel") == "noopener noreferrer" for link in links)


@pytest.mark.parametrize(
    "text",
    ["[a](javascript:1)", "[a](data:text/html,x)", "[a](file:///etc/passwd)", "<javascript:1>"],
)
def test_other_links_are_text(text: str) -> None:
    assert dom.named(rich_text(text, top=3, key="k"), "a") == []


def test_raw_html_is_shown_as_text() -> None:
    html = rich_text("<b onclick=x>bold</b>\n\n<div>block</div>", top=3, key="k")
    assert dom.words(html) == "<b onclick=x>bold</b> <div>block</div>"


def test_a_picture_is_a_link_and_loads_nothing() -> None:
    html = rich_text("![A lift](https://a.example/lift.png)", top=3, key="k")
    assert dom.named(html, "img") == []
    [link] = dom.named(html, "a")
    assert link.words == "A lift"


def test_tables_and_code_are_rendered() -> None:
    html = rich_text("| a | b |\n|:-:|---|\n| c | `d` |\n\n~~e~~", top=3, key="k")
    assert [cell.words for cell in dom.named(html, "td")] == ["c", "d"]
    assert [gone.words for gone in dom.named(html, "s")] == ["e"]
