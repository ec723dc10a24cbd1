"""Publish: the orchestrator's decision as a document, and the text that goes out under it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import dagster as dg

from assets.translation.languages import translation_settings
from assets.translation.texts import CATEGORIZE, PUBLISH, Fetched, fetched, newest_translation
from orch_dagster.core.decision import Finish, finish_of
from orch_dagster.core.episode import Episode, Flag, Status
from orch_dagster.core.ledger import Document, Ledger, Record
from orch_dagster.core.pipeline import Pipeline, Step
from orch_dagster.document_step import Task
from orch_dagster.event_log import document_metadata, record_metadata
from orch_dagster.publication import Publication, Publisher
from orch_dagster.shelf import DocumentError
from orch_dagster.step import (
    Bench,
    DocumentSpec,
    Location,
    Made,
    StepDeclaration,
    StepError,
    Worked,
)
from orch_dagster.transcript import Transcript

DECISION = "decision"
DECISION_KEY, PUBLISH_KEY = dg.AssetKey(DECISION), dg.AssetKey(PUBLISH.replace("-", "_"))

REVIEW_STEP = "review"
PUBLISHER = "publisher"
"""The resource key of what carries texts out."""


@dataclass(frozen=True, slots=True)
class Path:
    """Which path the orchestrator took, and at which score: all of it is in the ledger."""

    article: str
    path: str
    score: int
    scorings: int
    polishes: int
    below_threshold: bool
    reason: str

    def note(self) -> str | None:
        """What the published text says of itself, if it went out below the threshold."""
        if not self.below_threshold:
            return None
        return (
            f"This translation went out below the threshold: score {self.score} of 10 after "
            f"{self.polishes} polishes."
        )


def decided(ledger: Ledger, finish: Finish) -> Path:
    """The decision on an article that is to be published; from the ledger, nothing is opened."""
    record = ledger.records[REVIEW_STEP]
    score = record.episode.score if record.episode else None
    if score is None:
        raise ValueError(f"{ledger.article}: a review without a score cannot be decided on")
    return Path(
        article=ledger.article,
        path="publish",
        score=score,
        scorings=record.scorings,
        polishes=record.scorings - 1,
        below_threshold=Flag.BELOW_THRESHOLD in finish.flags,
        reason=finish.reason,
    )


def publish_step(
    pipeline: Pipeline, inputs: Mapping[str, dg.AssetKey], *, version: str
) -> StepDeclaration:
    """The last step: the decision first, then the text under it."""
    decision, text = (
        _decision_spec(pipeline, inputs, version),
        _text_spec(pipeline, inputs, version),
    )

    async def work(bench: Bench, ledger: Ledger) -> Worked:
        finish = finish_of(pipeline, ledger)
        if finish is None:
            return Worked({}, None)
        path = decided(ledger, finish)
        made_from = {need: ledger.fingerprint(need) or "" for need in pipeline.finish.needs}
        made = {DECISION_KEY: _made_decision(path)}
        publisher: Publisher = bench.resources.publisher
        try:
            publication = await _publication(_task(bench, ledger, pipeline.finish), path)
            receipt = await publisher.publish(publication)
        except (StepError, DocumentError) as error:
            record = _failed(ledger, pipeline.finish, made_from, error)
            made[DECISION_KEY] = _with_record(made[DECISION_KEY], record, {"failure": str(error)})
            return Worked(made, record)
        data = publisher.render(publication).encode()
        document = bench.shelf.store.describe(text.location.path(ledger.article), data)
        record = _record(ledger, made_from, document, publication)
        made[DECISION_KEY] = _with_record(made[DECISION_KEY], record, {"published": receipt.url})
        made[PUBLISH_KEY] = Made(data, document.sha256[:16], _shown(document, receipt, path))
        return Worked(made, record)

    return StepDeclaration(
        step=pipeline.finish,
        documents=(decision, text),
        record=DECISION_KEY,
        resources=frozenset({PUBLISHER}),
        work=work,
    )


def _decision_spec(
    pipeline: Pipeline, inputs: Mapping[str, dg.AssetKey], version: str
) -> DocumentSpec:
    return DocumentSpec(
        key=DECISION_KEY,
        location=Location(f"{pipeline.name}/{DECISION}", ".json"),
        deps=(inputs[REVIEW_STEP],),
        description="Which path the orchestrator took, at which score, after how many polishes; "
        "it knows that from episodes.",
        group=pipeline.name,
        kinds=frozenset({"json"}),
        code_version=version,
        optional=True,
    )


def _text_spec(pipeline: Pipeline, inputs: Mapping[str, dg.AssetKey], version: str) -> DocumentSpec:
    others = [need for need in pipeline.finish.needs if need != REVIEW_STEP]
    return DocumentSpec(
        key=PUBLISH_KEY,
        location=Location(f"{pipeline.name}/{PUBLISH}", ".md"),
        deps=(DECISION_KEY, *(inputs[need] for need in others)),
        description="The text as it went out: Markdown under a YAML head.",
        group=pipeline.name,
        kinds=frozenset({"markdown"}),
        code_version=version,
        optional=True,
    )


def _task(bench: Bench, ledger: Ledger, step: Step) -> Task:
    return Task(
        bench=bench,
        ledger=ledger,
        step=step,
        key=PUBLISH,
        folder=None,
        heed=None,
        scoring=0,
        transcript=Transcript(article=ledger.article, library=PUBLISH, made_from={}),
    )


async def _publication(task: Task, path: Path) -> Publication:
    source: Fetched = await fetched(task)
    body = await newest_translation(task)
    category = json.loads(await task.read(CATEGORIZE, ".json"))["category"]
    return Publication(
        key=task.article,
        title=_heading(body) or source.title,
        author=source.author,
        date=source.date,
        canonical_url=source.canonical_url or source.url,
        category=category,
        language=translation_settings().target_code,
        score=path.score,
        note=path.note(),
        body=body,
    )


def _heading(body: str) -> str | None:
    """The translated title: the first heading of the first level."""
    lines = (line for line in body.splitlines() if line.startswith("# "))
    return next((line.removeprefix("# ").strip(" #") for line in lines), None)


def _made_decision(path: Path) -> Made:
    shown = {
        "article": path.article,
        "path": path.path,
        "score": path.score,
        "scorings": path.scorings,
        "polishes": path.polishes,
        "below_threshold": path.below_threshold,
        "reason": path.reason,
    }
    data = (json.dumps(shown, ensure_ascii=False, indent=2) + "\n").encode()
    return Made(data, sha256(data).hexdigest()[:16], {DECISION: path.reason})


def _with_record(made: Made, record: Record, more: Mapping[str, Any]) -> Made:
    metadata = {**record_metadata(record), **made.metadata, **more}
    return Made(made.data, made.fingerprint, metadata)


def _shown(document: Document, receipt: Document, path: Path) -> dict[str, Any]:
    return document_metadata(document) | {
        "published": dg.MetadataValue.url(receipt.url),
        "score": path.score,
        "note": path.note() or "none",
    }


def _record(
    ledger: Ledger, made_from: Mapping[str, str], document: Document, publication: Publication
) -> Record:
    episode = Episode(
        library="publish",
        status=Status.COMPLETE,
        word_count=len(publication.body.split()),
        assembly_ready=True,
        flags=(Flag.BELOW_THRESHOLD,) if publication.note else (),
    )
    return Record(
        fingerprint=document.sha256[:16],
        made_from=made_from,
        status=Status.COMPLETE,
        episode=episode,
        scorings=0,
        failures=0,
        document=document,
        cost_usd=0.0,
    )


def _failed(ledger: Ledger, step: Step, made_from: Mapping[str, str], error: Exception) -> Record:
    before = ledger.records.get(step.name)
    same = before is not None and dict(before.made_from) == dict(made_from)
    return Record(
        fingerprint=sha256(str(error).encode()).hexdigest()[:16],
        made_from=made_from,
        status=Status.FAILED,
        episode=Episode(library="publish", status=Status.FAILED, assembly_ready=False),
        scorings=0,
        failures=(before.failures if before and same else 0) + 1,
        document=None,
        cost_usd=0.0,
    )
