"""The frame of the page: its head, its table, its structure."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from coloraide import Color

from orch_dagster.core.decision import State
from orch_dagster.core.episode import FLAG_EFFECTS, Flag
from orch_dagster.page.wording import standing
from tests.page import audit, dom, samples


def test_the_head_says_what_it_is_where_it_stands_and_what_it_cost() -> None:
    [header] = dom.named(samples.page(), "header", class_="masthead")
    count = len(samples.libraries())
    assert "Eleven minutes" in header.words
    assert "✓ assembled" in header.words
    assert "Decision: every gate passed." in header.words
    assert f"Libraries {count} of {count}" in header.words
    assert f"Words {1_204 * count:,} Tokens {5_000 * count:,} Cost no price" in header.words
    assert f"Quality passes {count}" in header.words
    assert "No flags." in header.words


def test_a_known_price_is_shown() -> None:
    html = samples.page(samples.with_report(samples.package(), cost_usd=0.125))
    assert "Cost $0.1250" in dom.words(html)


@pytest.mark.parametrize("flag", list(Flag))
def test_each_flag_says_who_raised_it_and_what_it_does(flag: Flag) -> None:
    [header] = dom.named(samples.page(samples.flagged("social", flag)), "header", class_="masthead")
    assert f"{flag.replace('_', ' ')} (Social posts): {FLAG_EFFECTS[flag]}" in header.words


def test_a_flag_that_only_the_row_carries_is_shown_too() -> None:
    html = samples.page(samples.package(flags=(Flag.BELOW_THRESHOLD,)))
    assert f"below threshold: {FLAG_EFFECTS[Flag.BELOW_THRESHOLD]}" in dom.words(html)


def test_an_article_that_waits_for_review_says_how_to_approve_it() -> None:
    whole = samples.with_report(samples.package(), state="needs_review")
    assert "To approve it: orch approve eleven-minutes" in dom.words(samples.page(whole))


def test_an_approved_article_says_so() -> None:
    html = samples.page(samples.package(approved=True))
    assert "A person has approved it." in dom.words(html)


@pytest.mark.parametrize("state", [*State, "assembled", "published", "budget"])
def test_every_state_has_its_sign_and_its_meaning(state: str) -> None:
    if state != State.FINISHED:  # each pipeline has a word of its own for it
        assert standing(state).sign
        assert standing(state).meaning


def test_a_score_stands_beside_its_gate_and_says_whether_it_passes() -> None:
    scores = {"voice_consistency": 3.9, "coherence_score": 4.0}
    parts = tuple(
        replace(part, report=samples.report(scores=scores)) for part in samples.package().parts
    )
    [table] = dom.named(
        samples.page(samples.package(*parts)), "table", aria_labelledby="scores-heading"
    )
    assert table.words.count("3.9 ✕ under 4.0") == len(parts)
    assert table.words.count("4.0 ✓ passes 4.0") == len(parts)


def test_an_article_without_deliverables_shows_where_it_stands() -> None:
    parts = (samples.part(library, None) for library in samples.libraries())
    whole = samples.with_report(
        samples.package(*parts), state="new", next="article/draft: not made yet"
    )
    html = samples.page(whole)
    assert audit.faults(html) == []
    assert "○ new" in dom.words(html)
    assert "Decision: article/draft: not made yet." in dom.words(html)
    assert dom.words(html).count("not delivered yet") == len(samples.libraries())
    assert dom.words(html).count("Nothing to show yet.") == len(samples.libraries())


def test_a_failed_library_has_no_scores_and_says_so() -> None:
    library = samples.libraries()[0]
    failed = samples.report(status="failed", scores={}, sha256=None, bytes=None)
    part = samples.part(library, None, report=failed, caveat="The newest attempt ended as failed.")
    words = dom.words(samples.page(samples.package(part)))
    assert "Mind: The newest attempt ended as failed." in words
    assert "failed failed 1" in words


def test_headings_skip_no_level() -> None:
    levels = [int(e.tag[1]) for e in dom.elements(samples.page()) if re.fullmatch(r"h\d", e.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_library_has_a_section_under_its_title() -> None:
    html = samples.page()
    for library in samples.libraries():
        [section] = dom.named(html, "section", id=library.name)
        [heading] = dom.named(html, "h2", id=section.get("aria-labelledby"))
        assert heading.words == library.declared.title
        assert f"content/{library.name}/deliverable/eleven-minutes{library.suffix}" in section.words


def test_ids_are_unique_and_every_link_inside_the_page_has_a_target() -> None:
    found = dom.elements(samples.page())
    ids = [element.get("id") for element in found if element.get("id")]
    targets = {e.get("href")[1:] for e in found if e.get("href").startswith("#")}
    labels = {e.get("aria-labelledby") for e in found if e.get("aria-labelledby")}
    assert len(ids) == len(set(ids))
    assert targets | labels <= set(ids)


def test_drawings_have_words_or_are_hidden_from_those_who_do_not_see() -> None:
    for drawing in dom.named(samples.page(), "svg"):
        assert drawing.get("aria-hidden") == "true" or (
            drawing.get("role") == "img" and drawing.get("aria-label")
        )


def test_tables_keep_their_roles_when_narrow_screens_turn_them_into_cards() -> None:
    found = dom.elements(samples.page())
    roles = {"table": "table", "tr": "row", "td": "cell", "thead": "rowgroup", "tbody": "rowgroup"}
    for element in found:
        if element.tag in roles and "article" not in element.inside:
            assert element.get("role") == roles[element.tag]
        if element.tag == "td" and not element.get("colspan"):
            assert element.get("data-label")


def test_the_page_is_whole_in_itself() -> None:
    html = samples.page()
    sheet = audit.stylesheet()
    assert audit.faults(html) == []
    assert "url(" not in sheet
    assert "@import" not in sheet
    assert "@font-face" not in sheet
    assert not re.search(r"<(script|link|img|iframe|object|embed|source|base)\b", html)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["paper", "raised"])
@pytest.mark.parametrize("front", ["ink", "muted", "accent", "good", "warn", "bad"])
def test_the_pages_own_colours_can_be_read(scheme: str, ground: str, front: str) -> None:
    colours = _colours(scheme)
    assert Color(colours[front]).contrast(Color(colours[ground]), method="wcag21") >= 4.5


def _colours(scheme: str) -> dict[str, str]:
    blocks = re.findall(r":root \{(.*?)\}", audit.stylesheet(), flags=re.DOTALL)
    light, dark = (dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block)) for block in blocks[:2])
    return light if scheme == "light" else light | dark


def test_a_title_in_any_script_and_with_any_sign_is_shown_as_it_is() -> None:
    title = 'تجربة <b>& "quotes" — 日本語 🛠️'
    html = samples.page(samples.with_brief(samples.package(), title=title))
    [heading] = dom.named(html, "h1")
    assert heading.text == title


def test_it_says_when_and_by_which_models() -> None:
    words = dom.words(samples.page())
    assert "As it stood on 2027-01-02 09:30 UTC." in words
    assert "Written by some-model." in words
