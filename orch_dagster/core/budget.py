"""Budgets: what may be spent, and whether a call still goes into it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from orch_dagster.core.spending import Spent


class Budget(BaseModel):
    """The most that may be spent; None is no limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    usd: Annotated[float, Field(ge=0)] | None = None
    tokens: Annotated[int, Field(ge=0)] | None = None

    @property
    def is_set(self) -> bool:
        """Whether there is any limit."""
        return self.usd is not None or self.tokens is not None

    def describe(self) -> str:
        """The limits, for people."""
        limits = (
            None if self.usd is None else f"${self.usd:g}",
            None if self.tokens is None else f"{self.tokens:,} tokens",
        )
        return " and ".join(filter(None, limits)) or "no limit"

    def passed_by(self, spent: Spent) -> str | None:
        """Which limit this spending passes, in words, or None.

        Money is compared as far as prices are known: a limit in dollars cannot hold for a model
        without a price, so callers see to it that there is one in tokens then.
        """
        if self.usd is not None and spent.cost_usd is not None and spent.cost_usd > self.usd:
            return f"${spent.cost_usd:.4f} of ${self.usd:g}"
        if self.tokens is not None and spent.usage.total > self.tokens:
            return f"{spent.usage.total:,} of {self.tokens:,} tokens"
        return None

    def is_wider_than(self, other: "Budget") -> bool:
        """Whether some limit was raised or lifted: then what one stopped may go on."""
        return _raised(self.usd, other.usd) or _raised(self.tokens, other.tokens)


NO_LIMIT = Budget()


class Cause(StrEnum):
    """What stopped a step: the budget of its article, that of the run, or a wrong setting."""

    BUDGET = "budget"
    RUN_BUDGET = "run_budget"
    SETTING = "setting"


class Stop(BaseModel):
    """Why a step that failed is not tried again by itself: nothing about the article would help.

    `budget` is the one that a call would have passed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    cause: Cause
    budget: Budget = NO_LIMIT


@dataclass(frozen=True, slots=True)
class Allowance:
    """A budget that several calls share, known by its name; `cause` is what it stops a step by.

    `paid` is what was spent on it before, by its parts; a part that is told twice counts once, as
    it was told first: from then on whoever keeps the allowance counts by itself.
    """

    name: str
    budget: Budget
    paid: Mapping[str, Spent]
    cause: Cause


def _raised(mine: float | None, theirs: float | None) -> bool:
    return theirs is not None and (mine is None or mine > theirs)
