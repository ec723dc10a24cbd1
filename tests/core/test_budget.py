"""Budgets: what passes them, and what raises them; an article that one stopped."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.core.budget import NO_LIMIT, Budget, Cause, Stop
from orch_dagster.core.decision import Retry, State, decide
from orch_dagster.core.episode import Status
from orch_dagster.core.ledger import Ledger
from orch_dagster.core.pipeline import RETRIES
from orch_dagster.core.spending import Spent, Usage
from tests.fakes.episodes import ended_badly
from tests.fakes.ledgers import done
from tests.fakes.pipelines import content

WRONG = Stop(cause=Cause.SETTING)
CONTENT = content("article", "seo")

dollars = st.floats(0, 1e6)
tokens = st.integers(0, 10**9)
budgets = st.builds(Budget, usd=st.none() | dollars, tokens=st.none() | tokens)


def spent(cost: float | None, used: int) -> Spent:
    return Spent(usage=Usage(prompt_tokens=used, completion_tokens=0), cost_usd=cost)


spendings = st.builds(spent, st.none() | dollars, tokens)


def stopped(stop: Stop, *, budget: Budget = NO_LIMIT, failures: int = 0) -> Ledger:
    """An article whose chain was stopped."""
    record: dict[str, Any] = {
        "status": Status.FAILED,
        "episode": ended_badly("article", Status.FAILED),
        "stop": stop,
        "failures": failures,
    }
    return replace(done(CONTENT, article=record), budget=budget)


@given(spendings)
def test_without_a_limit_nothing_passes(paid: Spent) -> None:
    assert NO_LIMIT.passed_by(paid) is None


@given(budgets, spendings, spendings)
def test_what_passes_a_budget_passes_it_with_more_too(
    budget: Budget, paid: Spent, more: Spent
) -> None:
    both = paid + more
    if budget.passed_by(paid) and both.cost_usd is not None:
        assert budget.passed_by(both)


@given(dollars, tokens)
def test_a_budget_is_passed_by_more_than_it_is_and_not_by_what_it_is(usd: float, most: int) -> None:
    assert Budget(usd=usd).passed_by(spent(usd, 0)) is None
    assert Budget(tokens=most).passed_by(spent(None, most)) is None
    assert Budget(tokens=most).passed_by(spent(None, most + 1))
    assert Budget(usd=usd).passed_by(spent(usd * 1.001 + 0.001, 0))


@given(budgets, budgets)
def test_a_budget_is_not_wider_than_one_that_it_lies_within(one: Budget, other: Budget) -> None:
    assert not one.is_wider_than(one)
    assert not one.is_wider_than(NO_LIMIT)
    both = Budget(usd=_least(one.usd, other.usd), tokens=_least(one.tokens, other.tokens))
    assert not both.is_wider_than(one)
    assert NO_LIMIT.is_wider_than(one) is one.is_set


def _least(one: Any, other: Any) -> Any:
    return min((limit for limit in (one, other) if limit is not None), default=None)


@given(budgets.filter(lambda budget: budget.is_set))
def test_an_article_over_its_budget_waits_until_it_is_raised(budget: Budget) -> None:
    stop = Stop(cause=Cause.BUDGET, budget=budget)
    waits = decide(CONTENT, stopped(stop, budget=budget))
    assert (waits.state, waits.actions) == (State.BUDGET, ())
    assert waits.reasons == (f"article: over its budget ({budget.describe()})",)
    raised = decide(CONTENT, stopped(stop, budget=NO_LIMIT))
    assert [type(action) for action in raised.actions] == [Retry]
    again = decide(CONTENT, stopped(stop, budget=budget).forgiven())
    assert [type(action) for action in again.actions] == [Retry]


@given(budgets, budgets)
def test_an_article_that_a_run_s_budget_stopped_waits_for_a_person(
    one: Budget, other: Budget
) -> None:
    ledger = stopped(Stop(cause=Cause.RUN_BUDGET, budget=one), budget=other)
    decision = decide(CONTENT, ledger)
    assert (decision.state, decision.actions) == (State.BUDGET, ())
    assert decide(CONTENT, ledger.forgiven()).actions


def test_a_wrong_setting_is_not_tried_again_by_itself() -> None:
    decision = decide(CONTENT, stopped(WRONG))
    assert (decision.state, decision.actions) == (State.STUCK, ())
    assert decision.reasons == ("article: a setting is wrong (see its failure)",)
    assert decide(CONTENT, stopped(WRONG).forgiven()).actions


def test_earlier_failures_do_not_hold_back_an_article_whose_budget_was_raised() -> None:
    ledger = stopped(
        Stop(cause=Cause.BUDGET, budget=Budget(tokens=5)),
        budget=Budget(tokens=6),
        failures=RETRIES + 1,
    )
    assert decide(CONTENT, ledger).actions
