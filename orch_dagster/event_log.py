"""The orchestrator's eyes: ledgers from Dagster's event log and runs, and nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import dagster as dg
from dagster._core.definitions.data_version import DATA_VERSION_TAG
from dagster._core.storage.dagster_run import IN_PROGRESS_RUN_STATUSES
from dagster._core.storage.tags import (
    ASSET_PARTITION_RANGE_END_TAG,
    ASSET_PARTITION_RANGE_START_TAG,
    PARTITION_NAME_TAG,
)

from orch_dagster.core.decision import Decision
from orch_dagster.core.ledger import Document, Ledger, Record
from orch_dagster.core.pipeline import INPUT
from orch_dagster.process import PROCESS_TAG
from orch_dagster.step import DeclaredPipeline

RECORD, FINGERPRINT = "record", "fingerprint"
"""Metadata entries: the whole record as JSON, and the fingerprint of a registered input."""

PERSON_TAG, REASON_TAG, DECISION_TAG = "orch/by_person", "orch/reason", "orch/decision"
"""On runs: that a person asked, so earlier failures are forgiven; why, and what was decided."""

APPROVED_TAG = "orch/approved"
"""On a run of the row alone: a person has lifted the review."""

_BROKEN = [dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED]

_RUNS_LOOKED_AT = 8
"""Newest runs of an article that are read to count the broken ones; more than can be in a row."""


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
    return {RECORD: dg.MetadataValue.json(record.model_dump(mode="json")), **figures}


def document_metadata(document: Document) -> dict[str, Any]:
    """What people see of a document in the UI."""
    return {
        "url": dg.MetadataValue.url(document.url),
        "bytes": document.bytes,
        "sha256": document.sha256,
    }


def run_tags(article: str, decision: Decision) -> dict[str, str]:
    """The tags of a run that carries out a decision on one article."""
    kinds = dict.fromkeys(type(action).__name__.lower() for action in decision.actions)
    return {
        PARTITION_NAME_TAG: article,
        DECISION_TAG: ", ".join(kinds),
        REASON_TAG: "; ".join(decision.reasons)[:1000],
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
    records = read_records(instance, declared, articles, steps=tuple(declared.records))
    busy = articles_of(instance, declared, _in_flight(instance, declared, articles, own_run))
    broken = _broken_runs(instance, declared, articles)
    return {
        article: Ledger(
            article=article,
            input=_fingerprint(inputs.get(article)),
            records=records[article],
            missing=missing.get(article, frozenset()),
            running=article in busy,
            broken_runs=broken.get(article, 0),
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
    found = {step: newest(instance, declared.records[step], articles) for step in steps}
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
    return Record.model_validate(event.metadata[RECORD].value)


def runs_at_work(
    instance: dg.DagsterInstance, declared: DeclaredPipeline
) -> tuple[dg.RunRecord, ...]:
    """The runs of this pipeline that go on now, those included that a process is about to begin.

    A run that the daemon has made and not yet queued is left out: Dagster queues it when it is
    asked for again.
    """
    statuses = [*IN_PROGRESS_RUN_STATUSES, dg.DagsterRunStatus.NOT_STARTED]
    return tuple(
        record
        for record in instance.get_run_records(dg.RunsFilter(statuses=statuses))
        if _concerns(record.dagster_run, declared) and _is_at_work(record.dagster_run)
    )


def _is_at_work(run: dg.DagsterRun) -> bool:
    return run.status is not dg.DagsterRunStatus.NOT_STARTED or PROCESS_TAG in run.tags


def _in_flight(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    articles: Sequence[str],
    own_run: str | None,
) -> list[dg.DagsterRun]:
    """The runs at work, and those in the queue that may concern these articles."""
    at_work = [record.dagster_run for record in runs_at_work(instance, declared)]
    queued = _queued(instance, {PARTITION_NAME_TAG: list(articles)}) if articles else []
    if instance.get_run_tags([ASSET_PARTITION_RANGE_START_TAG], limit=1):
        queued += _queued(instance, {})
    others = [run for run in queued if _concerns(run, declared)]
    return [run for run in (*at_work, *others) if run.run_id != own_run]


def _queued(
    instance: dg.DagsterInstance, tags: Mapping[str, str | Sequence[str]]
) -> list[dg.DagsterRun]:
    queued = dg.RunsFilter(statuses=[dg.DagsterRunStatus.QUEUED], tags=tags)
    return list(instance.get_runs(queued))


def _concerns(run: dg.DagsterRun, declared: DeclaredPipeline) -> bool:
    if run.asset_selection:
        return not run.asset_selection.isdisjoint(declared.selection(tuple(declared.records)))
    return run.job_name == declared.name


def articles_of(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, runs: Iterable[dg.DagsterRun]
) -> set[str]:
    """The articles that these runs work on, each alone or in a chunk."""
    found: set[str] = set()
    keys: list[str] | None = None
    for run in runs:
        if PARTITION_NAME_TAG in run.tags:
            found.add(run.tags[PARTITION_NAME_TAG])
        elif ASSET_PARTITION_RANGE_START_TAG in run.tags:
            if keys is None:  # all of them: only where it must be
                keys = list(instance.get_dynamic_partitions(declared.articles))
            found.update(_range(run, keys))
    return found


def _range(run: dg.DagsterRun, keys: list[str]) -> list[str]:
    start = run.tags[ASSET_PARTITION_RANGE_START_TAG]
    end = run.tags.get(ASSET_PARTITION_RANGE_END_TAG, start)
    if start not in keys or end not in keys:
        return []
    return keys[keys.index(start) : keys.index(end) + 1]


def _broken_runs(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, articles: Sequence[str]
) -> dict[str, int]:
    """By article, where there are any: how many of its newest runs broke in a row."""
    if not articles:
        return {}
    broken = instance.get_runs(
        dg.RunsFilter(statuses=_BROKEN, tags={PARTITION_NAME_TAG: list(articles)})
    )
    suspects = {run.tags[PARTITION_NAME_TAG] for run in broken}
    return {article: _broken_in_a_row(instance, declared, article) for article in suspects}


def _broken_in_a_row(instance: dg.DagsterInstance, declared: DeclaredPipeline, article: str) -> int:
    runs = instance.get_runs(
        dg.RunsFilter(tags={PARTITION_NAME_TAG: article}), limit=_RUNS_LOOKED_AT
    )
    broken = 0
    for run in runs:
        if not _concerns(run, declared):
            continue
        if run.status in _BROKEN:
            broken += 1
        elif run.status is dg.DagsterRunStatus.SUCCESS:
            break
        if PERSON_TAG in run.tags:
            break
    return broken
