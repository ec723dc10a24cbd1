"""What the orchestrator reads for one decision, in tokens."""

from dataclasses import dataclass

from orch_dagster.core.decision import State
from orch_dagster.core.ledger import Ledger
from tests.tokens import tokens

UNFLAGGED, FLAGGED = 48, 64
"""Tokens that the decision view of one episode may have, without flags and with any (DESIGN 4.1)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One decision on one article.

    `episodes` are the tokens of each episode's decision view, `flagged` those of the ones that
    carry flags; `ledger` is all that the decision was given: the records whole as JSON, with
    fingerprints, addresses, hashes and counts.
    """

    article: str
    state: State
    runs: bool
    episodes: tuple[int, ...]
    flagged: tuple[int, ...]
    ledger: int

    @property
    def context(self) -> int:
        """The episodes' tokens together."""
        return sum(self.episodes) + sum(self.flagged)

    @property
    def keeps_budget(self) -> bool:
        """Whether each episode is within its budget."""
        within = all(found <= UNFLAGGED for found in self.episodes)
        return within and all(found <= FLAGGED for found in self.flagged)


def read(ledger: Ledger, state: State, *, runs: bool) -> Reading:
    """The tokens of the ledger that a decision was made on."""
    records = ledger.records.values()
    episodes = [record.episode for record in records if record.episode is not None]
    return Reading(
        article=ledger.article,
        state=state,
        runs=runs,
        episodes=tuple(tokens(e.decision_view()) for e in episodes if not e.flags),
        flagged=tuple(tokens(e.decision_view()) for e in episodes if e.flags),
        ledger=sum(tokens(record.model_dump_json()) for record in records),
    )
