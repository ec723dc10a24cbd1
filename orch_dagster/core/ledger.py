"""The ledger: all that the orchestrator knows of one article."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

from orch_dagster.core.budget import NO_LIMIT, Budget, Cause, Stop
from orch_dagster.core.episode import Episode, Status
from orch_dagster.core.pipeline import INPUT, Step
from orch_dagster.core.spending import Spending


class Document(BaseModel):
    """A document in the output store, as seen from outside: where it is, how large, its hash."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    bytes: Annotated[int, Field(ge=0)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Record(BaseModel):
    """What is known of the newest documents of one step, without opening them.

    It travels in the materialization's metadata. `made_from` maps each of the step's needs to
    the fingerprint it had then. `scorings` counts the quality passes over this input, the first
    included; `failures` those in a row up to now. `cost_usd` is None where a price is unknown; a
    quality pass's includes its draft's. `spending` is this step's own, each dollar in one step.
    `approved` says that a person has lifted the review of what stands here. A failure with a
    `stop` does not count among `failures`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    fingerprint: str
    made_from: Mapping[str, str]
    status: Status
    episode: Episode | None
    scorings: Annotated[int, Field(ge=0)]
    failures: Annotated[int, Field(ge=0)]
    document: Document | None
    cost_usd: Annotated[float, Field(ge=0)] | None
    approved: bool = False
    stop: Stop | None = None
    spending: Spending = Spending()


@dataclass(frozen=True, slots=True)
class Ledger:
    """One article: its input, the newest record of each step, what is gone, and its runs.

    `missing` names steps whose document is no longer in the store; `broken_runs` counts the runs
    in a row that ended (failed, cancelled, killed) after the newest that succeeded; `budget` is
    what the article may cost. `outdated` names steps whose prompts were edited since their record.
    """

    article: str
    input: str | None
    records: Mapping[str, Record]
    missing: frozenset[str]
    running: bool
    broken_runs: int
    budget: Budget = NO_LIMIT
    outdated: frozenset[str] = frozenset()

    def current(self, step: Step) -> Record | None:
        """The step's record, if it is there and was made from what stands now.

        An episode of an earlier brief or draft is no record: memory is per run. A failure that
        came before the step knew what it works from stands: else it would be repeated for ever.
        """
        record = self.records.get(step.name)
        if record is None or step.name in self.missing:
            return None
        if not record.made_from and record.status is not Status.COMPLETE:
            return record
        stands = all(record.made_from.get(need) == self.fingerprint(need) for need in step.needs)
        return record if stands else None

    def fingerprint(self, name: str) -> str | None:
        """The fingerprint under which a step's document, or the input, stands now."""
        if name == INPUT:
            return self.input
        record = self.records.get(name)
        return record.fingerprint if record else None

    def refunded(self) -> Self:
        """The ledger as a run with a budget of its own sees it: no earlier run's budget counts."""
        records = {
            name: record.model_copy(update={"stop": None})
            if record.stop and record.stop.cause is Cause.RUN_BUDGET
            else record
            for name, record in self.records.items()
        }
        return replace(self, records=records)

    def forgiven(self) -> Self:
        """The ledger as a person who asks again sees it: no failure, refusal or stop counts."""
        records = {
            name: record.model_copy(
                update={
                    "failures": 0,
                    "stop": None,
                    "status": Status.FAILED if record.status is Status.REFUSED else record.status,
                }
            )
            for name, record in self.records.items()
        }
        return replace(self, records=records, broken_runs=0)
