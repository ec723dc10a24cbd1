"""Libraries as Dagster assets: a draft from the chain op, deliverable and episode from the pass."""

import asyncio
from collections.abc import Iterator, Mapping

import dagster as dg

from orch_dagster.core.gate import Gate
from orch_dagster.core.ledger import Ledger
from orch_dagster.core.pipeline import SCORINGS
from orch_dagster.declared import DeclaredPipeline
from orch_dagster.event_log import PERSON_TAG, read_own_ledgers, record_metadata
from orch_dagster.library import Library
from orch_dagster.library_work import Desk, Drafted, Passed, run_pass, write_draft
from orch_dagster.materialize import (
    Made,
    document_metadata,
    optional_outputs,
    outputs,
)
from orch_dagster.shelf import DELIVERABLE, DRAFT, EPISODE, Shelf, transcript_bytes

RESOURCES = {"store", "model"}
"""What the ops need: the output store and the model, by their resource keys."""

DOCUMENTS = "documents"
"""The resource key of the IO manager that writes documents to the output store."""


def draft_key(library: Library) -> dg.AssetKey:
    """The asset of a library's drafts."""
    return dg.AssetKey([library.name, DRAFT])


def deliverable_key(library: Library) -> dg.AssetKey:
    """The asset of a library's deliverables."""
    return dg.AssetKey([library.name, DELIVERABLE])


def episode_key(library: Library) -> dg.AssetKey:
    """The asset of a library's episodes."""
    return dg.AssetKey([library.name, EPISODE])


def library_assets(
    declared: DeclaredPipeline, library: Library
) -> tuple[dg.AssetsDefinition, dg.AssetsDefinition]:
    """The chain op's and the pass op's assets of one library."""
    return _draft_asset(declared, library), _pass_assets(declared, library)


def _own_ledgers(
    context: dg.AssetExecutionContext, declared: DeclaredPipeline, library: Library
) -> dict[str, Ledger]:
    """What came before, with failures forgiven where a person asked for the run."""
    ledgers = read_own_ledgers(
        context.instance,
        declared,
        context.partition_keys,
        steps=tuple(step.name for step in library.steps),
    )
    if PERSON_TAG not in context.run.tags:
        return ledgers
    return {article: ledger.forgiven() for article, ledger in ledgers.items()}


def _draft_asset(declared: DeclaredPipeline, library: Library) -> dg.AssetsDefinition:
    key = draft_key(library)

    @dg.multi_asset(
        name=f"{library.name}_chain",
        specs=[
            dg.AssetSpec(
                key,
                deps=[declared.input],
                description=f"{library.declared.title}: what the chain of "
                f"{len(library.chain)} prompts has written before its quality pass.",
                group_name=library.name,
                code_version=library.draft_version,
                kinds={"markdown", "openai"},
                metadata=declared.locations[key].metadata(),
            ).with_io_manager_key(DOCUMENTS)
        ],
        partitions_def=declared.partitions,
        required_resource_keys=RESOURCES,
    )
    # Not annotated: Dagster takes an async generator's return annotation for a value's type.
    async def chain(context: dg.AssetExecutionContext):
        desk = _desk(context, declared)
        ledgers = _own_ledgers(context, declared, library)
        work = (write_draft(desk, library, ledgers[article]) for article in context.partition_keys)
        drafts = await asyncio.gather(*work)
        made = {drafted.transcript.article: _made_draft(drafted) for drafted in drafts}
        for output in outputs(context, key, made):
            yield output

    return chain


def _pass_assets(declared: DeclaredPipeline, library: Library) -> dg.AssetsDefinition:
    deliverable, episode = deliverable_key(library), episode_key(library)

    @dg.multi_asset(
        name=f"{library.name}_quality_pass",
        specs=[
            dg.AssetSpec(
                deliverable,
                deps=[draft_key(library)],
                skippable=True,
                description=library.declared.description,
                group_name=library.name,
                code_version=library.pass_version,
                kinds={"markdown" if library.suffix == ".md" else "json"},
                metadata=declared.locations[deliverable].metadata(),
            ).with_io_manager_key(DOCUMENTS),
            dg.AssetSpec(
                episode,
                deps=[draft_key(library)],
                description=f"{library.declared.title}: the small record that crosses to the "
                "orchestrator; scores, flags and figures, no text.",
                group_name=library.name,
                code_version=library.pass_version,
                kinds={"json"},
                metadata=declared.locations[episode].metadata(),
            ).with_io_manager_key(DOCUMENTS),
        ],
        check_specs=[
            dg.AssetCheckSpec(gate.score, asset=episode, description=gate.describe())
            for gate in library.gates
        ],
        partitions_def=declared.partitions,
        required_resource_keys=RESOURCES,
    )
    # Not annotated, for the same reason as the chain.
    async def quality_pass(context: dg.AssetExecutionContext):
        desk = _desk(context, declared)
        ledgers = _own_ledgers(context, declared, library)
        articles = context.partition_keys
        passes = await asyncio.gather(*(run_pass(desk, library, ledgers[a]) for a in articles))
        found = dict(zip(articles, passes, strict=True))
        delivered = {
            article: _made_deliverable(passed, passed.deliverable)
            for article, passed in found.items()
            if passed.deliverable is not None
        }
        store, where = desk.shelf.store, declared.locations[deliverable]
        for output in optional_outputs(context, store, where, deliverable, delivered):
            yield output
        for output in outputs(context, episode, {a: _made_episode(p) for a, p in found.items()}):
            yield output
        for result in _gate_results(context, library, found):
            yield result

    return quality_pass


def _desk(context: dg.AssetExecutionContext, declared: DeclaredPipeline) -> Desk:
    shelf = Shelf(context.resources.store, declared.name)
    return Desk(shelf=shelf, model=context.resources.model)


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


def _made_deliverable(passed: Passed, text: str) -> Made:
    document = passed.record.document
    metadata = document_metadata(document) if document else {}
    metadata |= {"words": passed.episode.word_count, "scoring": passed.record.scorings}
    return Made(text.encode(), document.sha256[:16] if document else "", metadata)


def _made_episode(passed: Passed) -> Made:
    metadata = record_metadata(passed.record) | {"failure": passed.failure or "none"}
    return Made((passed.episode.wire() + "\n").encode(), passed.record.fingerprint, metadata)


def _gate_results(
    context: dg.AssetExecutionContext, library: Library, found: Mapping[str, Passed]
) -> Iterator[dg.AssetCheckResult]:
    """Each gate as a check: WARN while passes remain, ERROR at the cap.

    A check result of an op has no partition, so only a run of one article gives one.
    """
    if len(found) != 1:
        return
    [passed] = found.values()
    for gate in library.gates:
        yield _gate_result(library, gate, passed)


def _gate_result(library: Library, gate: Gate, passed: Passed) -> dg.AssetCheckResult:
    at_cap = passed.record.scorings >= SCORINGS
    return dg.AssetCheckResult(
        passed=gate.passes(passed.episode),
        asset_key=episode_key(library),
        check_name=gate.score,
        severity=dg.AssetCheckSeverity.ERROR if at_cap else dg.AssetCheckSeverity.WARN,
        description=f"{gate.describe()}; scoring {passed.record.scorings} of {SCORINGS}",
        metadata={
            "score": passed.episode.scores.get(gate.score, "none"),
            "minimum": gate.minimum,
            "scoring": passed.record.scorings,
        },
    )
