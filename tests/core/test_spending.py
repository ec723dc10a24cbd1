"""Spending adds up in any order, and what is unknown stays so."""

from hypothesis import given

from orch_dagster.core.spending import NOTHING, Spending, Spent, Usage
from tests.core.spendings import SPENDINGS, SPENT


@given(SPENT, SPENT, SPENT)
def test_spending_adds_up_in_any_order(a: Spent, b: Spent, c: Spent):
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


@given(SPENT)
def test_nothing_spent_changes_nothing(found: Spent):
    assert Spent() + found == found


@given(SPENT)
def test_one_unknown_price_makes_the_sum_unknown(found: Spent):
    assert (found + Spent(cost_usd=None)).cost_usd is None


def test_unknown_tokens_stay_unknown_only_when_no_call_told_them():
    assert (Usage() + Usage()).prompt_tokens is None
    assert (Usage() + Usage(prompt_tokens=4)).prompt_tokens == 4
    assert (Usage() + NOTHING).cached_tokens == 0


@given(SPENDINGS, SPENDINGS)
def test_prompts_and_what_was_in_vain_are_all_that_was_spent(a: Spending, b: Spending):
    total = (a + b).total
    assert total == a.total + b.total
    assert total == sum((*(a + b).prompts.values(), (a + b).in_vain), (a + b).earlier)
