"""A step that makes one document: fetch, translate, review. Its work is a plain function."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import dagster as dg

from orch_dagster.chain import AnswerError, Chain, stop_of
from orch_dagster.core.decision import notes_due, scoring_due
from orch_dagster.core.episode import Episode, Status
from orch_dagster.core.ledger import Ledger, Record
from orch_dagster.core.pipeline import INPUT, Step
from orch_dagster.core.spending import Spending
from orch_dagster.event_log import record_metadata
from orch_dagster.model import ModelError, RefusalError
from orch_dagster.prompt import PromptError
from orch_dagster.prompt_folder import PromptFolder
from orch_dagster.shelf import DocumentError
from orch_dagster.step import (
    MODELS,
    Bench,
    DocumentSpec,
    Location,
    Made,
    StepDeclaration,
    StepError,
    Worked,
)
from orch_dagster.subject import Subject
from orch_dagster.transcript import Transcript

TRANSCRIPT = "transcript"
"""The folder below a document's own in which the answers that made it are kept."""

HEEDED = "heeded"
"""In `made_from`: the scoring whose notes a repair has heeded."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished document: its text, the score where the step is one that scores, what people see."""

    text: str
    words: int
    score: int | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Task:
    """One article's work at one step.

    `heed` is the fingerprint of the scoring whose notes this work has to heed, or None. `scoring`
    is the number of the scoring that is made here. `input` is what is registered.
    """

    bench: Bench
    ledger: Ledger
    step: Step
    key: str
    folder: PromptFolder | None
    heed: str | None
    scoring: int
    transcript: Transcript

    @property
    def article(self) -> str:
        """The article's key."""
        return self.ledger.article

    async def read(self, key: str, suffix: str) -> str:
        """The text of another document of this article.

        Raises:
            DocumentError: it is not in the store.
        """
        return await self.bench.shelf.text(key, article=self.article, suffix=suffix)

    async def chain(self, words: int) -> Chain:
        """The chain over this step's prompts, from the answers that are already there."""
        if self.folder is None:
            raise PromptError(f"step {self.step.name!r} has no prompts")
        return Chain(
            pipeline=self.bench.shelf.pipeline,
            folder=self.folder,
            subject=Subject(article=self.article, words=words, fields={}),
            model=self.bench.model,
            transcript=self.transcript,
            save=self._keep,
            allowances=self.bench.means.allowances(
                self.bench.shelf.pipeline,
                self.ledger,
                step=self.step.name,
                spent=self.transcript.spent,
            ),
        )

    async def resume(self) -> None:
        """Take up the answers that are there, and what they cost.

        Where none are, what an earlier record says was spent is still so.
        """
        stored = None
        if self.folder is not None:
            stored = await self.bench.shelf.transcript(self.key, TRANSCRIPT, self.article)
        before = self.ledger.records.get(self.step.name)
        if stored is not None:
            self.transcript = self._continued(stored)
        elif before is not None:
            settled = Spending(earlier=before.spending.total)
            self.transcript = self.transcript.model_copy(update={"settled": settled})

    def _continued(self, stored: Transcript) -> Transcript:
        """Answers stand, but for a scoring or a repair that comes after the one that they made.

        What was spent on the same input counts on; a polished text is no new input.
        """
        fresh = self.transcript
        given = [need for need in self.step.needs if need not in self.step.rework]
        same = all(stored.made_from.get(need) == fresh.made_from.get(need) for need in given)
        later = stored.scoring != fresh.scoring or (
            stored.made_from.get(HEEDED) != fresh.made_from.get(HEEDED)
        )
        going_on = stored if same else stored.for_other_input()
        if same and later:
            going_on = going_on.for_next_scoring().model_copy(update={"answers": ()})
        return going_on.model_copy(update={"made_from": fresh.made_from, "scoring": fresh.scoring})

    async def _keep(self, transcript: Transcript) -> None:
        self.transcript = transcript
        await self.bench.shelf.keep(TRANSCRIPT, transcript)


Work = Callable[[Task], Awaitable[Outcome]]
"""Makes one document. It raises `StepError`, or what prompts raise, where it cannot."""

_FAILURES = (AnswerError, ModelError, PromptError, DocumentError, StepError)


