"""Blocks, numbers and footnote marks of an article."""

from hypothesis import given
from hypothesis import strategies as st

from assets.content.article import paragraphs

ARTICLE = """---
title: A head
---

# Title

The lede.[^1]

## One

First.

- a
- b

> Said.

## Related

- [There](<https://a.example/>)

[^1]: A note on the lede.
"""

blocks = st.lists(
    st.text(st.characters(categories=["L", "N", "P"]), min_size=1).filter(
        lambda text: not text.startswith(("#", "---"))
    ),
    min_size=1,
    max_size=8,
)


def test_prose_lists_and_the_quote_are_numbered_and_nothing_else():
    shown = paragraphs.number_paragraphs(ARTICLE)
    assert [line for line in shown.splitlines() if line.startswith("[p")] == [
        "[p1] The lede.[^1]",
        "[p2] First.",
        "[p3] - a",
        "[p4] > Said.",
    ]
    assert "title: A head" not in shown


def test_head_and_body_part_at_the_second_rule():
    assert paragraphs.head(ARTICLE) == "title: A head\n"
    assert paragraphs.body(ARTICLE).startswith("# Title")
    assert paragraphs.head("# Title\n\nText.") is None


def test_a_rule_further_down_is_no_head():
    assert paragraphs.head("Text.\n\n---\n\nMore.\n\n---\n") is None


def test_windows_line_ends_part_paragraphs_too():
    assert paragraphs.paragraphs("One.\r\n\r\nTwo.") == ["One.", "Two."]


def test_replacing_changes_the_numbered_paragraph_alone():
    replaced = paragraphs.replace_paragraphs(ARTICLE, {2: "Second thoughts."})
    assert replaced == paragraphs.body(ARTICLE).replace("First.", "Second thoughts.")


def test_an_empty_text_deletes_the_paragraph():
    assert "First." not in paragraphs.replace_paragraphs(ARTICLE, {2: ""})


@given(blocks)
def test_every_block_between_blank_lines_is_one_paragraph(texts: list[str]):
    kept = [text for text in texts if not paragraphs.is_definition(text)]
    assert paragraphs.paragraphs("\n\n".join(texts)) == kept


@given(blocks, st.data())
def test_replacing_a_paragraph_leaves_the_others_as_they_were(
    texts: list[str], data: st.DataObject
):
    article = "\n\n".join(texts)
    before = paragraphs.paragraphs(article)
    if not before:
        return
    number = data.draw(st.integers(1, len(before)))
    after = paragraphs.paragraphs(paragraphs.replace_paragraphs(article, {number: "New."}))
    assert after == [*before[: number - 1], "New.", *before[number:]]


def test_marks_are_split_from_the_end_only():
    assert paragraphs.split_marks("So it is.[^1][^2]") == ("So it is.", "[^1][^2]")
    assert paragraphs.split_marks("So[^1] it is.") == ("So[^1] it is.", "")


def test_a_paragraph_may_begin_with_a_number_sign():
    assert paragraphs.paragraphs("# Title\n\n#1 on the list.\n\n##") == ["#1 on the list."]
