"""A world in plain Python in which an article's runs succeed, fail, are refused, or die."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from orch_dagster.core.decision import finish_of, scoring_due
from orch_dagster.core.episode import Status
from orch_dagster.core.ledger import Ledger, Record
from orch_dagster.core.pipeline import INPUT, Pipeline, Step
from tests.fakes.ledgers import bad_record, episode_with, ledger, record


class Outcome(StrEnum):
    """What can happen to one step of a run."""

    GOOD = "good"
    WEAK = "weak"
    UNREADY = "unready"
    FAILED = "failed"
    REFUSED = "refused"
    BLIND = "blind"
    """It fails before it knows what it works from; one that is scored always knows."""
    DIES = "dies"


class World:
    """One article's records, and the runs that change them; `fate` says how each step ends."""

    def __init__(self, pipeline: Pipeline, fate: Callable[[str], Outcome]) -> None:
        self.pipeline = pipeline
        self.ledger: Ledger = ledger()
        self.scorings: Counter[tuple[str, ...]] = Counter()
        """Scorings made, by step and by what it was given."""
        self.ends: list[Ledger] = []
        """The ledger at each end that was made."""
        self._fate = fate
        self._versions = 0

    def run(self, steps: tuple[str, ...]) -> None:
        """One run of these steps: each in order, until all are made or the process dies."""
        for step in (*self.pipeline.steps, self.pipeline.finish):
            if step.name not in steps:
                continue
            outcome = self._fate(step.name)
            if outcome is Outcome.DIES:
                self.ledger = replace(self.ledger, broken_runs=self.ledger.broken_runs + 1)
                return
            if step is not self.pipeline.finish:
                self._keep(step, self._made(step, outcome))
            elif finish_of(self.pipeline, self.ledger):
                self.ends.append(self.ledger)
                self._keep(step, self._end(step, outcome))
        self.ledger = replace(self.ledger, broken_runs=0)

    def lose(self, step: str) -> None:
        """A document vanishes; only one that was made whole can."""
        found = self.ledger.records.get(step)
        if found and found.status is Status.COMPLETE:
            self.ledger = replace(self.ledger, missing=self.ledger.missing | {step})

    def change_brief(self) -> None:
        """The brief is registered anew with another text."""
        self.ledger = replace(self.ledger, input=self._new(INPUT))

    def ask_again(self) -> None:
        """A person starts a run: earlier failures are forgiven."""
        self.ledger = self.ledger.forgiven()

    def _made(self, step: Step, outcome: Outcome) -> Record:
        made_from = {need: self.ledger.fingerprint(need) or "none" for need in step.needs}
        worst = next((status for status in self._statuses(step) if status != Status.COMPLETE), None)
        scoring = max(1, scoring_due(step, self.ledger))
        fields = {
            "fingerprint": self._new(step.name),
            "made_from": made_from,
            "scorings": scoring if step.gates else 0,
        }
        if outcome is Outcome.BLIND and step.gates:
            outcome = Outcome.FAILED
        if outcome is Outcome.BLIND:
            made = bad_record(step, Status.FAILED, **{**fields, "made_from": {}})
            return made.model_copy(update={"failures": self._failures(step, {}) + 1})
        if worst or outcome in (Outcome.FAILED, Outcome.REFUSED):
            status = worst or Status(str(outcome))
            made = bad_record(step, status, **fields)
            return made.model_copy(update={"failures": self._failures(step, made_from) + 1})
        if step.gates:
            given = [made_from[need] for need in step.needs if need not in step.rework]
            self.scorings[(step.name, *given)] += 1
        ready = outcome is not Outcome.UNREADY
        episode = episode_with(step, good=outcome is not Outcome.WEAK, ready=ready)
        return record(episode=episode, **fields)

    def _end(self, step: Step, outcome: Outcome) -> Record:
        made_from = {need: self.ledger.fingerprint(need) or "none" for need in step.needs}
        end = record(fingerprint=self._new("end"), made_from=made_from)
        if outcome is Outcome.BLIND:
            made_from, outcome = {}, Outcome.FAILED
        if outcome not in (Outcome.FAILED, Outcome.REFUSED):
            return end
        failures = self._failures(step, made_from) + 1
        return end.model_copy(
            update={"status": Status(str(outcome)), "failures": failures, "made_from": made_from}
        )

    def _statuses(self, step: Step) -> list[Status]:
        """How what a step works from ended; what was never made is a failure to the step."""
        records = [self.ledger.records.get(need) for need in step.needs if need != INPUT]
        return [made.status if made else Status.FAILED for made in records]

    def _failures(self, step: Step, made_from: dict[str, str]) -> int:
        before = self.ledger.records.get(step.name)
        same = before is not None and dict(before.made_from) == made_from
        return before.failures if before and same else 0

    def _keep(self, step: Step, made: Record) -> None:
        records = {**self.ledger.records, step.name: made}
        missing = self.ledger.missing - {step.name}
        self.ledger = replace(self.ledger, records=records, missing=missing)

    def _new(self, name: str) -> str:
        self._versions += 1
        return f"{name}-v{self._versions}"
