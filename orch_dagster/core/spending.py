"""Spending: what calls to a model cost, added up; by prompt, in vain, and on an earlier input."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict


class Usage(BaseModel):
    """Tokens of one or more calls; None is unknown, because no server said."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None

    @property
    def total(self) -> int:
        """Prompt and completion tokens, as far as they are known."""
        return (self.prompt_tokens or 0) + (self.completion_tokens or 0)

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            prompt_tokens=_told(self.prompt_tokens, other.prompt_tokens),
            cached_tokens=_told(self.cached_tokens, other.cached_tokens),
            completion_tokens=_told(self.completion_tokens, other.completion_tokens),
            reasoning_tokens=_told(self.reasoning_tokens, other.reasoning_tokens),
        )


NOTHING = Usage(prompt_tokens=0, cached_tokens=0, completion_tokens=0, reasoning_tokens=0)
"""The usage of no call."""


class Spent(BaseModel):
    """What calls cost, added up.

    `cost_usd` is None as soon as one price is unknown; a count of tokens only where no call told
    it. `calls` were answered; `tries` are the requests that it took, `waited_ms` the pauses.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    usage: Usage = Usage()
    cost_usd: float | None = 0.0
    latency_ms: int = 0
    calls: int = 0
    tries: int = 0
    waited_ms: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        known = self.cost_usd is not None and other.cost_usd is not None
        return Spent(
            usage=self.usage + other.usage,
            cost_usd=(self.cost_usd or 0) + (other.cost_usd or 0) if known else None,
            latency_ms=self.latency_ms + other.latency_ms,
            calls=self.calls + other.calls,
            tries=self.tries + other.tries,
            waited_ms=self.waited_ms + other.waited_ms,
        )


class Spending(BaseModel):
    """Where a step's money on one article went; the three parts are all of it.

    `prompts` is what answers cost that were used, repairs and earlier scorings included. `in_vain`
    was spent on what gave no such answer: refusals, cut answers, answers that could not be used,
    and those that an edited prompt replaced. `earlier` is all that went into an earlier input.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompts: Mapping[str, Spent] = {}
    in_vain: Spent = Spent()
    earlier: Spent = Spent()

    @property
    def current(self) -> Spent:
        """All that went into the input as it stands."""
        return sum(self.prompts.values(), self.in_vain)

    @property
    def total(self) -> Spent:
        """All that was ever spent."""
        return self.current + self.earlier

    def __add__(self, other: "Spending") -> "Spending":
        prompts = dict(self.prompts)
        for name, spent in other.prompts.items():
            prompts[name] = prompts.get(name, Spent()) + spent
        return Spending(
            prompts=prompts,
            in_vain=self.in_vain + other.in_vain,
            earlier=self.earlier + other.earlier,
        )


def _told(mine: int | None, theirs: int | None) -> int | None:
    return theirs if mine is None else mine if theirs is None else mine + theirs
