"""How answers become an article: composed, revised, finished, checked."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from assets.content.article import paragraphs
from assets.content.article.models import Footnotes, Revision, check, compose, finish, revise, show
from tests.article.answers import HEADINGS, answers, brief, revision


def article() -> str:
    return finish(brief(), compose(brief(), answers()), answers())


def faults_after(old: str, new: str) -> list[str]:
    good = article()
    assert old in good
    return check(brief(), answers(), good.replace(old, new, 1))


def test_a_composed_article_has_its_parts_in_order():
    draft = compose(brief(), answers())
    found = paragraphs.blocks(draft)
    headings = [block for block in found if paragraphs.is_heading(block)]
    assert headings == [
        "# The old frame and the new strings",
        *(f"## {heading}" for heading in HEADINGS),
        "## Related",
    ]
    assert found[-3].startswith(
        "- [What a moisture reading tells](<https://pianos.example/moisture>)"
    )
    assert [block[:5] for block in found[-2:]] == ["[^1]:", "[^2]:"]


def test_a_bridge_stands_above_the_next_heading():
    found = paragraphs.blocks(compose(brief(), answers()))
    assert found[found.index(f"## {HEADINGS[1]}") - 1].startswith("That settles the frame.")
    assert found[found.index(f"## {HEADINGS[2]}") - 1].startswith("Pitch can be measured;")


@pytest.mark.parametrize(("position", "place"), [("early", 2), ("late", 4)])
def test_the_pull_quote_stands_where_it_was_placed(position: str, place: int):
    quote = answers()["pull_quote"].model_copy(update={"position": position})
    found = paragraphs.blocks(compose(brief(), answers(pull_quote=quote)))
    assert found.index(f"> {quote.sentence}") - found.index(f"## {HEADINGS[1]}") == place


def test_a_late_pull_quote_never_comes_before_the_first_paragraph():
    quote = answers()["pull_quote"]
    found = paragraphs.blocks(compose(brief(), answers(section_two="A single paragraph.")))
    assert found.index(f"> {quote.sentence}") == found.index("A single paragraph.[^2]") + 1


def test_footnotes_are_numbered_by_the_place_of_their_paragraph():
    written = paragraphs.paragraphs(compose(brief(), answers()))
    marked = [(text[:20], text[-4:]) for text in written if text.endswith("]")]
    assert [mark for _, mark in marked] == ["[^1]", "[^2]"]
    assert '[^1]: Ledger "Rebuilds since 1998".' in compose(brief(), answers())


def test_without_related_articles_and_notes_the_article_ends_with_its_last_section():
    bare = brief(related=[])
    draft = compose(bare, answers(footnotes=Footnotes(notes=())))
    assert check(bare, answers(footnotes=Footnotes(notes=())), finish(bare, draft, answers())) == []
    assert "## Related" not in draft
    assert "[^" not in draft


def test_a_sound_article_has_no_faults_as_draft_and_as_deliverable():
    chain = {name: answer for name, answer in answers().items() if name != "meta"}
    assert check(brief(), chain, compose(brief(), chain)) == []
    assert check(brief(), answers(), article()) == []


def test_the_head_holds_the_meta_and_finishing_again_replaces_it():
    head = yaml.safe_load(paragraphs.head(article()) or "")
    assert head == {**answers()["meta"].model_dump(), "keywords": list(answers()["meta"].keywords)}
    other = answers()["meta"].model_copy(update={"title": "Quite another title: for a page"})
    again = finish(brief(), article(), answers(meta=other))
    assert again.count("---\n") == 2
    assert yaml.safe_load(paragraphs.head(again) or "")["title"] == other.title


def test_without_edits_a_revision_leaves_the_text_as_it_was():
    draft = compose(brief(), answers())
    assert revise(draft, revision()) == draft
    assert revise(article(), revision()) == draft


def test_an_edit_keeps_marks_and_quotation_sign_of_what_it_replaces():
    draft = compose(brief(), answers())
    written = paragraphs.paragraphs(draft)
    noted = next(n for n, text in enumerate(written, start=1) if text.endswith("[^1]"))
    quote = next(n for n, text in enumerate(written, start=1) if text.startswith("> "))
    revised = revise(draft, revision((noted, "Rewritten.[^1]"), (quote, "Said otherwise.")))
    after = paragraphs.paragraphs(revised)
    assert after[noted - 1] == "Rewritten.[^1]"
    assert after[quote - 1] == "> Said otherwise."
    assert check(brief(), answers(), finish(brief(), revised, answers())) == []


def test_an_edit_of_two_paragraphs_adds_one_and_its_marks_go_to_the_last():
    draft = compose(brief(), answers())
    noted = next(n for n, t in enumerate(paragraphs.paragraphs(draft), 1) if t.endswith("[^1]"))
    after = paragraphs.paragraphs(revise(draft, revision((noted, "One half.\n\nThe other."))))
    assert after[noted - 1 : noted + 1] == ["One half.", "The other.[^1]"]


def test_the_pass_sees_numbers_but_no_head():
    shown = show(article())
    assert shown.startswith("# The old frame and the new strings\n\n[p1] ")
    assert paragraphs.body(article()).splitlines()[0] == shown.splitlines()[0]


printable = st.text(
    st.characters(exclude_categories=["C", "Z"], include_characters=" "), max_size=60
)


@given(printable.filter(lambda text: any(char.isalnum() for char in text)))
def test_any_title_is_printed_as_it_was_given(title: str):
    named = brief(title=title, related=[{"title": title, "url": "https://pianos.example/a(b)"}])
    deliverable = finish(named, compose(named, answers()), answers())
    assert check(named, answers(), deliverable) == []


@given(
    st.dictionaries(
        st.integers(1, 14), st.sampled_from(["New words.", "- a\n- b", "Two.\n\nParts."])
    )
)
def test_no_edit_can_touch_headings_notes_or_links(edits: dict[int, str]):
    draft = compose(brief(), answers())
    count = len(paragraphs.paragraphs(draft))
    kept = {number: text for number, text in edits.items() if number <= count}
    revised = revise(draft, revision(*list(kept.items())[:12]))
    furniture = [
        set(paragraphs.blocks(text)) - set(paragraphs.paragraphs(text)) for text in (draft, revised)
    ]
    assert furniture[0] == furniture[1]


def test_the_pass_answers_within_its_limits():
    with pytest.raises(ValueError, match="at most 12"):
        revision(*((number, "Text.") for number in range(1, 14)))
    with pytest.raises(ValueError, match="flags"):
        Revision.model_validate(revision().model_dump() | {"flags": ["use_variant_b"]})


@pytest.mark.parametrize("words", [300, 800])
def test_length_is_checked_against_the_brief(words: int):
    faults = check(brief(words=words), answers(), article())
    assert (faults == []) is (words == 300)
    assert all("words, the brief asks for 800 (480 to 1120)" in fault for fault in faults)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("## What a year", "## Why a year", "the outline has"),
        ("## Related\n", "## More\n", "the headings are"),
        ("# The old frame", "# Some old frame", "the headings are"),
        (f"## {HEADINGS[0]}\n", f"## {HEADINGS[0]}\n\n## {HEADINGS[1]}\n", "is empty"),
        ("[^1]\n", "\n", "[^1] is defined but never marked"),
        ("[^2]: Workshop", "[^3]: Workshop", "mark [^2] has no definition"),
        ("[^2]: Workshop", "[^1]: Workshop", "[^1] is defined twice"),
        ("[^1]\n", "[^2]\n", "footnote"),
        ("\n[^1]: Ledger", "\n[^1]: Ledger TODO", "footnote 1: 'TODO' is left over"),
        ("> A piano is", "A piano is", "there are 0 pull quotes"),
        ("That settles the frame.", "> That settles the frame.", "there are 2 pull quotes"),
        ("That settles the frame.", "### That settles", "headings are"),
        ("That settles", "[That](https://elsewhere.example/) settles", "https://elsewhere.example"),
        ("That settles", "https://elsewhere.example settles", "neither in related nor in sources"),
        ("That settles", "![That](https://pianos.example/moisture) settles", "holds an image"),
        ("That settles", "[That](java script:x) settles", "a link is broken"),
        ("- [Ten weeks", "- [Eleven weeks", "'Ten weeks [and a van]' is missing"),
        ("<https://pianos.example/moisture>", "<https://pianos.example/wait>", "reading tells' is missing"),
        ("keywords:", "tags:", "the YAML head is wrong at 'keywords'"),
        ("title: ", "title: [", "the YAML head does not parse"),
        ("---\n\n#", "#", "the article has no YAML head"),
        ("That settles", "{{ frame }} settles", "'{{' is left over"),
        ("That settles", "[insert frame] settles", "'[insert frame]' is left over"),
        ("That settles", "Lorem ipsum settles", "'Lorem ipsum' is left over"),
        ("That settles", "[p4] That settles", "'[p4]' is left over"),
        ("That settles", "Here is the revised section. That settles", "begins with a preamble"),
        ("That settles", "Certainly, here it is. That settles", "begins with a preamble"),
        ("That settles", "<b>That</b> settles", "holds HTML"),
        ("That settles", "```\nThat settles", "holds a code fence"),
    ],
)  # fmt: skip
def test_a_fault_in_the_deliverable_is_named(old: str, new: str, fault: str):
    assert any(fault in found for found in faults_after(old, new)), faults_after(old, new)


def test_a_repeated_paragraph_is_named_with_both_places():
    repeated = answers()["lede"].replace(".", "!") + "\n\nPitch can"
    (fault,) = faults_after("Pitch can", repeated)
    assert fault.startswith("[p11] repeats [p1]: 'The frame came")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("That settles", "[That](https://pianos.example/moisture) settles"),
        ("That settles", "That (see https://pianos.example/method) settles"),
        ("That settles", "Here is a frame nobody wanted. That settles"),
        ("That settles", "Here is the version the board saw last. That settles"),
        ("That settles", "Of course, that settles"),
        ("That settles", "A key [sic] like `{{ this }}` settles"),
        ("That settles", "- one\n- two\n\nThat settles"),
        ("A piano is as old as the part that hardly ages.", "That settles the frame."),
        (
            "Pitch can be measured; patience",
            "A piano is as old as the part that hardly ages.\n\nPatience",
        ),
    ],
)
def test_what_only_looks_like_a_fault_passes(old: str, new: str):
    assert faults_after(old, new) == []
