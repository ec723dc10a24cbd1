"""The transcript: a library's answers so far on one article, kept so that none is paid twice."""

from collections.abc import Mapping
from hashlib import sha256
from json import dumps
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

from orch_dagster.core.episode import Status
from orch_dagster.core.spending import Spending, Spent


class Answer(BaseModel):
    """One answered prompt: what it was made from, the answer, and what it cost.

    `fault` says why the answer cannot be used; `repaired` that a repair was already asked for.
    `part_of` is the prompt's name where the answer is to a part of the article. `spent` is what
    this scoring of this input paid for it: nothing for an answer that was there before.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: str
    fingerprint: str
    text: str
    fault: str | None
    repaired: bool
    model: str
    spent: Spent
    part_of: str | None = None


class Transcript(BaseModel):
    """The answers of one op on one article. It is written anew after each answer.

    `status` is None until the op has ended; then `failure` says in words what went wrong, if
    anything did. `asked` counts the requests made so far by prompt. `scoring` is the number of
    the quality pass, 0 in a chain; `base` is the text that this pass works from, and `scores`
    are the last ones given to it. `settled` is what was spent beside what stands at the answers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    article: str
    library: str
    made_from: Mapping[str, str]
    status: Status | None = None
    failure: str | None = None
    answers: tuple[Answer, ...] = ()
    asked: Mapping[str, int] = {}
    settled: Spending = Spending()
    scoring: Annotated[int, Field(ge=0)] = 0
    base: str | None = None
    scores: Mapping[str, float] | None = None

    @property
    def spending(self) -> Spending:
        """Where the money went; each part of it stands in one place only."""
        return sum(map(_spending, self.answers), self.settled)

    @property
    def spent(self) -> Spent:
        """What went into the input as it stands."""
        return self.spending.current

    def answer(self, prompt: str) -> Answer | None:
        """The newest answer to a prompt."""
        return next((a for a in self.answers if a.prompt == prompt), None)

    def attempt(self, prompt: str) -> int:
        """The number that the next request of this prompt carries, from 1."""
        return self.asked.get(prompt, 0) + 1

    def with_answer(self, answer: Answer) -> Self:
        """The transcript with one more request answered, in place of an earlier answer.

        A repair holds what the answer before it cost; any other answer in its place was in vain.
        """
        before = self.answer(answer.prompt)
        lost = Spent() if before is None or answer.repaired else before.spent
        others = tuple(a for a in self.answers if a.prompt != answer.prompt)
        return self.with_loss(lost).model_copy(
            update={
                "answers": (*others, answer),
                "asked": {**self.asked, answer.prompt: self.attempt(answer.prompt)},
            }
        )

    def with_loss(self, spent: Spent) -> Self:
        """The transcript with a request that was paid in vain."""
        return self.model_copy(update={"settled": self.settled + Spending(in_vain=spent)})

    def for_next_scoring(self) -> Self:
        """The transcript to go on with: its answers stand, and are paid."""
        return self._paid(self.spending)

    def for_other_input(self) -> Self:
        """The transcript to go on with: its answers stand, and cost this input nothing."""
        return self._paid(Spending(earlier=self.spending.total))

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

    def _paid(self, settled: Spending) -> Self:
        answers = tuple(answer.model_copy(update={"spent": Spent()}) for answer in self.answers)
        return self.model_copy(update={"answers": answers, "settled": settled})


def _spending(answer: Answer) -> Spending:
    """An answer's cost; it was in vain if the answer cannot be used."""
    if answer.spent == Spent():
        return Spending()
    if answer.fault is not None:
        return Spending(in_vain=answer.spent)
    return Spending(prompts={answer.part_of or answer.prompt: answer.spent})
