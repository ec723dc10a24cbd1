"""The transcript: a library's answers so far on one article, kept so that none is paid twice."""

from collections.abc import Mapping
from hashlib import sha256
from json import dumps
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

from orch_dagster.core.episode import Status
from orch_dagster.model import Usage


class Spent(BaseModel):
    """What calls cost, added up. `cost_usd` is None as soon as one price is unknown."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    usage: Usage = Usage(prompt_tokens=0, cached_tokens=0, completion_tokens=0, reasoning_tokens=0)
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


class Answer(BaseModel):
    """One answered prompt: what it was made from, the answer, and what it cost.

    `fault` says why the answer cannot be used; `repaired` that a repair was already asked for.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: str
    fingerprint: str
    text: str
    fault: str | None
    repaired: bool
    model: str
    spent: Spent


class Transcript(BaseModel):
    """The answers of one op on one article. It is written anew after each answer.

    `status` is None until the op has ended; then `failure` says in words what went wrong, if
    anything did. `asked` counts the requests made so far by prompt. `scoring` is the number of
    the quality pass, 0 in a chain; `base` is the text that this pass works from, and `scores`
    are the last ones given to it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    article: str
    library: str
    made_from: Mapping[str, str]
    status: Status | None = None
    failure: str | None = None
    answers: tuple[Answer, ...] = ()
    asked: Mapping[str, int] = {}
    spent: Spent = Spent()
    scoring: Annotated[int, Field(ge=0)] = 0
    base: str | None = None
    scores: Mapping[str, float] | None = None

    def answer(self, prompt: str) -> Answer | None:
        """The newest answer to a prompt."""
        return next((a for a in self.answers if a.prompt == prompt), None)

    def attempt(self, prompt: str) -> int:
        """The number that the next request of this prompt carries, from 1."""
        return self.asked.get(prompt, 0) + 1

    def with_answer(self, answer: Answer, *, spent: Spent) -> Self:
        """The transcript with one more request answered, in place of an earlier answer."""
        others = tuple(a for a in self.answers if a.prompt != answer.prompt)
        return self.model_copy(
            update={
                "answers": (*others, answer),
                "asked": {**self.asked, answer.prompt: self.attempt(answer.prompt)},
                "spent": self.spent + spent,
            }
        )

    def ended(self, status: Status, failure: str | None) -> Self:
        """The transcript with its outcome."""
        return self.model_copy(update={"status": status, "failure": failure})

    def fingerprint(self) -> str:
        """The hash of what was made and of what it was made from, 16 hex digits."""
        parts = {
            "made_from": dict(self.made_from),
            "status": self.status,
            "answers": {answer.prompt: answer.text for answer in self.answers},
        }
        return sha256(dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
