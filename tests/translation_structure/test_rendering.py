"""Translations put back: every byte that is not language is the source's."""

import pytest
from hypothesis import given, settings

from assets.translation.structure.marks import numbers_in
from assets.translation.structure.rendering import render
from assets.translation.structure.segmentation import segment
from assets.translation.structure.structure_faults import structure_faults
from tests.translation_structure.articles import HARD
from tests.translation_structure.markdowns import markdowns
from tests.translation_structure.readings import in_letters, kept, only, rendered


def put_back(markdown: str, *translations: str) -> str:
    return render(segment(markdown), dict(enumerate(translations, start=1)))


@pytest.mark.parametrize("markdown", HARD.values(), ids=HARD.keys())
def test_its_own_texts_give_the_source_byte_for_byte(markdown: str) -> None:
    assert kept(segment(markdown)) == markdown


@pytest.mark.parametrize("markdown", HARD.values(), ids=HARD.keys())
def test_hard_articles_keep_their_structure_in_translation(markdown: str) -> None:
    assert structure_faults(markdown, in_letters(markdown)) == []


@settings(deadline=None, max_examples=150)
@given(markdowns())
def test_any_markdown_comes_back_byte_for_byte(markdown: str) -> None:
    assert kept(segment(markdown)) == markdown


@settings(deadline=None, max_examples=150)
@given(markdowns())
def test_any_markdown_keeps_its_structure_in_translation(markdown: str) -> None:
    assert structure_faults(markdown, in_letters(markdown)) == []


@settings(deadline=None, max_examples=150)
@given(markdowns())
def test_any_segment_is_one_line_with_each_of_its_marks_once(markdown: str) -> None:
    for found in segment(markdown).segments:
        assert not {"\n", "\r"} & set(found.text)
        assert numbers_in(found.text) == [mark.number for mark in found.marks]


def test_code_and_addresses_are_the_bytes_of_the_source() -> None:
    markdown = "Run `a  b` from [here](<u v>  'T').\n"
    assert (
        put_back(markdown, "Запустіть ⟦1⟧ [звідси]⟦2⟧.")
        == "Запустіть `a  b` [звідси](<u v>  'T').\n"
    )


def test_marks_may_change_places() -> None:
    assert put_back("`a` before `b`", "⟦2⟧ після ⟦1⟧") == "`b` після `a`"


def test_a_title_is_translated_within_its_translated_link() -> None:
    markdown = 'A [b](u "Title").'
    assert put_back(markdown, "Ось [б]⟦1⟧.", 'Назва "в лапках"') == (
        'Ось [б](u "Назва \\"в лапках\\"").'
    )


def test_a_title_is_translated_where_its_paragraph_keeps_its_bytes() -> None:
    markdown = "soft\nwrap [b](u 'Title')."
    assert render(segment(markdown), {2: "Назва"}) == "soft\nwrap [b](u 'Назва')."


@pytest.mark.parametrize("link", ["[site]", "[site][]"])
def test_a_link_that_was_its_own_label_keeps_its_address(link: str) -> None:
    markdown = f"See {link}.\n\n[site]: https://e.org\n"
    assert put_back(markdown, "Див. [сайт]⟦1⟧.") == "Див. [сайт][site].\n\n[site]: https://e.org\n"


def test_what_has_no_translation_stays() -> None:
    assert render(segment("One\n\ntwo\nlines\n"), {1: "Один"}) == "Один\n\ntwo\nlines\n"


def test_a_segment_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(KeyError):
        render(segment("One"), {7: "сім"})


@pytest.mark.parametrize(
    ("markdown", "translation", "written"),
    [
        ("In 1986 it was.", "1986. Так було.", "1986\\. Так було."),
        ("A dash.", "- риска", "\\- риска"),
        ("A hash.", "# решітка", "\\# решітка"),
        ("A sign.", "> знак", "\\> знак"),
        ("A rule.", "***", "\\***"),
        ("A note.", "[Примітка]: текст", "\\[Примітка]: текст"),
        ("A note.", "[^1]: текст", "\\[^1]: текст"),
        ("A fence.", "```", "\\```"),
        ("A tag.", "<div>", "\\<div>"),
        ("# Sharp", "Мова F #", "# Мова F \\#"),
        ("| a |\n|---|", "а | б", "| а \\| б |\n|---|"),
        ("one  \ntwo", "один⟦1⟧- два", "один  \n\\- два"),
        ("one  \ntwo", "один⟦1⟧---", "один  \n\\---"),
    ],
)
def test_a_translation_cannot_become_another_block(
    markdown: str, translation: str, written: str
) -> None:
    assert put_back(markdown, translation) == written


def test_line_breaks_of_a_translation_do_not_part_the_paragraph() -> None:
    assert put_back("> One.", "Один.\n\nДва.\r\n- три") == "> Один. Два. - три"


def test_a_hard_break_in_a_quotation_keeps_the_prefix_of_its_line() -> None:
    assert put_back("> one  \n> two", "один ⟦1⟧ два") == "> один   \n> два"


def test_windows_line_endings_stay() -> None:
    markdown = "# One\r\n\r\ntwo\r\nlines\r\n\r\n- three\r\n"
    assert put_back(markdown, "Один", "два", "три") == "# Один\r\n\r\nдва\r\n\r\n- три\r\n"


def test_literal_marks_of_the_source_come_back() -> None:
    markdown = "Literal ⟦2⟧ and `⟦1⟧`."
    assert only(markdown).text == "Literal ⟦1⟧ and ⟦2⟧."
    assert put_back(markdown, "Знаки ⟦2⟧ і ⟦1⟧.") == "Знаки `⟦1⟧` і ⟦2⟧."


@pytest.mark.parametrize(
    "markdown",
    ["[" * 500, "*a " * 500, "` `` " * 300, ">" * 3000, "- " * 500, "|a" * 200 + "\n" + "|-" * 200],
)
def test_deep_and_unclosed_markup_comes_back(markdown: str) -> None:
    assert kept(segment(markdown)) == markdown


def long_article(parts: int) -> str:
    sentence = (
        "The ledger nobody had asked for was [the only proof](https://e.org) of `it` in 1999. "
    )
    part = "## Part {} of it\n\n" + sentence * 9 + "\n\n- an item of **two**\n- another item\n\n"
    return "".join(part.format(number) for number in range(parts))


def test_an_article_of_nine_thousand_words_comes_back_whole() -> None:
    markdown = long_article(72)
    article = segment(markdown)
    assert article.words > 9000
    assert kept(article) == markdown
    assert structure_faults(markdown, rendered(article)) == []
