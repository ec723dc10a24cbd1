"""What a run may spend: on each article, and in all that was asked for with it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from orch_dagster.core.budget import Allowance, Budget, Cause
from orch_dagster.core.ledger import Ledger
from orch_dagster.core.spending import Spent

BUDGET_TAG = "orch/budget"
"""On runs: a budget that they share with others of the same process, as JSON; its name is that of
the command or the night that it was set for."""


@dataclass(frozen=True, slots=True)
class Means:
    """The budget of each article, and that of the run; None where it has none."""

    article: Budget
    run: Allowance | None

    @classmethod
    def of(cls, article: Budget, tags: Mapping[str, str]) -> "Means":
        """The means of a run with these tags."""
        text = tags.get(BUDGET_TAG)
        return cls(article, None if text is None else _read(text))

    def allowances(
        self, pipeline: str, ledger: Ledger, *, step: str, spent: Spent
    ) -> tuple[Allowance, ...]:
        """What calls of a step on one article come out of; the step has spent so much already."""
        run = () if self.run is None else (self.run,)
        if not self.article.is_set:
            return run
        recorded = {name: record.spending.current for name, record in ledger.records.items()}
        name = f"{pipeline}/{ledger.article}"
        return (Allowance(name, self.article, {**recorded, step: spent}, Cause.BUDGET), *run)


def budget_tag(name: str, budget: Budget) -> dict[str, str]:
    """The tag of runs that share a budget; none where there is no limit."""
    return {BUDGET_TAG: json.dumps({"name": name, **budget.model_dump()})} if budget.is_set else {}


def _read(text: str) -> Allowance:
    found = json.loads(text)
    return Allowance(found.pop("name"), Budget(**found), {}, Cause.RUN_BUDGET)
