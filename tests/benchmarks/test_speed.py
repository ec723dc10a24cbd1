"""What the benchmark of speed says of figures: medians, bars, and the chains of a log."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.speed.bodies import chains_in
from tests.benchmarks.speed.result import Bar, Part, at_least, at_most, load, save
from tests.benchmarks.speed.table import line

FIGURES = st.floats(min_value=0.001, max_value=1e6)


@given(FIGURES, FIGURES)
def test_a_figure_is_on_one_side_of_a_bar_or_on_it(value: float, figure: float) -> None:
    assert at_most(value).is_met(figure) == (figure <= value)
    assert at_least(value).is_met(figure) == (figure >= value)
    assert at_most(value).is_met(value)
    assert at_least(value).is_met(value)


def test_the_median_decides_and_a_missed_bar_is_told_in_the_line() -> None:
    missed = Part("b").result("30 articles", "x limit", [1.1, 1.4, 1.3], at_most(1.25))
    assert missed.verdict == "MISSED"
    assert " 1.30 x limit" in line(missed)
    assert "1.10 1.40" in line(missed)
    assert " MISSED" in line(missed)
    assert Part("b").result("30 articles", "x limit", [1.1, 1.4, 1.2], at_most(1.25)).verdict == (
        "met"
    )


@pytest.mark.parametrize("bar", [None, at_most(1.25), at_least(10.0)])
def test_results_come_back_as_they_were_saved(bar: Bar | None, tmp_path: Path) -> None:
    results = [Part("d").result("CPU", "s", [0.1, 1 / 3], bar), Part("e").result("x", "", [2])]
    save(results, tmp_path / "speed.json")
    assert load(tmp_path / "speed.json") == results
    assert load(tmp_path / "none.json") == []


def test_a_chain_is_a_library_on_an_article_in_the_order_of_asking() -> None:
    traces = ("c/a/seo/x#1", "c/b/seo/x#1", "c/a/seo/y#1", "c/a/task/x#1", "c/a/seo/y#2")
    chains = chains_in({"trace": trace, "body": {"n": n}} for n, trace in enumerate(traces))
    assert [[one.trace for one in chain] for chain in chains] == [
        ["c/a/seo/x#1", "c/a/seo/y#1", "c/a/seo/y#2"],
        ["c/b/seo/x#1"],
        ["c/a/task/x#1"],
    ]
    assert [one.body["n"] for one in chains[0]] == [0, 2, 4]
