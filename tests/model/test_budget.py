"""Budgets at the wire: no call that could pass one is made."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orch_dagster.core.budget import Allowance, Budget, Cause
from orch_dagster.core.spending import Spent, Usage
from orch_dagster.model import Ask, BudgetError, ConfigurationError, Reply
from tests.model.asks import answer, answers, ask
from tests.model.conftest import Raw
from tests.model.raw_server import Answer, completion, reply

PROMPT, CAP = "Write the lede." * 20, 100
ROUGHLY = (len(PROMPT) + len("You are an editor.")) // 3
"""What the client takes the prompt for, in tokens."""


def used(tokens: int) -> Spent:
    return Spent(usage=Usage(prompt_tokens=tokens, completion_tokens=0), cost_usd=None)


def asks(count: int, *allowances: Allowance) -> list[Ask]:
    made = [ask(f"{number} {PROMPT}", max_tokens=CAP) for number in range(count)]
    return [replace(one, allowances=allowances) for one in made]


def article(tokens: int, paid: Spent | None = None) -> Allowance:
    return Allowance(
        "content/snow", Budget(tokens=tokens), {"article": paid} if paid else {}, Cause.BUDGET
    )


def taking(prompt: int | None, written: int | None) -> Answer:
    """A server whose every answer takes so many tokens."""
    usage = {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": 0}
    return lambda heard: reply(completion(usage=usage))


def told(outcomes: Sequence[Reply | BaseException]) -> tuple[int, int]:
    """How many were answered, and how many were not asked."""
    over = [one for one in outcomes if isinstance(one, BudgetError)]
    assert len(over) + sum(isinstance(one, Reply) for one in outcomes) == len(outcomes), outcomes
    return len(outcomes) - len(over), len(over)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    limit=st.integers(1, 3_000),
    paid=st.integers(0, 500),
    prompt=st.integers(0, ROUGHLY),
    written=st.integers(0, CAP),
)
def test_no_budget_is_ever_passed_and_none_is_left_unused(
    raw: Raw, limit: int, paid: int, prompt: int, written: int
) -> None:
    client, server = raw(taking(prompt, written))
    answered, refused = told(answers(client, asks(8, article(limit, used(paid)))))
    spent = paid + answered * (prompt + written)
    assert len(server.heard) == answered
    assert spent <= limit or answered == 0
    if refused:
        assert spent + ROUGHLY + 2 + CAP > limit


def test_a_call_waits_for_those_that_may_take_more_than_they_do(raw: Raw) -> None:
    """Two at once could pass it; one after the other do not."""
    client, server = raw(taking(20, 10))
    assert told(answers(client, asks(4, article(ROUGHLY + CAP + 100)))) == (4, 0)
    assert len(server.heard) == 4


def test_the_sentence_names_the_article_the_limit_and_the_setting(raw: Raw) -> None:
    client, server = raw(taking(20, 10))
    [error] = answers(client, asks(1, article(50, used(40))))
    assert isinstance(error, BudgetError)
    assert error.stop.budget == Budget(tokens=50)
    assert f"{40 + ROUGHLY + CAP:,} of 50 tokens would be used by content/snow" in str(error)
    assert "raise ORCH_BUDGET_USD or ORCH_BUDGET_TOKENS" in str(error)
    assert str(error).startswith("content/snow/article/lede#1: ")
    assert not server.heard


def test_what_was_paid_before_counts_once_however_often_it_is_told(raw: Raw) -> None:
    client, _ = raw(taking(10, 10))
    allowance = article(ROUGHLY + CAP + 60, used(40))
    for number in range(2):
        assert told(answers(client, asks(1, allowance)[0:1])) == (1, 0), number
    assert told(answers(client, asks(1, allowance))) == (0, 1)


def test_every_budget_that_a_call_comes_out_of_holds(raw: Raw) -> None:
    client, server = raw(taking(ROUGHLY, CAP))
    command = Allowance("command 7", Budget(tokens=2 * (ROUGHLY + CAP) + 5), {}, Cause.RUN_BUDGET)
    one, other = article(100_000), replace(article(100_000), name="content/rain")
    made = [*asks(2, one, command), *asks(2, other, command)]
    made = [replace(a, messages=(*a.messages, *a.messages[:n])) for n, a in enumerate(made)]
    answered, refused = told(answers(client, made))
    assert (answered + refused, len(server.heard)) == (4, answered)
    assert answered <= 2


def test_an_answer_without_usage_is_taken_for_the_most_that_it_can_be(raw: Raw) -> None:
    client, _ = raw(taking(None, None))
    answered, refused = told(answers(client, asks(5, article(2 * (ROUGHLY + CAP) + 50))))
    assert (answered, refused) == (2, 3)


def test_a_cut_answer_is_not_asked_again_where_twice_the_cap_is_too_much(raw: Raw) -> None:
    cut = reply(completion("Wor", finish_reason="length"))
    client, server = raw(lambda heard: cut)
    [error] = answers(client, asks(1, article(ROUGHLY + CAP + 30)))
    assert isinstance(error, BudgetError)
    assert len(server.heard) == 1
    assert error.usage.total > 0


def test_dollars_need_a_price_or_a_limit_in_tokens_beside_them(raw: Raw) -> None:
    client, server = raw(taking(10, 10))
    dollars = Allowance("content/snow", Budget(usd=1), {}, Cause.BUDGET)
    [error] = answers(client, asks(1, dollars))
    assert isinstance(error, ConfigurationError)
    assert str(error).startswith("ORCH_BUDGET_USD: the price of 'a-model' at ")
    assert not server.heard
    both = replace(dollars, budget=Budget(usd=1, tokens=1_000))
    assert told(answers(client, asks(1, both))) == (1, 0)


def test_two_articles_do_not_share_an_answer_that_only_one_may_pay_for(raw: Raw) -> None:
    client, server = raw(taking(10, 10))
    rich, poor = article(10_000), replace(article(1), name="content/rain")
    same = ask(PROMPT, max_tokens=CAP)
    made = [replace(same, allowances=(one,)) for one in (poor, rich)]
    first, second = answers(client, made)
    assert isinstance(first, BudgetError)
    assert isinstance(second, Reply)
    assert len(server.heard) == 1


def test_without_a_budget_nothing_is_counted(raw: Raw) -> None:
    client, _ = raw(taking(None, None))
    assert answer(client).usage == Usage()
