"""An article cut into what one request can hold."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.translation.structure.pieces import outline, pieces
from assets.translation.structure.segmentation import segment
from tests.translation_structure.markdowns import markdowns


def paragraph(word: str, count: int) -> str:
    return " ".join([word] * count)


def test_pieces_hold_about_as_many_words_as_asked() -> None:
    article = segment("\n\n".join(paragraph("word", 40) for _ in range(20)))
    assert [piece.words for piece in pieces(article, words=100)] == [80] * 10


def test_a_heading_goes_with_what_follows_it() -> None:
    article = segment(f"{paragraph('one', 90)}\n\n# H\n\n## Sub\n\n{paragraph('two', 50)}\n")
    first, second = pieces(article, words=100)
    assert [found.kind for found in first.segments] == ["paragraph"]
    assert [found.kind for found in second.segments] == ["heading", "heading", "paragraph"]


def test_a_list_is_not_cut_when_a_piece_can_hold_it() -> None:
    items = "\n".join(f"- {paragraph('item', 20)}" for _ in range(4))
    article = segment(f"{paragraph('one', 60)}\n\n{items}\n")
    assert [piece.words for piece in pieces(article, words=100)] == [60, 80]


def test_a_table_longer_than_a_piece_is_cut_between_cells() -> None:
    rows = "\n".join(f"| {paragraph('cell', 20)} |" for _ in range(10))
    article = segment(f"| head |\n|---|\n{rows}\n")
    assert [piece.words for piece in pieces(article, words=100)] == [81, 100, 20]


def test_a_paragraph_longer_than_a_piece_is_a_piece() -> None:
    article = segment(f"# H\n\n{paragraph('word', 500)}\n\nshort\n")
    assert [piece.words for piece in pieces(article, words=100)] == [501, 1]


def test_a_closing_heading_is_not_lost() -> None:
    assert [piece.ids for piece in pieces(segment("text\n\n# End\n"), words=10)] == [(1, 2)]


def test_an_article_without_language_has_no_pieces() -> None:
    assert pieces(segment("```\ncode\n```\n"), words=10) == ()


def test_pieces_of_no_words_are_an_error() -> None:
    with pytest.raises(ValueError, match="holds nothing"):
        pieces(segment("text"), words=0)


@settings(deadline=None, max_examples=60)
@given(markdowns(), st.integers(1, 30))
def test_each_segment_is_in_one_piece_and_in_order(markdown: str, words: int) -> None:
    article = segment(markdown)
    found = pieces(article, words=words)
    assert [s for piece in found for s in piece.segments] == list(article.segments)
    assert [piece.number for piece in found] == list(range(1, len(found) + 1))


def test_the_outline_shows_the_headings_by_depth() -> None:
    article = segment("## One `x`\n\ntext\n\n### *Two*\n\nThree [l](u)\n-----\n")
    assert outline(article) == "- One `x`\n  - *Two*\n- Three l"


def test_the_outline_of_an_article_without_headings_is_empty() -> None:
    assert outline(segment("text")) == ""
