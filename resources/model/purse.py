"""The purse: what calls have taken out of budgets, and whether one more goes in."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from orch_dagster.core.budget import Allowance, Stop
from orch_dagster.core.spending import Spent


class OverBudgetError(Exception):
    """The call could pass a budget; `why` says which, in words."""

    def __init__(self, allowance: Allowance, why: str) -> None:
        super().__init__(why)
        self.stop = Stop(cause=allowance.cause, budget=allowance.budget)
        self.why = why


@dataclass(slots=True)
class _Tally:
    """One budget's state: `settled` is spent, `held` is the most that calls on their way may take."""

    parts: dict[str, Spent] = field(default_factory=dict)
    settled: Spent = field(default_factory=Spent)
    held: list[Spent] = field(default_factory=list)

    @property
    def so_far(self) -> Spent:
        return sum((*self.parts.values(), *self.held), self.settled)


@dataclass(slots=True)
class Bill:
    """What a call turned out to have taken; nothing, unless it is said."""

    spent: Spent = field(default_factory=Spent)


class Purse:
    """Budgets by name, on one event loop."""

    def __init__(self) -> None:
        self._tallies: dict[str, _Tally] = {}
        self._freed = asyncio.Condition()

    @asynccontextmanager
    async def hold(self, allowances: Sequence[Allowance], most: Spent) -> AsyncIterator[Bill]:
        """Hold the most that a call may take while the block lasts, then take what it took.

        Where that would pass a budget only because of calls on their way, it waits for them: they
        take less than they may.

        Raises:
            OverBudgetError: it would pass a budget, and nothing that is on its way can change that.
        """
        tallies = [self._tally(allowance) for allowance in allowances]
        async with self._freed:
            while passed := self._passed(allowances, tallies, most):
                if not any(tally.held for tally in tallies):
                    raise OverBudgetError(*passed)
                await self._freed.wait()
        for tally in tallies:
            tally.held.append(most)
        bill = Bill()
        try:
            yield bill
        finally:
            for tally in tallies:
                tally.held.remove(most)
                tally.settled += bill.spent
            if tallies:
                async with self._freed:
                    self._freed.notify_all()

    def _tally(self, allowance: Allowance) -> _Tally:
        tally = self._tallies.setdefault(allowance.name, _Tally())
        for part, spent in allowance.paid.items():
            tally.parts.setdefault(part, spent)
        return tally

    @staticmethod
    def _passed(
        allowances: Sequence[Allowance], tallies: Sequence[_Tally], most: Spent
    ) -> tuple[Allowance, str] | None:
        for allowance, tally in zip(allowances, tallies, strict=True):
            if why := allowance.budget.passed_by(tally.so_far + most):
                return allowance, f"{why} would be used by {allowance.name}"
        return None