@dataclass(frozen=True, slots=True)
class DocumentStep:
    """The declaration of one step of a pipeline of documents: everything that can be swapped."""

    step: Step
    key: str
    suffix: str
    description: str
    work: Work
    folder: PromptFolder | None
    resources: frozenset[str]
    version: str

    def asset(self) -> dg.AssetKey:
        """The document's asset: its key with underscores."""
        return dg.AssetKey(self.key.replace("-", "_"))

    def code_version(self) -> str:
        """The hash of its prompts and output models, and of the Python it names as its version."""
        if self.folder is None:
            return self.version
        prompts = self.folder.version(self.folder.prompts, self.folder.sources())
        return sha256(f"{self.version}/{prompts}".encode()).hexdigest()[:16]


def document_step(
    pipeline: str,
    one: DocumentStep,
    *,
    inputs: Mapping[str, dg.AssetKey],
    scored: Step | None,
) -> StepDeclaration:
    """The step as the engine runs it.

    `inputs` maps each need to its asset; `scored` is the step that this one repairs, if any.
    """
    spec = DocumentSpec(
        key=one.asset(),
        location=Location(f"{pipeline}/{one.key}", one.suffix),
        deps=tuple(inputs[need] for need in one.step.needs),
        description=one.description,
        group=pipeline,
        kinds=frozenset({"markdown" if one.suffix == ".md" else "json"}),
        code_version=one.code_version(),
        optional=False,
    )

    async def work(bench: Bench, ledger: Ledger) -> Worked:
        ledger = _without_lost(bench, spec, one.step, ledger)
        made_from = {need: ledger.fingerprint(need) or "" for need in one.step.needs}
        # A repair whose own text is lost begins anew: there is nothing left that notes stand on.
        lost = one.step.name in ledger.missing
        heed = notes_due(scored, ledger) if scored and not lost else None
        kept = _kept(bench, spec, one, ledger, heed)
        if kept is None and _unready(one.step, ledger):
            kept = _standing(bench, spec, ledger.records.get(one.step.name), ledger.article)
        if kept is not None:
            return kept
        scoring = _scoring(one.step, ledger) if one.step.gates else 0
        task = Task(
            bench=bench,
            ledger=ledger,
            step=one.step,
            key=one.key,
            folder=one.folder,
            heed=heed,
            scoring=scoring,
            transcript=Transcript(
                article=ledger.article,
                library=one.key,
                made_from={**made_from, HEEDED: heed or ""},
                scoring=scoring,
            ),
        )
        try:
            await task.resume()
            _refuse_unready(one.step, ledger)
            outcome = await one.work(task)
        except _FAILURES as error:
            worked = _failed(spec, task, made_from, error)
            return worked if heed is None else _over(bench, spec, task, worked)
        return _done(bench, spec, task, {**made_from, HEEDED: heed or ""}, outcome)

    return StepDeclaration(
        step=one.step,
        documents=(spec,),
        record=spec.key,
        resources=one.resources | (MODELS if one.folder else frozenset()),
        work=work,
    )


def _kept(
    bench: Bench, spec: DocumentSpec, one: DocumentStep, ledger: Ledger, heed: str | None
) -> Worked | None:
    """The document as it stands, where it stands on what it is made from: nothing is done twice."""
    record = ledger.current(one.step)
    if record is None or record.status is not Status.COMPLETE or record.document is None:
        return None
    if record.made_from.get("code") != spec.code_version:
        return None
    if heed is not None and record.made_from.get(HEEDED) != heed:
        return None
    if one.step.gates and _scoring(one.step, ledger) != record.scorings:
        return None
    return _standing(bench, spec, record, ledger.article)


def _standing(
    bench: Bench, spec: DocumentSpec, record: Record | None, article: str
) -> Worked | None:
    """The finished document of a record once more, if it lies there untouched.

    So notes outlive a repair that failed: a scoring that has to wait does not write over them.
    """
    if record is None or record.status is not Status.COMPLETE or record.document is None:
        return None
    data = bench.shelf.store.read(spec.location.path(article))
    if data is None or sha256(data).hexdigest() != record.document.sha256:
        return None
    return Worked({spec.key: Made(data, record.fingerprint, record_metadata(record))}, record)


