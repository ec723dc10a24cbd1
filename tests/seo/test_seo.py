"""How answers become a search package: composed, revised, checked."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from assets.content.seo import markup
from assets.content.seo.models import (
    QuestionRevision,
    SeoPackage,
    Snippet,
    accept,
    check,
    compose,
    revise,
    show,
    slug,
)
from tests.seo.answers import TERMS, answers, brief, revision

PACKAGE = compose(brief(), answers())


def faults(**changes: Any) -> list[str]:
    return check(brief(), answers(), PACKAGE.model_copy(update=changes))


def questions(*pairs: tuple[str, str]) -> tuple[Any, ...]:
    return tuple(
        item.model_copy(update={"question": question, "answer": answer})
        for item, (question, answer) in zip(PACKAGE.questions, pairs, strict=False)
    )


def test_a_composed_package_is_sound():
    assert check(brief(), answers(), PACKAGE) == []
    assert PACKAGE.title == "Winter hive loss: the check that was missed"
    assert PACKAGE.slug == "winter-hive-loss"
    assert [item.question[-1] for item in PACKAGE.questions] == ["?", "?", "?"]


def test_answers_go_to_their_questions_by_number():
    turned = answers()["answers"].model_copy(update={"answers": answers()["answers"].answers[::-1]})
    assert compose(brief(), answers(answers=turned)) == PACKAGE


def test_a_package_survives_its_own_json():
    text = PACKAGE.model_dump_json(indent=2, by_alias=True)
    assert SeoPackage.model_validate_json(text) == PACKAGE
    assert '"@type": "FAQPage"' in text


def test_the_markup_carries_the_visible_texts_and_the_brand():
    article, faq = json.loads(PACKAGE.model_dump_json(by_alias=True))["json_ld"]
    assert article["@context"] == faq["@context"] == "https://schema.org"
    assert article["headline"] == brief().title
    assert article["publisher"] == {"@type": "Organization", "name": "Aller Valley Beekeepers"}
    assert article["keywords"] == ["winter hive loss", *TERMS]
    assert [item["name"] for item in faq["mainEntity"]] == [q.question for q in PACKAGE.questions]
    assert faq["mainEntity"][0]["acceptedAnswer"]["@type"] == "Answer"


def test_the_markup_holds_no_date_and_no_address_that_nobody_knows():
    text = PACKAGE.model_dump_json(by_alias=True)
    assert not re.search(r'"(?:date\w+|url|image)"', text)


def test_a_title_too_long_for_a_headline_gives_way_to_the_search_title():
    long = compose(brief(title="Hives " * 30), answers())
    assert long.json_ld[0].headline == long.title
    assert check(brief(), answers(), long) == []


@pytest.mark.parametrize(
    ("title", "fault"),
    [
        ("Hive loss", "the title has 9 characters, 15 to 60 are allowed"),
        ("Winter hive loss: " + "a" * 50, "the title has 68 characters, 15 to 60 are allowed"),
        ("What became of the bees", "the pillar 'winter hive loss' is not in the title"),
        ("Winter hive loss **explained**", "the title must be plain text"),
    ],
)
def test_a_title_has_its_length_and_the_pillar_in_plain_text(title: str, fault: str):
    assert any(fault in found for found in faults(title=title))


def test_a_description_has_70_to_160_characters():
    found = faults(description="Too short.")
    assert "the description has 10 characters, 70 to 160 are allowed" in found


@pytest.mark.parametrize("text", ["Winter-Loss", "winter--loss", "-winter", "winter loss", "", "ä"])
def test_a_slug_is_small_latin_letters_digits_and_single_hyphens(text: str):
    assert any("is no slug" in found for found in faults(slug=text))


def test_a_slug_has_at_most_sixty_characters():
    assert "the slug has 61 characters, 1 to 60 are allowed" in faults(slug="a" * 61)


def test_two_supporting_terms_must_remain():
    cluster = PACKAGE.keywords.model_copy(update={"supporting": PACKAGE.keywords.supporting[:1]})
    assert "the cluster has fewer than 2 supporting terms" in faults(keywords=cluster)


def test_a_term_stands_once_and_is_none_the_brief_rules_out():
    first = PACKAGE.keywords.supporting[0]
    for term, fault in (
        ("Winter hive-loss", "the term 'winter hive loss' stands twice"),
        ("cheap bees online", "the term 'cheap bees online' is one that the brief rules out"),
    ):
        changed = (first.model_copy(update={"term": term}), *PACKAGE.keywords.supporting[1:])
        cluster = PACKAGE.keywords.model_copy(update={"supporting": changed})
        assert fault in faults(keywords=cluster)


@pytest.mark.parametrize(
    ("pairs", "fault"),
    [
        ((("No mark", "One."), ("B?", "Two.")), "question 1 does not end in a question mark"),
        ((("Same?", "One."), ("same ?", "Two.")), "the question 'same' is asked twice"),
        ((("A?", "One."), ("B?", "one")), "two questions have the same answer"),
        ((("A?", "See <b>this</b>."), ("B?", "Two.")), "answer 1 must be plain text"),
        ((("A?", "One\ntwo."), ("B?", "Two.")), "answer 1 must be plain text on one line"),
        ((("A?", "See https://a.example."), ("B?", "Two.")), "answer 1 must be plain text"),
    ],
)
def test_questions_ask_once_end_in_a_mark_and_are_plain(
    pairs: tuple[tuple[str, str], ...], fault: str
):
    assert any(fault in found for found in faults(questions=questions(*pairs)))


def test_markup_that_differs_from_the_page_is_found():
    other = questions(("Other?", "Answer."))
    assert "the questions of the JSON-LD are not the visible ones" in faults(questions=other)
    article = PACKAGE.json_ld[0].model_copy(update={"description": "Another."})
    found = faults(json_ld=(article, PACKAGE.json_ld[1]))
    assert found == ["the description of the JSON-LD is not the visible one"]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"headline": ""}, "JSON-LD Article has no 'headline'"),
        ({"headline": "a" * 111}, "JSON-LD headline has 111 characters, at most 110"),
        ({"publisher": None}, "JSON-LD Article has no 'publisher'"),
        ({"context": "http://schema.org/x"}, "@context is"),
        ({"type": "Recipe"}, "JSON-LD holds an object of type 'Recipe'"),
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning:pydantic")
def test_markup_without_a_required_property_is_found(changes: dict[str, Any], fault: str):
    article = PACKAGE.json_ld[0].model_copy(update=changes)
    found = markup.faults((article, PACKAGE.json_ld[1]))
    assert any(fault in text for text in found), found


def test_a_question_block_without_questions_or_answer_texts_is_found():
    empty = PACKAGE.json_ld[1].model_copy(update={"mainEntity": ()})
    assert "JSON-LD FAQPage has no 'mainEntity'" in markup.faults((PACKAGE.json_ld[0], empty))
    (_, faq) = markup.build(
        headline="A", description="B", publisher="C", keywords=(), questions=(("Q?", ""),)
    )
    assert "JSON-LD Answer has no 'text'" in markup.faults((PACKAGE.json_ld[0], faq))


def test_a_pass_replaces_what_it_names_and_the_markup_follows():
    new = revision(
        title_form="When {pillar} begins",
        slug_terms="Où sont les ruches",
        questions=(QuestionRevision(number=2, question="How late is too late", answer=None),),
        drop_terms=(2,),
    )
    revised = revise(PACKAGE, new)
    assert revised.title == "When winter hive loss begins"
    assert revised.slug == "ou-sont-les-ruches"
    assert revised.description == PACKAGE.description
    assert revised.questions[1].question == "How late is too late?"
    assert revised.questions[1].answer == PACKAGE.questions[1].answer
    assert [item.term for item in revised.keywords.supporting] == [TERMS[0], TERMS[2]]
    assert revised.json_ld[1].mainEntity[1].name == "How late is too late?"
    assert check(brief(), answers(), revised) == []


def test_a_pass_without_replacements_changes_nothing():
    assert revise(PACKAGE, revision()) == PACKAGE


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (
            {"questions": (QuestionRevision(number=4, question=None, answer=None),)},
            "there is no question 4, the last is 3",
        ),
        (
            {"questions": (QuestionRevision(number=1, question=None, answer=None),) * 2},
            "question 1 is replaced twice",
        ),
        ({"drop_terms": (4,)}, "there is no term 4, the last is 3"),
        ({"slug_terms": "вулики"}, "slug_terms 'вулики' holds no Latin letter or digit"),
    ],
)
def test_a_pass_that_names_what_is_not_there_is_refused(changes: dict[str, Any], fault: str):
    known = {**answers(), "candidate": PACKAGE}
    assert accept("quality_pass", revision(**changes), known) == [fault]
    assert accept("quality_pass", revision(), known) == []


def test_keywords_that_repeat_or_chase_what_is_barred_are_refused():
    keywords = answers()["keywords"]
    barred = keywords.model_copy(update={"pillar_term": "cheap bees"})
    assert accept("keywords", barred, answers()) == [
        "the term 'cheap bees' is one that the brief rules out"
    ]
    twice = keywords.model_copy(update={"pillar_term": TERMS[0]})
    assert accept("keywords", twice, answers()) == [f"the term {TERMS[0]!r} stands twice"]


def test_questions_asked_twice_are_refused():
    first = answers()["questions"].questions[0]
    twice = answers()["questions"].model_copy(update={"questions": (first, first)})
    assert "is asked twice" in accept("questions", twice, answers())[0]


def test_answers_that_miss_a_question_are_refused():
    given = answers()["answers"].answers
    numbers = tuple(given[0].model_copy(update={"number": n}) for n in (1, 1, 4))
    found = accept(
        "answers", answers()["answers"].model_copy(update={"answers": numbers}), answers()
    )
    assert found == [
        "question 1 is answered twice",
        "question 2 is not answered",
        "question 3 is not answered",
        "there is no question 4, the last is 3",
    ]


def test_a_snippet_needs_latin_letters_for_its_address_and_a_plain_publisher():
    snippet = answers()["snippet"].model_copy(
        update={"slug_terms": "---", "publisher_name": "</script>"}
    )
    found = accept("snippet", snippet, answers())
    assert [text.split()[0] for text in found] == ["slug_terms", "publisher_name"]


@pytest.mark.parametrize(
    "form", ["No place for it here", "{pillar} and {pillar}", "{other} stands"]
)
def test_a_title_form_holds_the_pillar_once(form: str):
    snippet: Snippet = answers()["snippet"]
    with pytest.raises(ValidationError):
        Snippet.model_validate(snippet.model_dump() | {"title_form": form})


@given(st.text(max_size=80))
def test_whatever_the_words_a_slug_has_its_form_or_is_empty(words: str):
    made = slug(words)
    assert made == "" or re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", made)
    assert slug(made) == made


def test_the_pass_sees_numbered_lines_without_the_markup():
    text = show(PACKAGE)
    assert "Term 1: october varroa check (informational)" in text
    assert "Answer 3: " in text
    assert "@type" not in text
