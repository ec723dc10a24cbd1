"""What is refused in one answer before the chain goes on."""

from typing import Any

import pytest

from assets.content.article import paragraphs
from assets.content.article.models import (
    Footnotes,
    Outline,
    PullQuote,
    Transitions,
    accept,
    compose,
)
from tests.article.answers import answers, brief, prose, revision

ORDER = tuple(answers())


def faults(prompt: str, answer: Any) -> list[str]:
    known = answers()
    earlier = {name: known[name] for name in ORDER[: ORDER.index(prompt)]}
    return accept(prompt, answer, earlier)


def pass_faults(*edits: tuple[int, str]) -> list[str]:
    candidate = compose(brief(), answers())
    return accept("quality_pass", revision(*edits), {**answers(), "candidate": candidate})


def numbered(sign: str) -> int:
    written = paragraphs.paragraphs(compose(brief(), answers()))
    return next(n for n, text in enumerate(written, start=1) if sign in text)


@pytest.mark.parametrize("prompt", ORDER)
def test_a_sound_answer_is_accepted(prompt: str):
    assert faults(prompt, answers()[prompt]) == []


@pytest.mark.parametrize(
    ("addition", "fault"),
    [
        ("\n\n## A heading", "a heading"),
        ("\n\nUnderlined\n===", "a heading"),
        ("\n\n```\ncode\n```", "a code fence"),
        ("\n\n> A quotation.", "a block quotation"),
        ("\n\n---\n\nMore.", "a rule"),
        ("\n\n<div>Box</div>", "HTML"),
        ("\n\n![A piano](piano.png)", "an image"),
        ("[^1]", "footnote mark"),
        ("\n\n- a\n- b\n\nText.\n\n1. c\n2. d", "2 lists, at most 1"),
        ("\n \nMore.", "one empty line"),
        (" TODO", "'TODO' is left over"),
    ],
)
def test_a_section_is_paragraphs_and_nothing_else(addition: str, fault: str):
    found = faults("section_one", prose(1, 2) + addition)
    assert any(fault in text for text in found), found


def test_a_lede_holds_no_list_and_a_section_may_hold_one():
    listed = "Three things:\n\n- a frame\n- a lid"
    assert faults("lede", listed) == ["the text holds 1 lists, at most 0 may be"]
    assert faults("section_one", listed) == []


def test_a_section_may_not_say_again_what_an_earlier_part_said():
    found = faults("section_two", prose(2, 2) + "\n\n" + prose(1, 1).upper())
    assert found == [
        "the paragraph that begins 'THE BRIDGE CAME IN BEFORE THE…' was already written in an earlier part"
    ]


def test_a_preamble_is_refused():
    assert faults("lede", "Here is the lede: " + prose(0, 1)) == [
        "the text begins with a preamble: 'Here is the lede: The frame…'"
    ]


def headed(*headings: str) -> Outline:
    outline: Outline = answers()["structure"]
    plans = [
        plan.model_copy(update={"heading": heading})
        for plan, heading in zip(outline.sections, headings, strict=True)
    ]
    return outline.model_copy(update={"sections": tuple(plans)})


@pytest.mark.parametrize(
    ("headings", "fault"),
    [
        (("One", "Two", "one"), "two headings are the same"),
        (("One", "Two", "Related"), "no heading for a section"),
        (("One", "Two", "…"), "no heading for a section"),
        (("One", "Two", "## Three"), "Markdown sign"),
        (("One", "Two", "Three\nFour"), "one line"),
    ],
)
def test_headings_differ_and_are_plain(headings: tuple[str, ...], fault: str):
    assert any(fault in found for found in faults("structure", headed(*headings)))


def test_bridges_differ_from_each_other_and_from_the_article():
    same = Transitions(
        into_section_two="The same in both places.", into_section_three="The same in both places!"
    )
    assert faults("transitions", same) == ["both bridges say the same"]
    repeating = answers()["transitions"].model_copy(update={"into_section_two": prose(1, 1)})
    assert "repeats a paragraph" in faults("transitions", repeating)[0]


def test_a_pull_quote_is_one_plain_line():
    broken = PullQuote(sentence="A piano is as old\nas its frame is.", section=1, position="early")
    assert faults("pull_quote", broken) == ["the pull quote must stand on one line"]


def test_a_note_needs_a_paragraph_that_exists_and_a_text_of_its_own():
    first, second = answers()["footnotes"].notes
    beyond = Footnotes(notes=(first.model_copy(update={"paragraph": 12}), second))
    assert faults("footnotes", beyond) == ["note 1 is for [p12], but the last is [p11]"]
    twice = Footnotes(notes=(first, second.model_copy(update={"note": first.note})))
    assert faults("footnotes", twice) == ["two notes say the same"]
    marked = Footnotes(notes=(first.model_copy(update={"note": "Ledger, see also [^2] there."}),))
    assert faults("footnotes", marked) == ["note 1 must not hold a footnote mark"]


def test_meta_stands_on_one_line_and_names_no_keyword_twice():
    meta = answers()["meta"]
    assert faults("meta", meta.model_copy(update={"keywords": ("Tuning", "piano", "tuning")})) == [
        "a keyword stands twice"
    ]
    assert faults("meta", meta.model_copy(update={"title": "Two lines\nof a title"})) == [
        "the title must stand on one line"
    ]


def test_sound_edits_are_accepted():
    assert pass_faults() == []
    assert pass_faults((1, "A new first."), (2, "A second.\n\nAnd a third."), (3, "")) == []
    assert pass_faults((numbered("[^1]"), "Rewritten with its mark.[^1]")) == []
    assert pass_faults((numbered("> "), "> Said otherwise and better.")) == []


@pytest.mark.parametrize(
    ("edits", "fault"),
    [
        (((99, "Text."),), "there is no [p99], the last is [p14]"),
        (((1, "Text."), (1, "Other.")), "[p1] is edited twice"),
        (((1, "## Heading"),), "[p1]: the text holds a heading"),
        (((1, "[p1] Text."),), "[p1]: '[p1]' is left over"),
        (((1, "Text.[^7]"),), "leave footnote marks out"),
        (((1, "Text[^7] here."),), "[p1]: the text holds a footnote mark"),
        (((1, "> Text."),), "a block quotation"),
        (((1, "The same."), (3, "The same!")), "[p3] repeats [p1]"),
        (((numbered("[^1]"), ""),), "carries a footnote, so it cannot be deleted"),
        (((numbered("> "), ""),), "is the pull quote, so it cannot be deleted"),
        (((numbered("> "), "One line\nand another."),), "must stand on one line"),
    ],
)
def test_an_edit_that_would_harm_the_article_is_refused(
    edits: tuple[tuple[int, str], ...], fault: str
):
    found = pass_faults(*edits)
    assert any(fault in text for text in found), found


def test_a_note_marked_for_a_person_needs_the_flag():
    known = {**answers(), "candidate": compose(brief(), answers())}
    unflagged = revision().model_copy(update={"flags": ()})
    assert accept("quality_pass", unflagged, known) == [
        "a note was marked for a person: set the flag footnote_requires_review"
    ]
    calm = [note.model_copy(update={"needs_review": False}) for note in known["footnotes"].notes]
    assert (
        accept("quality_pass", unflagged, known | {"footnotes": Footnotes(notes=tuple(calm))}) == []
    )
