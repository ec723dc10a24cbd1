"""The orchestrator's eyes: ledgers from Dagster's event log and runs, and nothing else."""

from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg
from dagster._core.definitions.data_version import CODE_VERSION_TAG, DATA_VERSION_TAG

from orch_dagster.core.ledger import Document, Ledger, Record
from orch_dagster.core.pipeline import INPUT
from orch_dagster.core.spending import Spending, Spent
from orch_dagster.runs import articles_in_flight, broken_runs
from orch_dagster.spending_table import read_spending, spending_table
from orch_dagster.step import DeclaredPipeline

RECORD, SPENDING, FINGERPRINT = "record", "spending", "fingerprint"
"""Metadata entries: the record as JSON, where its money went as a table of its own, and the
fingerprint of a registered input."""


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

    `own_run` is the run that asks, which does not count as in flight; `missing` names by article
    the steps whose documents a look at the store did not find.
    """
    inputs = newest(instance, declared.input.key, articles)
    events = _newest_of_steps(instance, declared, articles, steps=tuple(declared.records))
    records = _records_by_article(events, articles)
    busy = articles_in_flight(instance, declared, articles, own_run=own_run)
    broken = broken_runs(instance, declared, articles)
    return {
        article: Ledger(
            article=article,
            input=_fingerprint(inputs.get(article)),
            records=records[article],
            missing=missing.get(article, frozenset()),
            running=article in busy,
            broken_runs=broken.get(article, 0),
            budget=declared.budget,
            outdated=_outdated(declared, events, article),
        )
        for article in articles
    }


def read_own_ledgers(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    articles: Sequence[str],
    *,
    steps: tuple[str, ...],
) -> dict[str, Ledger]:
    """The ledgers as a step's own op sees them: the records of these steps and nothing else.

    `INPUT` among the steps stands for what is registered. An op asks what came before its own
    work, not where the article stands; reading all records in each of a run's ops took most of a
    run's time.
    """
    made = tuple(step for step in steps if step != INPUT)
    records = read_records(instance, declared, articles, steps=made)
    inputs = newest(instance, declared.input.key, articles) if INPUT in steps else {}
    return {
        article: Ledger(
            article=article,
            input=_fingerprint(inputs.get(article)),
            records=records[article],
            missing=frozenset(),
            running=False,
            broken_runs=0,
        )
        for article in articles
    }


def read_records(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    articles: Sequence[str],
    *,
    steps: tuple[str, ...],
) -> dict[str, dict[str, Record]]:
    """The newest record of each of these steps, by article."""
    return _records_by_article(
        _newest_of_steps(instance, declared, articles, steps=steps), articles
    )


Events = Mapping[str, Mapping[str, dg.AssetMaterialization]]
"""By step and article, the newest event that carries a record."""


def _newest_of_steps(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    articles: Sequence[str],
    *,
    steps: tuple[str, ...],
) -> Events:
    return {step: newest(instance, declared.records[step], articles) for step in steps}


def _outdated(declared: DeclaredPipeline, events: Events, article: str) -> frozenset[str]:
    """The steps whose newest event was made by other prompts or other code than today's."""
    versions = {one.step.name: one.code_version for one in declared.steps}
    return frozenset(
        step
        for step, found in events.items()
        if (event := found.get(article)) is not None
        and (event.tags or {}).get(CODE_VERSION_TAG) not in (None, versions[step])
    )


def _records_by_article(found: Events, articles: Sequence[str]) -> dict[str, dict[str, Record]]:
    return {
        article: {
            step: record
            for step, events in found.items()
            if (record := _record(events.get(article))) is not None
        }
        for article in articles
    }


def newest(
    instance: dg.DagsterInstance, key: dg.AssetKey, articles: Sequence[str]
) -> dict[str, dg.AssetMaterialization]:
    """The newest materialization of an asset for each of these articles that has one."""
    if not articles:  # Dagster takes no partitions for all of them
        return {}
    if len(articles) == 1:
        one = dg.AssetRecordsFilter(asset_key=key, asset_partitions=list(articles))
        return _by_article(instance.fetch_materializations(one, limit=1).records)
    storage = instance.event_log_storage
    ids = storage.get_latest_storage_id_by_partition(
        key, dg.DagsterEventType.ASSET_MATERIALIZATION, partitions=set(articles)
    )
    if not ids:
        return {}
    records_filter = dg.AssetRecordsFilter(asset_key=key, storage_ids=sorted(ids.values()))
    return _by_article(instance.fetch_materializations(records_filter, limit=len(ids)).records)


def _by_article(found: Sequence[dg.EventLogRecord]) -> dict[str, dg.AssetMaterialization]:
    return {
        event.partition: event
        for record in found
        if (event := record.asset_materialization) is not None and event.partition is not None
    }


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
