"""Figures, lengths, days and colours on their way to the page."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.page import style_values, wording
from orch_dagster.page.axis import axis
from tests.page.audit import DECLARATION


@given(st.text() | st.from_regex(r"#[0-9a-fA-F;:()]{3,8}"))
def test_only_hex_colours_pass(text: str) -> None:
    assert DECLARATION.fullmatch(f"color: {style_values.hex_colour(text)}")


@given(st.lists(st.text()))
def test_no_font_name_leaves_its_quotes(names: list[str]) -> None:
    assert DECLARATION.fullmatch(f"font-family: {style_values.font_stack(names)}")


@given(st.floats(), st.sampled_from(["px", "rem"]) | st.text())
def test_a_length_is_plain_and_fits_the_page(value: float, unit: str) -> None:
    found = style_values.length(value, unit)
    assert DECLARATION.fullmatch(f"width: {found}")
    assert float(found.removesuffix("rem").removesuffix("px")) <= 2_000


@given(st.floats())
def test_a_number_stays_between_its_bounds(value: float) -> None:
    assert 0 <= float(style_values.number(value, low=0, high=100)) <= 100


def test_font_names_keep_their_words() -> None:
    assert style_values.font_stack(("Work Sans", "sans-serif")) == "'Work Sans', sans-serif"
    assert style_values.font_stack(("a'; x: url(", "serif")) == "'a x url', serif"
    assert style_values.hex_colour("#fbf8f1") == "#fbf8f1"
    assert style_values.length(1.125, "rem") == "1.125rem"
    assert style_values.length(math.inf, "px") == "0"


@given(st.lists(st.integers(-10_000, 10_000)))
def test_every_day_lies_on_its_axis_and_few_are_marked(days: list[int]) -> None:
    scale = axis(days)
    places = [float(scale.percent(day).removesuffix("%")) for day in sorted(days)]
    assert places == sorted(places)
    assert all(0 <= place <= 100 for place in places)
    assert scale.first < scale.last
    assert len(scale.ticks) <= 30
    assert all(scale.first <= tick <= scale.last for tick in scale.ticks)


def test_an_axis_marks_even_days_with_zero_among_them() -> None:
    assert axis([-10, 0, 30]).ticks == (-10, -5, 0, 5, 10, 15, 20, 25, 30)
    assert axis([-3, 5]).ticks == (-3, -2, -1, 0, 1, 2, 3, 4, 5)
    assert axis([-5, 90]).ticks == (0, 14, 28, 42, 56, 70, 84)
    assert axis([]).ticks == (0, 1)
    assert axis([0]).percent(0) == "0.00%"
    assert axis([-4, 4]).width(2) == "25.00%"


@pytest.mark.parametrize(
    ("offset", "words"),
    [
        (0, "publication day"),
        (1, "1 day after"),
        (-1, "1 day before"),
        (30, "30 days after"),
    ],
)
def test_days_are_told_by_their_distance(offset: int, words: str) -> None:
    assert wording.day(offset) == words


def test_figures_are_told_in_words() -> None:
    assert wording.clock(102.4) == "1:42"
    assert wording.clock(0) == "0:00"
    assert wording.cost(None) == "no price"
    assert wording.cost(0.0) == "$0.0000"
    assert wording.file_size(999) == "999 bytes"
    assert wording.file_size(12_973) == "13.0 kB"
    assert wording.wording("$description") == "description"
    assert wording.wording("fact_checker") == "fact checker"
