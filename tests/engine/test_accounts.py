"""Accounts: prompts and what was in vain are the library, libraries the article, articles the whole."""

from io import StringIO
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from orch_dagster.accounts import Account, Accounts, article_cost, library_accounts, whole
from orch_dagster.cli.cost_table import cost_headline, cost_table
from orch_dagster.core.ledger import Ledger
from orch_dagster.core.spending import Spending, Spent, Usage
from tests.core.spendings import SPENDINGS, SPENT
from tests.fakes.ledgers import ledger, record

STEPS = ("notes/draft", "notes", "card/draft", "card")
LEDGERS = st.dictionaries(st.sampled_from(STEPS), SPENDINGS).map(
    lambda steps: ledger(records={name: record(spending=one) for name, one in steps.items()})
)
COUNTED = (
    "calls", "tries", "prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens",
    "priced_usd", "waited_ms",
)  # fmt: skip

PLAN = Spent(
    usage=Usage(prompt_tokens=4_000, cached_tokens=1_000, completion_tokens=50),
    cost_usd=0.5,
    calls=1,
    tries=2,
    waited_ms=1_500,
)
UNPRICED = PLAN.model_copy(update={"cost_usd": None, "usage": Usage(prompt_tokens=9_000)})


def added(accounts: list[dict[str, Any]], name: str) -> Any:
    return sum(account[name] or 0 for account in accounts)


@given(st.lists(LEDGERS, max_size=3))
def test_the_parts_of_every_sum_are_the_sum(ledgers: list[Ledger]):
    costs = [article_cost(one) for one in ledgers]
    for article in costs:
        for library in article["libraries"].values():
            parts = [*library["prompts"].values(), library["in_vain"], library["earlier"]]
            _check(library["total"], parts)
        _check(article["total"], [one["total"] for one in article["libraries"].values()])
    _check(whole(library_accounts(ledgers)).json(), [article["total"] for article in costs])


def _check(total: dict[str, Any], parts: list[dict[str, Any]]) -> None:
    assert {name: total[name] or 0 for name in COUNTED} == {n: added(parts, n) for n in COUNTED}
    unknown = any(part["cost_usd"] is None for part in parts)
    assert total["cost_usd"] == (None if unknown else total["priced_usd"])


@given(st.lists(SPENDINGS))
def test_a_library_of_many_articles_is_what_they_spent(spendings: list[Spending]):
    accounts = Accounts.of(spendings)
    assert accounts.total.spent == sum((one.total for one in spendings), Spent())


@given(SPENT)
def test_unknown_is_null_and_no_zero(spent: Spent):
    told = Account.of(spent).json()
    assert (told["cost_usd"] is None) == (spent.cost_usd is None)
    if spent.calls:
        assert {name: told[name] for name in spent.usage.model_dump()} == spent.usage.model_dump()


def test_where_nothing_was_billed_there_were_no_tokens():
    refused = Account.of(Spent(tries=6, waited_ms=900))
    assert refused.json()["prompt_tokens"] == 0
    unsaid = Account.of(Spent(cost_usd=None, tries=1))
    assert unsaid.json()["prompt_tokens"] is None


def shown(*spendings: Spending) -> list[str]:
    """The lines of the table for as many articles, words apart by one space."""
    ledgers = [ledger(records={"notes": record(spending=one)}) for one in spendings]
    said = StringIO()
    console = Console(width=200, file=said)
    console.print(cost_headline("content", len(ledgers), library_accounts(ledgers)))
    console.print(cost_table(library_accounts(ledgers)))
    return [" ".join(line.split()) for line in said.getvalue().splitlines()]


def test_the_dearest_prompt_comes_first_and_what_was_in_vain_last():
    dear = PLAN + PLAN
    lines = shown(Spending(prompts={"plan": PLAN, "lede": dear}, in_vain=PLAN))
    assert lines[0] == "content: 1 article, $2.0000, of it in vain $0.5000"
    assert lines[2:] == [
        "notes 4 8 16,000 4,000 200 ? $2.0000 100.0% 6.0 s",
        "lede 2 4 8,000 2,000 100 ? $1.0000 50.0% 3.0 s",
        "plan 1 2 4,000 1,000 50 ? $0.5000 25.0% 1.5 s",
        "in vain 1 2 4,000 1,000 50 ? $0.5000 25.0% 1.5 s",
        "all 4 8 16,000 4,000 200 ? $2.0000 100.0% 6.0 s",
    ]
    assert lines[1].endswith("cost share of cost waited")


def test_where_no_price_is_known_tokens_give_order_and_shares():
    lines = shown(Spending(prompts={"plan": UNPRICED, "lede": UNPRICED + UNPRICED}))
    assert lines[0] == "content: 1 article, no price"
    assert lines[3:5] == [
        "lede 2 4 18,000 ? ? ? no price 66.7% 3.0 s",
        "plan 1 2 9,000 ? ? ? no price 33.3% 1.5 s",
    ]
    assert lines[1].endswith("cost share of tokens waited")


def test_where_some_prices_are_known_they_are_shown_with_what_is_missing():
    lines = shown(Spending(prompts={"plan": PLAN}), Spending(prompts={"plan": UNPRICED}))
    assert lines[0] == "content: 2 articles, $0.5000 + no price"
