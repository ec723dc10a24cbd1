"""Accounts: where the money of articles went, by library and prompt; from ledgers, nothing is opened."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from orch_dagster.core.ledger import Ledger
from orch_dagster.core.spending import NOTHING, Spending, Spent, Usage


@dataclass(frozen=True, slots=True)
class Account:
    """What some calls took. `priced_usd` is what is known of their cost, also where not all is."""

    spent: Spent
    priced_usd: float

    @classmethod
    def of(cls, spent: Spent) -> "Account":
        """The account of what was spent in one place."""
        return cls(spent, spent.cost_usd or 0.0)

    @property
    def usage(self) -> Usage:
        """Its tokens; where nothing was answered and nothing billed, there were none."""
        nothing = self.spent.calls == 0 and self.spent.cost_usd == 0
        return self.spent.usage + NOTHING if nothing else self.spent.usage

    @property
    def is_priced(self) -> bool:
        """Whether the price of every call is known."""
        return self.spent.cost_usd is not None

    def __add__(self, other: "Account") -> "Account":
        return Account(self.spent + other.spent, self.priced_usd + other.priced_usd)

    def json(self) -> dict[str, Any]:
        """The account as `orch status --cost --json` gives it; null is unknown."""
        return {
            "calls": self.spent.calls,
            "tries": self.spent.tries,
            **self.usage.model_dump(),
            "cost_usd": self.spent.cost_usd,
            "priced_usd": self.priced_usd,
            "waited_ms": self.spent.waited_ms,
        }


NO_CALL = Account.of(Spent())


@dataclass(frozen=True, slots=True)
class Accounts:
    """The accounts of a library: of its prompts, of what was in vain, of earlier inputs.

    Together they are all of it; see `Spending`.
    """

    prompts: Mapping[str, Account]
    in_vain: Account
    earlier: Account

    @classmethod
    def of(cls, spendings: Iterable[Spending]) -> "Accounts":
        """The accounts of steps of a library, on any articles."""
        prompts: dict[str, Account] = {}
        in_vain = earlier = NO_CALL
        for spending in spendings:
            in_vain += Account.of(spending.in_vain)
            earlier += Account.of(spending.earlier)
            for name, spent in spending.prompts.items():
                account = Account.of(spent)
                prompts[name] = prompts[name] + account if name in prompts else account
        return cls(prompts, in_vain, earlier)

    @property
    def total(self) -> Account:
        """All of it."""
        return sum(self.prompts.values(), self.in_vain + self.earlier)

    def json(self) -> dict[str, Any]:
        """The accounts as `orch status --cost --json` gives them."""
        return {
            "total": self.total.json(),
            "prompts": {name: account.json() for name, account in self.prompts.items()},
            "in_vain": self.in_vain.json(),
            "earlier": self.earlier.json(),
        }


def library_accounts(ledgers: Iterable[Ledger]) -> dict[str, Accounts]:
    """By library, or step of a pipeline of documents, the accounts of these articles.

    A step that asks no model has none.
    """
    found: dict[str, list[Spending]] = {}
    for ledger in ledgers:
        for step, record in ledger.records.items():
            if record.spending != Spending():
                library = step.partition("/")[0]  # a chain's step is named after its library
                found.setdefault(library, []).append(record.spending)
    return {library: Accounts.of(spendings) for library, spendings in found.items()}


def whole(libraries: Mapping[str, Accounts]) -> Account:
    """All that these libraries took."""
    return sum((accounts.total for accounts in libraries.values()), NO_CALL)


def article_cost(ledger: Ledger) -> dict[str, Any]:
    """One article's part of `orch status --cost --json`.

    `total`, then `libraries`: of each its `total`, which is the sum of its `prompts` by name, of
    `in_vain` and of `earlier`. Amounts are dollars, times milliseconds. The article's `cost_usd`
    is that of the input as it stands; what earlier inputs cost is in `total` alone.
    """
    libraries = library_accounts([ledger])
    return {
        "total": whole(libraries).json(),
        "libraries": {name: accounts.json() for name, accounts in libraries.items()},
    }
