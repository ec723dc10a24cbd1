"""Steps as Dagster assets: one op a step, over one article or a chunk of them."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import replace

import dagster as dg

from orch_dagster.basis import Basis, ledger_of
from orch_dagster.core.episode import Status
from orch_dagster.core.gate import Gate
from orch_dagster.core.ledger import Ledger, Record
from orch_dagster.core.pipeline import SCORINGS
from orch_dagster.event_log import read_own_bases
from orch_dagster.materialize import outputs
from orch_dagster.means import Means
from orch_dagster.runs import PERSON_TAG, listed_articles
from orch_dagster.shelf import Shelf
from orch_dagster.step import MODELS, Bench, DeclaredPipeline, DocumentSpec, StepDeclaration, Worked
from orch_dagster.together import log_together

DOCUMENTS = "documents"
"""The resource key of the IO manager that writes documents to the output store."""

POOL = "model"
"""The pool of every op that asks a language model; the instance limits the runs in it."""

FAILURE = "failure"
"""Metadata entry: why a document is not what it should be, in words."""

STORE = "store"
"""The resource key of the output store."""


def step_assets(
    declared: DeclaredPipeline, one: StepDeclaration, policy: dg.BackfillPolicy | None
) -> dg.AssetsDefinition:
    """The assets that one step makes, in one op, with its gates as asset checks."""

    @dg.multi_asset(
        name=one.step.name.replace("/", "_"),
        specs=[asset_spec(document) for document in one.documents],
        check_specs=[
            dg.AssetCheckSpec(
                gate.score,
                asset=one.record,
                description=gate.describe(),
                partitions_def=declared.partitions,
            )
            for gate in one.step.gates
        ],
        partitions_def=declared.partitions,
        backfill_policy=policy,
        pool=POOL if one.resources & MODELS else None,
        required_resource_keys={STORE, *one.resources},
    )
    # Not annotated: Dagster takes an async generator's return annotation for a value's type.
    async def work(context: dg.AssetExecutionContext):
        bench = Bench(
            shelf=Shelf(context.resources.store, declared.name),
            resources=context.resources,
            tags=context.run.tags,
            means=Means.of(declared.budget, context.run.tags),
        )
        listed = listed_articles(context.run)
        articles = context.partition_keys if listed is None else listed  # each look costs a query
        steps = declared.seen_by(one.step.name)
        bases = read_own_bases(context.instance, declared, articles, steps=steps)
        ledgers = _ledgers(context, bases)
        done = await asyncio.gather(*(one.work(bench, ledger) for ledger in ledgers.values()))
        found = dict(zip(ledgers, done, strict=True))
        if one.step.name == declared.pipeline.finish.name:
            found = {article: _with_basis(one, found[article], bases[article]) for article in found}
        lead = articles[0] if listed or len(articles) == 1 else None
        for document in one.documents:
            made = {
                article: worked.documents[document.key]
                for article, worked in found.items()
                if document.key in worked.documents
            }
            for output in outputs(context, bench.shelf.store, document, made, lead=lead):
                yield output
        log_together(context, tuple(_gate_evaluations(one, found)))
        for failure in _failures(one, found):
            context.log.warning(failure)
        for gate in one.step.gates:
            yield dg.Output(None, output_name=_check_output(context, one, gate))

    return work


def asset_spec(document: DocumentSpec) -> dg.AssetSpec:
    """The Dagster spec of a document; the IO manager finds its place by the metadata."""
    return dg.AssetSpec(
        document.key,
        deps=document.deps,
        skippable=document.optional,
        description=document.description,
        group_name=document.group,
        code_version=document.code_version,
        kinds=set(document.kinds),
        metadata=document.location.metadata(),
    ).with_io_manager_key(DOCUMENTS)


def _ledgers(context: dg.AssetExecutionContext, bases: Mapping[str, Basis]) -> dict[str, Ledger]:
    """What the op may know; its failures are forgiven where a person asked for the run."""
    ledgers = {article: ledger_of(basis, article) for article, basis in bases.items()}
    if PERSON_TAG not in context.run.tags:
        return ledgers
    return {article: ledger.forgiven() for article, ledger in ledgers.items()}


def _with_basis(one: StepDeclaration, worked: Worked, basis: Basis) -> Worked:
    """An end with what it was decided on, so that it can be read without opening all of that."""
    made = worked.documents.get(one.record)
    if made is None:
        return worked
    told = basis.without(one.step.name).metadata()
    end = replace(made, metadata={**made.metadata, **told})
    return replace(worked, documents={**worked.documents, one.record: end})


def _check_output(context: dg.AssetExecutionContext, one: StepDeclaration, gate: Gate) -> str:
    key = dg.AssetCheckKey(one.record, gate.score)
    return context.assets_def.get_output_name_for_asset_check_key(key)


def _failures(one: StepDeclaration, found: Mapping[str, Worked]) -> Iterator[str]:
    """What failed, by article: a run of many ends well, and shows of one only its documents."""
    for article, worked in found.items():
        if worked.record is not None and worked.record.status is not Status.COMPLETE:
            documents = worked.documents.values()
            why = "; ".join(
                str(made.metadata[FAILURE]) for made in documents if FAILURE in made.metadata
            )
            yield f"{article}: {one.step.name} {worked.record.status}: {why}"


def _gate_evaluations(
    one: StepDeclaration, found: Mapping[str, Worked]
) -> Iterator[dg.AssetCheckEvaluation]:
    """Each gate of each article as a check of its partition: WARN while passes remain, then ERROR.

    Dagster's own `AssetCheckResult` stands for no partition where a run has several.
    """
    for article, worked in found.items():
        if worked.record is not None:
            for gate in one.step.gates:
                yield _gate_evaluation(one, gate, article, worked.record)


def _gate_evaluation(
    one: StepDeclaration, gate: Gate, article: str, record: Record
) -> dg.AssetCheckEvaluation:
    at_cap = record.scorings >= SCORINGS
    scores = record.episode.scores if record.episode else {}
    return dg.AssetCheckEvaluation(
        asset_key=one.record,
        check_name=gate.score,
        partition=article,
        passed=record.episode is not None and gate.passes(record.episode),
        severity=dg.AssetCheckSeverity.ERROR if at_cap else dg.AssetCheckSeverity.WARN,
        description=f"{gate.describe()}; scoring {record.scorings} of {SCORINGS}",
        metadata={
            "score": scores.get(gate.score, "none"),
            "minimum": gate.minimum,
            "scoring": record.scorings,
        },
    )
