"""The orchestrator's eyes: ledgers from Dagster's event log and runs, and nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import dagster as dg
from dagster._core.definitions.data_version import CODE_VERSION_TAG, DATA_VERSION_TAG
from dagster._core.event_api import EventRecordsFilter

from orch_dagster.basis import Basis, read_basis
from orch_dagster.core.ledger import Document, Ledger, Record
from orch_dagster.core.pipeline import INPUT
from orch_dagster.core.spending import Spending, Spent
from orch_dagster.portions import portions
from orch_dagster.runs import articles_in_flight, broken_runs
from orch_dagster.spending_table import read_spending, spending_table
from orch_dagster.step import DeclaredPipeline

RECORD, SPENDING, FINGERPRINT = "record", "spending", "fingerprint"
"""Metadata entries: the record as JSON, where its money went as a table of its own, and the
fingerprint of a registered input."""

_MADE = dg.DagsterEventType.ASSET_MATERIALIZATION


def record_metadata(record: Record) -> dict[str, Any]:
    """A record as materialization metadata: whole for the orchestrator, in figures for plots."""
    figures: dict[str, Any] = {"scoring": record.scorings}
    if record.cost_usd is not None:
        figures["cost_usd"] = dg.MetadataValue.float(record.cost_usd)
    if episode := record.episode:
        figures |= {name: dg.MetadataValue.float(value) for name, value in episode.scores.items()}
        figures |= {
            "status": str(episode.status),
            "words": episode.word_count,
            "tokens": episode.token_usage,
            "latency_ms": episode.latency_ms,
            "flags": ", ".join(episode.flags) or "none",
        }
    if record.document:
        figures |= document_metadata(record.document)
    if record.spending != Spending():
        figures[SPENDING] = dg.MetadataValue.md(spending_table(record.spending))
        figures |= spent_metadata(record.spending.current)
    told = record.model_dump(mode="json", exclude={"spending"})
    return {RECORD: dg.MetadataValue.json(told), **figures}


def spent_metadata(spent: Spent) -> dict[str, Any]:
    """What calls took, in figures for plots; a count of tokens that is unknown is left out."""
    tokens = spent.usage.model_dump(exclude_none=True)
    return {**tokens, "tries": spent.tries, "waited_ms": spent.waited_ms}


def document_metadata(document: Document) -> dict[str, Any]:
    """What people see of a document in the UI."""
    return {
        "url": dg.MetadataValue.url(document.url),
        "bytes": document.bytes,
        "sha256": document.sha256,
    }


def register(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    *,
    article: str,
    fingerprint: str,
    metadata: Mapping[str, Any],
) -> None:
    """Make an article's input known: a version of the input asset, and a partition."""
    # The partition first: an event of an article that is no partition would launch a broken run.
    instance.add_dynamic_partitions(declared.articles, [article])
    # Dagster's staleness of what is made from an external asset looks at its observations only,
    # and compares them with a pointer to the newest event: so the observation comes first.
    for kind in (dg.AssetObservation, dg.AssetMaterialization):
        instance.report_runless_asset_event(
            kind(
                asset_key=declared.input.key,
                partition=article,
                metadata={FINGERPRINT: fingerprint, **metadata},
                tags={DATA_VERSION_TAG: fingerprint},
            )
        )


def read_ledgers(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    articles: Sequence[str],
    *,
    own_run: str | None,
    missing: Mapping[str, frozenset[str]],
) -> dict[str, Ledger]:
    """The ledger of each article, from the newest materialization of each step's record.

    Where an article has come to its end and nothing is newer, that one event tells all of it (see
    `Basis`). `own_run` is the run that asks, which does not count as in flight; `missing` names by
    article the steps whose documents a look at the store did not find.
    """
    found: dict[str, Ledger] = {}
    for some in portions(articles):
        ids = _newest_ids(instance, declared, some)
        bases = _bases_of_ended(instance, declared, ids)
        others = {article: ids[article] for article in some if article not in bases}
        bases |= _bases(instance, declared, others)
        found |= _ledgers(instance, declared, some, bases, own_run=own_run, missing=missing)
    return found


def _ledgers(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    articles: Sequence[str],
    bases: Mapping[str, Basis],
    *,
    own_run: str | None,
    missing: Mapping[str, frozenset[str]],
) -> dict[str, Ledger]:
    busy = articles_in_flight(instance, declared, articles, own_run=own_run)
    broken = broken_runs(instance, declared, articles)
    return {
        article: Ledger(
            article=article,
            input=bases[article].input,
            records=bases[article].records,
            missing=missing.get(article, frozenset()),
            running=article in busy,
            broken_runs=broken.get(article, 0),
            budget=declared.budget,
            outdated=_outdated(declared, bases[article]),
        )
        for article in articles
    }


def read_own_bases(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    articles: Sequence[str],
    *,
    steps: tuple[str, ...],
) -> dict[str, Basis]:
    """What a step's own op sees: the records of these steps and nothing else.

    `INPUT` among the steps stands for what is registered. An op asks what came before its own
    work, not where the article stands; reading all records in each of a run's ops took most of a
    run's time.
    """
    found = {step: _newest(instance, _key(declared, step), articles) for step in steps}
    return {
        article: _basis({step: by[article] for step, by in found.items() if article in by})
        for article in articles
    }


