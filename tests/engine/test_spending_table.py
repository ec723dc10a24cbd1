"""The table of a step's spending is read as it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.core.spending import Spending, Spent
from orch_dagster.spending_table import read_spending, spending_table
from tests.core.spendings import SPENDINGS


@given(SPENDINGS)
def test_a_table_comes_back_as_what_it_was_made_of(found: Spending):
    assert read_spending(spending_table(found)) == found


@given(st.floats(0, 1e9))
def test_no_digit_of_a_cost_is_lost(cost: float):
    found = Spending(in_vain=Spent(cost_usd=cost, tries=1))
    assert read_spending(spending_table(found)) == found


def test_unknown_is_no_zero():
    told = spending_table(Spending(prompts={"lede": Spent(cost_usd=None, calls=1, tries=2)}))
    assert told.split("\n")[2] == "| lede | 1 | 2 | ? | ? | ? | ? | ? | 0 | 0 |"


def test_another_text_is_refused():
    with pytest.raises(ValueError, match="no table of spending"):
        read_spending("| prompt |\n|---|\n| lede |")
