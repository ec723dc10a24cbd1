"""A library as two steps: the chain that drafts, and the pass that can be repeated."""

import dagster as dg

from orch_dagster.core.ledger import Document, Ledger
from orch_dagster.event_log import document_metadata, record_metadata, spent_metadata
from orch_dagster.library import Library
from orch_dagster.library_work import Desk, Drafted, Passed, run_pass, write_draft
from orch_dagster.shelf import DELIVERABLE, DRAFT, EPISODE, transcript_bytes
from orch_dagster.step import MODELS, Bench, DocumentSpec, Location, Made, StepDeclaration, Worked


def draft_key(library: Library) -> dg.AssetKey:
    """The asset of a library's drafts."""
    return dg.AssetKey([library.name, DRAFT])


def deliverable_key(library: Library) -> dg.AssetKey:
    """The asset of a library's deliverables."""
    return dg.AssetKey([library.name, DELIVERABLE])


def episode_key(library: Library) -> dg.AssetKey:
    """The asset of a library's episodes."""
    return dg.AssetKey([library.name, EPISODE])


def library_steps(
    pipeline: str, library: Library, brief: dg.AssetKey
) -> tuple[StepDeclaration, StepDeclaration]:
    """The declarations of a library's two steps."""
    chain, quality_pass = library.steps
    return (
        StepDeclaration(
            step=chain,
            documents=(_draft(pipeline, library, brief),),
            record=draft_key(library),
            resources=MODELS,
            work=lambda bench, ledger: _write_draft(bench, library, ledger),
        ),
        StepDeclaration(
            step=quality_pass,
            documents=(_deliverable(pipeline, library), _episode(pipeline, library)),
            record=episode_key(library),
            resources=MODELS,
            work=lambda bench, ledger: _run_pass(bench, library, ledger),
        ),
    )


def _draft(pipeline: str, library: Library, brief: dg.AssetKey) -> DocumentSpec:
    return DocumentSpec(
        key=draft_key(library),
        location=Location(f"{pipeline}/{library.name}/{DRAFT}", ".json"),
        deps=(brief,),
        description=f"{library.declared.title}: what the chain of {len(library.chain)} prompts "
        "has written before its quality pass.",
        group=library.name,
        kinds=frozenset({"json"}),
        code_version=library.draft_version,
        optional=False,
    )


def _deliverable(pipeline: str, library: Library) -> DocumentSpec:
    return DocumentSpec(
        key=deliverable_key(library),
        location=Location(f"{pipeline}/{library.name}/{DELIVERABLE}", library.suffix),
        deps=(draft_key(library),),
        description=library.declared.description,
        group=library.name,
        kinds=frozenset({"markdown" if library.suffix == ".md" else "json"}),
        code_version=library.pass_version,
        optional=True,
    )


def _episode(pipeline: str, library: Library) -> DocumentSpec:
    return DocumentSpec(
        key=episode_key(library),
        location=Location(f"{pipeline}/{library.name}/{EPISODE}", ".json"),
        deps=(draft_key(library),),
        description=f"{library.declared.title}: the small record that crosses to the "
        "orchestrator; scores, flags and figures, no text.",
        group=library.name,
        kinds=frozenset({"json"}),
        code_version=library.pass_version,
        optional=False,
    )


async def _write_draft(bench: Bench, library: Library, ledger: Ledger) -> Worked:
    drafted = await write_draft(_desk(bench), library, ledger)
    return Worked({draft_key(library): _made_draft(drafted)}, drafted.record)


async def _run_pass(bench: Bench, library: Library, ledger: Ledger) -> Worked:
    passed = await run_pass(_desk(bench), library, ledger)
    made = {episode_key(library): _made_episode(passed)}
    if passed.deliverable is not None and passed.record.document is not None:
        document = passed.record.document
        made = {deliverable_key(library): _made_deliverable(passed, document), **made}
    return Worked(made, passed.record)


def _desk(bench: Bench) -> Desk:
    return Desk(shelf=bench.shelf, model=bench.model, means=bench.means)


def _made_draft(drafted: Drafted) -> Made:
    transcript = drafted.transcript
    metadata = record_metadata(drafted.record) | {
        "status": str(transcript.status),
        "answers": len(transcript.answers),
        "tokens": transcript.spent.usage.total,
        "latency_ms": transcript.spent.latency_ms,
        "failure": transcript.failure or "none",
    }
    return Made(transcript_bytes(transcript), drafted.record.fingerprint, metadata)


def _made_deliverable(passed: Passed, document: Document) -> Made:
    metadata = document_metadata(document) | {
        "words": passed.episode.word_count,
        "scoring": passed.record.scorings,
    }
    return Made((passed.deliverable or "").encode(), document.sha256[:16], metadata)


def _made_episode(passed: Passed) -> Made:
    metadata = record_metadata(passed.record) | spent_metadata(passed.total)
    metadata |= {"failure": passed.failure or "none"}
    return Made((passed.episode.wire() + "\n").encode(), passed.record.fingerprint, metadata)