def newest(
    instance: dg.DagsterInstance, key: dg.AssetKey, articles: Sequence[str]
) -> dict[str, dg.AssetMaterialization]:
    """The newest materialization of an asset for each of these articles that has one."""
    found: dict[str, dg.AssetMaterialization] = {}
    for some in portions(articles):
        found |= {
            article: event
            for article, record in _newest(instance, key, some).items()
            if (event := record.asset_materialization) is not None
        }
    return found


def _newest(
    instance: dg.DagsterInstance, key: dg.AssetKey, articles: Sequence[str]
) -> dict[str, dg.EventLogRecord]:
    if not articles:  # Dagster takes no partitions for all of them
        return {}
    if len(articles) == 1:  # one query instead of two
        one = dg.AssetRecordsFilter(asset_key=key, asset_partitions=list(articles))
        records = instance.fetch_materializations(one, limit=1).records
        return dict(zip(articles, records, strict=False))
    storage = instance.event_log_storage
    ids = storage.get_latest_storage_id_by_partition(key, _MADE, partitions=set(articles))
    events = _events(instance, ids.values())
    return {article: events[event] for article, event in ids.items() if event in events}


def _newest_ids(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, articles: Sequence[str]
) -> dict[str, dict[str, int]]:
    """By article and step the storage id of its newest event; nothing is unpacked."""
    found: dict[str, dict[str, int]] = {article: {} for article in articles}
    for step in (INPUT, *declared.records):
        newest_of = instance.event_log_storage.get_latest_storage_id_by_partition
        ids = newest_of(_key(declared, step), _MADE, partitions=set(articles))
        for article, event in ids.items():
            found[article][step] = event
    return found


def _bases_of_ended(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, ids: Mapping[str, Mapping[str, int]]
) -> dict[str, Basis]:
    """The bases of those articles whose newest events are the ones that their end was decided on."""
    finish = declared.pipeline.finish.name
    ends = {article: steps[finish] for article, steps in ids.items() if finish in steps}
    events = _events(instance, ends.values())
    found: dict[str, Basis] = {}
    for article, end in ends.items():
        event = events[end].asset_materialization if end in events else None
        basis = read_basis(event) if event else None
        if basis and {**basis.events, finish: end} == ids[article]:
            found[article] = basis.with_end(
                finish, end, version=_version(event), record=_record(event)
            )
    return found


def _bases(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, ids: Mapping[str, Mapping[str, int]]
) -> dict[str, Basis]:
    """The bases of these articles, each from these events of it."""
    events = _events(instance, (event for steps in ids.values() for event in steps.values()))
    return {
        article: _basis({step: events[event] for step, event in steps.items() if event in events})
        for article, steps in ids.items()
    }


def _basis(events: Mapping[str, dg.EventLogRecord]) -> Basis:
    return Basis(
        events={step: event.storage_id for step, event in events.items()},
        versions={
            step: version
            for step, event in events.items()
            if (version := _version(event.asset_materialization)) is not None
        },
        input=_fingerprint(events[INPUT].asset_materialization) if INPUT in events else None,
        records={
            step: record
            for step, event in events.items()
            if step != INPUT and (record := _record(event.asset_materialization)) is not None
        },
    )


def _events(instance: dg.DagsterInstance, ids: Iterable[int]) -> dict[int, dg.EventLogRecord]:
    """These events by their storage ids; an asset that was wiped meanwhile has none any more."""
    found: dict[int, dg.EventLogRecord] = {}
    for some in portions(sorted(ids)):
        wanted = EventRecordsFilter(event_type=_MADE, storage_ids=some)
        records = instance.event_log_storage.get_event_records(wanted, limit=len(some))
        found |= {record.storage_id: record for record in records}
    return found


def _key(declared: DeclaredPipeline, step: str) -> dg.AssetKey:
    return declared.input.key if step == INPUT else declared.records[step]


def _outdated(declared: DeclaredPipeline, basis: Basis) -> frozenset[str]:
    """The steps whose newest event was made by other prompts or other code than today's."""
    versions = {one.step.name: one.code_version for one in declared.steps}
    return frozenset(
        step for step, version in basis.versions.items() if versions.get(step, version) != version
    )


def _version(event: dg.AssetMaterialization | None) -> str | None:
    return None if event is None else (event.tags or {}).get(CODE_VERSION_TAG)


def _fingerprint(event: dg.AssetMaterialization | None) -> str | None:
    return None if event is None else str(event.metadata[FINGERPRINT].value)


def _record(event: dg.AssetMaterialization | None) -> Record | None:
    if event is None or RECORD not in event.metadata:
        return None
    record: Any = event.metadata[RECORD].value
    found = Record.model_validate(record)
    if SPENDING not in event.metadata:
        return found
    spending = read_spending(str(event.metadata[SPENDING].value))
    return found.model_copy(update={"spending": spending})