def _without_lost(bench: Bench, spec: DocumentSpec, step: Step, ledger: Ledger) -> Ledger:
    """The ledger with this step's own document among the missing, where it is gone."""
    record = ledger.records.get(step.name)
    if record is None or record.status is not Status.COMPLETE:
        return ledger
    if bench.shelf.store.exists(spec.location.path(ledger.article)):
        return ledger
    return replace(ledger, missing=ledger.missing | {step.name})


def _scoring(step: Step, ledger: Ledger) -> int:
    """The number of the scoring that is made now.

    The first, where no repair has heeded any: so it is again when a repaired document was lost
    and its step began anew.
    """
    repairs = [ledger.records.get(name) for name in step.rework if name != step.name]
    if repairs and not any(found and found.made_from.get(HEEDED) for found in repairs):
        return 1
    return scoring_due(step, ledger)


def _unready(step: Step, ledger: Ledger) -> str | None:
    """Which need is not there yet, in words; None where all are."""
    for need in step.needs:
        if need == INPUT:
            continue
        record = ledger.records.get(need)
        if record is None or record.status is not Status.COMPLETE:
            state = record.status if record else "not made"
            return f"{step.name}: waits for {need}, which is {state}"
    return None


def _refuse_unready(step: Step, ledger: Ledger) -> None:
    if reason := _unready(step, ledger):
        raise StepError(reason)


def _over(bench: Bench, spec: DocumentSpec, task: Task, failed: Worked) -> Worked:
    """A repair's failure, without writing it over the text that is to be repaired."""
    data = bench.shelf.store.read(spec.location.path(task.article))
    if data is None:
        return failed
    made = failed.documents[spec.key]
    return Worked({spec.key: replace(made, data=data)}, failed.record)


def _done(
    bench: Bench, spec: DocumentSpec, task: Task, made_from: dict[str, str], outcome: Outcome
) -> Worked:
    data = outcome.text.encode()
    document = bench.shelf.store.describe(spec.location.path(task.article), data)
    spent = task.transcript.spent
    episode = Episode(
        library=task.step.name,
        status=Status.COMPLETE,
        word_count=outcome.words,
        score=outcome.score,
        assembly_ready=True,
        token_usage=spent.usage.total,
        latency_ms=spent.latency_ms,
    )
    made_from = {**made_from, "code": spec.code_version}
    record = Record(
        fingerprint=sha256(f"{sorted(made_from.items())}{document.sha256}".encode()).hexdigest()[
            :16
        ],
        made_from=made_from,
        status=Status.COMPLETE,
        episode=episode,
        scorings=task.scoring,
        failures=0,
        document=document,
        cost_usd=spent.cost_usd,
        spending=task.transcript.spending,
    )
    metadata = record_metadata(record) | dict(outcome.metadata)
    return Worked({spec.key: Made(data, record.fingerprint, metadata)}, record)


def _failed(
    spec: DocumentSpec, task: Task, made_from: Mapping[str, str], error: Exception
) -> Worked:
    status = Status.REFUSED if isinstance(error, RefusalError) else Status.FAILED
    before = task.ledger.records.get(task.step.name)
    same = before is not None and all(before.made_from.get(k) == v for k, v in made_from.items())
    spent, stop = task.transcript.spent, stop_of(error)
    text = json.dumps({"status": status, "failure": str(error)}, ensure_ascii=False) + "\n"
    if spec.location.suffix == ".md":
        text = f"---\nstatus: {status}\n---\n\n{error}\n"
    record = Record(
        fingerprint=sha256(text.encode()).hexdigest()[:16],
        made_from=made_from,
        status=status,
        episode=Episode(
            library=task.step.name,
            status=status,
            assembly_ready=False,
            token_usage=spent.usage.total,
            latency_ms=spent.latency_ms,
        ),
        scorings=task.scoring,
        failures=(before.failures if before and same else 0) + (1 if stop is None else 0),
        stop=stop,
        document=None,
        cost_usd=spent.cost_usd,
        spending=task.transcript.spending,
    )
    metadata = record_metadata(record) | {"failure": str(error)}
    return Worked({spec.key: Made(text.encode(), record.fingerprint, metadata)}, record)
