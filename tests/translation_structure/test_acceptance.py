"""A translation that passes segment by segment leaves the article's structure as it was."""

import re

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assets.translation.structure.language import Pair
from assets.translation.structure.rendering import render
from assets.translation.structure.segment_faults import segment_faults
from assets.translation.structure.segmentation import segment
from assets.translation.structure.structure_faults import structure_faults
from tests.translation_structure.markdowns import markdowns
from tests.translation_structure.readings import lettered

SLIPS = (
    *("1. ", "- ", "# ", "> ", "**", "*", "⟦1⟧", "⟦2⟧", "{x}", "$5", "<br>", "<div>", "\n", "\n\n"),
    *("[^1]", "слово", "`x`", "---", "===", "[x]: y", "~~~", " #", "https://e.org", "&lt;", ": "),
)
_PARTS = re.compile(r"(⟦\d+⟧| )")


@st.composite
def _translations(draw: st.DrawFn, text: str) -> str:
    """The text in other letters, perhaps in another order, with up to three slips in it."""
    parts = [part for part in _PARTS.split(lettered(text)) if part]
    if draw(st.booleans()):
        parts = draw(st.permutations(parts))
    for slip in draw(st.lists(st.sampled_from(SLIPS), max_size=3)):
        parts.insert(draw(st.integers(0, len(parts))), slip)
    return "".join(parts)


@settings(deadline=None, max_examples=100)
@given(markdowns(), st.data())
def test_what_is_accepted_breaks_nothing(markdown: str, data: st.DataObject) -> None:
    # A text with a pipe, joined to one line above what happens to be a rule of a table, is one.
    assume("|" not in markdown or "---" not in markdown)
    article = segment(markdown)
    drawn = {found.id: data.draw(_translations(found.text)) for found in article.segments}
    accepted = {
        number: text
        for number, text in drawn.items()
        if not segment_faults(article.segment(number), text, Pair("en", "xx"))
    }
    assert structure_faults(markdown, render(article, accepted)) == []
