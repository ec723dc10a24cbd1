"""One library at work on one article without Dagster: documents and records as the assets keep them."""

import asyncio
from dataclasses import replace

from orch_dagster.core.brief import Brief
from orch_dagster.core.budget import NO_LIMIT
from orch_dagster.core.decision import Decision, decide, finish_of, steps_of
from orch_dagster.core.ledger import Ledger, Record
from orch_dagster.core.pipeline import Pipeline, Step
from orch_dagster.library import Library
from orch_dagster.library_work import Desk, Drafted, Passed, run_pass, write_draft
from orch_dagster.means import Means
from orch_dagster.shelf import DRAFT, Shelf, transcript_bytes
from tests.fakes.ledgers import ledger, record
from tests.fakes.memory_store import MemoryStore
from tests.fakes.scripted_model import ScriptedModel

PIPELINE = "content"


class Bench:
    """A store, a model, and the ledger of one article, which each step brings up to date."""

    def __init__(self, library: Library, model: ScriptedModel, store: MemoryStore) -> None:
        self.library, self.model, self.store = library, model, store
        self.shelf = Shelf(store, PIPELINE)
        self.ledger: Ledger = ledger(input=None)
        finish = Step("row", (library.name,), (), ())
        self.pipeline = Pipeline(PIPELINE, "assembled", library.steps, finish)

    def register(self, brief: Brief) -> None:
        """Put the brief into the store and into the ledger."""
        self.shelf.write_brief(brief)
        self.ledger = replace(self.ledger, article=brief.slug, input=brief.fingerprint())

    def draft(self) -> Drafted:
        """The chain's step."""
        drafted = asyncio.run(write_draft(self._desk, self.library, self._seen))
        path = self.shelf.path(self.library.name, DRAFT, article=self.ledger.article)
        self.store.documents[path] = transcript_bytes(drafted.transcript)
        self._record(self.library.draft_step, drafted.record)
        return drafted

    def quality_pass(self) -> Passed:
        """The pass's step."""
        passed = asyncio.run(run_pass(self._desk, self.library, self._seen))
        if passed.deliverable is not None:
            self.store.documents[self.deliverable_path] = passed.deliverable.encode()
        self._record(self.library.name, passed.record)
        return passed

    def decide(self) -> Decision:
        """What is due now."""
        return decide(self.pipeline, self.ledger)

    def drive(self, most: int) -> Decision:
        """Carry out what is due until nothing is; fails when that takes more than `most` runs."""
        for _ in range(most):
            decision = self.decide()
            if not decision.actions:
                return decision
            self._run(steps_of(self.pipeline, decision.actions))
        raise AssertionError(f"still {self.decide()} after {most} runs")

    @property
    def deliverable_path(self) -> str:
        """Where the deliverable lies."""
        return self.shelf.deliverable_path(self.library, self.ledger.article)

    @property
    def deliverable(self) -> str | None:
        """The deliverable's text."""
        data = self.store.documents.get(self.deliverable_path)
        return None if data is None else data.decode()

    @property
    def history(self) -> list[str]:
        """The deliverables that a later pass replaced, in order."""
        folder = (PIPELINE, self.library.name, "history", self.ledger.article)
        return [text for _, text in sorted(self.store.under(*folder).items())]

    @property
    def _seen(self) -> Ledger:
        """What an op reads of the ledger: input and records, and no runs."""
        return replace(self.ledger, missing=frozenset(), broken_runs=0)

    @property
    def _desk(self) -> Desk:
        return Desk(shelf=self.shelf, model=self.model, means=Means(NO_LIMIT, None))

    def _run(self, steps: tuple[str, ...]) -> None:
        if self.library.draft_step in steps:
            self.draft()
        if self.library.name in steps:
            self.quality_pass()
        if finish_of(self.pipeline, self.ledger):
            made_from = {self.library.name: self.ledger.records[self.library.name].fingerprint}
            self._record("row", record(made_from=made_from))

    def _record(self, step: str, made: Record) -> None:
        self.ledger = replace(self.ledger, records={**self.ledger.records, step: made})
