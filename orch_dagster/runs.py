"""Dagster's runs as the orchestrator sees them: which articles each is on, and how it ended."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

import dagster as dg
from dagster._core.storage.dagster_run import IN_PROGRESS_RUN_STATUSES
from dagster._core.storage.tags import (
    ASSET_PARTITION_RANGE_END_TAG,
    ASSET_PARTITION_RANGE_START_TAG,
    PARTITION_NAME_TAG,
)

from orch_dagster.core.decision import Decision
from orch_dagster.portions import portions
from orch_dagster.process import CHUNK_TAG, PROCESS_TAG
from orch_dagster.step import DeclaredPipeline

ARTICLES_TAG = "orch/articles"
"""On a run of several articles: their keys, as a JSON list. To Dagster it is a run of the first one:
it knows runs of one partition, or of a range that holds every key between its ends, as a backfill
makes them."""

PERSON_TAG, REASON_TAG, DECISION_TAG = "orch/by_person", "orch/reason", "orch/decision"
"""On runs: that a person asked, so earlier failures are forgiven; why, and what was decided."""

APPROVED_TAG = "orch/approved"
"""On a run of the row alone: a person has lifted the review."""

_BROKEN = [dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED]
_ENDED = [dg.DagsterRunStatus.SUCCESS, *_BROKEN]

_RUNS_LOOKED_AT = 8
"""Newest runs of an article that are read to count the broken ones; more than can be in a row."""

_CHUNKS_LOOKED_AT = 100
"""Newest runs of several articles that are read for the same."""

_LONGEST_REASON = 1_000


def article_tags(articles: Sequence[str]) -> dict[str, str]:
    """The tags that say which articles a run is on."""
    lead = {PARTITION_NAME_TAG: articles[0]}
    if len(articles) == 1:
        return lead
    return {**lead, ARTICLES_TAG: json.dumps(list(articles)), CHUNK_TAG: "true"}


def decision_tags(decisions: Mapping[str, Decision]) -> dict[str, str]:
    """The tags that say why a run is made, for people; by article what was decided."""
    actions = [action for decision in decisions.values() for action in decision.actions]
    kinds = dict.fromkeys(type(action).__name__.lower() for action in actions)
    reasons = ["; ".join(decision.reasons) for decision in decisions.values()]
    if len(decisions) > 1:
        reasons = [f"{article}: {why}" for article, why in zip(decisions, reasons, strict=True)]
    reason = "; ".join(reasons)
    if len(reason) > _LONGEST_REASON:
        reason = reason[: _LONGEST_REASON - 1] + "…"
    return {DECISION_TAG: ", ".join(kinds), REASON_TAG: reason}


def listed_articles(run: dg.DagsterRun) -> tuple[str, ...] | None:
    """The articles that a run of several lists, or None where it is one of a partition or a range."""
    tag = run.tags.get(ARTICLES_TAG)
    return None if tag is None else tuple(json.loads(tag))


def articles_of(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, runs: Iterable[dg.DagsterRun]
) -> set[str]:
    """The articles that these runs work on, each alone or with others."""
    return keys_of(runs, lambda: instance.get_dynamic_partitions(declared.articles))


def keys_of(runs: Iterable[dg.DagsterRun], known: Callable[[], Sequence[str]]) -> set[str]:
    """The partitions that these runs work on; `known` gives all that there are, in their order."""
    found: set[str] = set()
    keys: Sequence[str] | None = None
    for run in runs:
        if (listed := listed_articles(run)) is not None:
            found.update(listed)
        elif PARTITION_NAME_TAG in run.tags:
            found.add(run.tags[PARTITION_NAME_TAG])
        elif ASSET_PARTITION_RANGE_START_TAG in run.tags:
            if keys is None:  # all of them: only where it must be
                keys = known()
            found.update(_range(run, keys))
    return found


def _range(run: dg.DagsterRun, keys: Sequence[str]) -> Sequence[str]:
    start = run.tags[ASSET_PARTITION_RANGE_START_TAG]
    end = run.tags.get(ASSET_PARTITION_RANGE_END_TAG, start)
    if start not in keys or end not in keys:
        return []
    return keys[keys.index(start) : keys.index(end) + 1]


def runs_at_work(
    instance: dg.DagsterInstance, declared: DeclaredPipeline
) -> tuple[dg.RunRecord, ...]:
    """The runs of this pipeline that go on now, those included that a process is about to begin.

    A run that the daemon has made and not yet queued is left out: Dagster queues it when it is
    asked for again.
    """
    return tuple(
        record for record in all_runs_at_work(instance) if _concerns(record.dagster_run, declared)
    )


def all_runs_at_work(instance: dg.DagsterInstance) -> tuple[dg.RunRecord, ...]:
    """The same of all pipelines."""
    statuses = [*IN_PROGRESS_RUN_STATUSES, dg.DagsterRunStatus.NOT_STARTED]
    records = instance.get_run_records(dg.RunsFilter(statuses=statuses))
    return tuple(record for record in records if _is_at_work(record.dagster_run))


def _is_at_work(run: dg.DagsterRun) -> bool:
    return run.status is not dg.DagsterRunStatus.NOT_STARTED or PROCESS_TAG in run.tags


def articles_in_flight(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    articles: Sequence[str],
    *,
    own_run: str | None,
) -> set[str]:
    """The articles that a run other than `own_run` is at work on, and of these those in a queue."""
    at_work = [record.dagster_run for record in runs_at_work(instance, declared)]
    queued = _queued(instance, {PARTITION_NAME_TAG: list(articles)}) if articles else []
    # Only runs of several articles are looked at whole: thousands of others may wait in the queue.
    queued += _queued(instance, {CHUNK_TAG: "true"})
    for _, starts in instance.get_run_tags([ASSET_PARTITION_RANGE_START_TAG]):
        for some in portions(sorted(starts)):
            queued += _queued(instance, {ASSET_PARTITION_RANGE_START_TAG: some})
    others = [run for run in queued if _concerns(run, declared)]
    found = [run for run in (*at_work, *others) if run.run_id != own_run]
    return articles_of(instance, declared, found)


def _queued(
    instance: dg.DagsterInstance, tags: Mapping[str, str | Sequence[str]]
) -> list[dg.DagsterRun]:
    queued = dg.RunsFilter(statuses=[dg.DagsterRunStatus.QUEUED], tags=tags)
    return list(instance.get_runs(queued))


def _concerns(run: dg.DagsterRun, declared: DeclaredPipeline) -> bool:
    if run.asset_selection:
        return not run.asset_selection.isdisjoint(declared.selection(tuple(declared.records)))
    return run.job_name == declared.name


def last_runs_ended(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, articles: Iterable[str]
) -> dict[str, str]:
    """By article, where there is one: the id of its newest run that has ended."""
    chunks = _chunks(instance, _ENDED)
    found = {
        article: _runs_of(instance, declared, article, statuses=_ENDED, chunks=chunks)
        for article in articles
    }
    return {article: runs[0].run_id for article, runs in found.items() if runs}


def broken_runs(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, articles: Sequence[str]
) -> dict[str, int]:
    """By article, where there are any: how many of its newest runs broke in a row."""
    if not articles:
        return {}
    alone = dg.RunsFilter(statuses=_BROKEN, tags={PARTITION_NAME_TAG: list(articles)})
    broken = [*instance.get_run_records(alone), *_chunks(instance, _BROKEN)]
    on = articles_of(instance, declared, [record.dagster_run for record in broken])
    suspects = on & set(articles)
    chunks = _chunks(instance, None) if suspects else []
    return {article: _broken_in_a_row(instance, declared, article, chunks) for article in suspects}


def _broken_in_a_row(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    article: str,
    chunks: Sequence[dg.RunRecord],
) -> int:
    broken = 0
    for run in _runs_of(instance, declared, article, statuses=None, chunks=chunks):
        if run.status in _BROKEN:
            broken += 1
        elif run.status is dg.DagsterRunStatus.SUCCESS:
            break
        if PERSON_TAG in run.tags:
            break
    return broken


def _chunks(
    instance: dg.DagsterInstance, statuses: list[dg.DagsterRunStatus] | None
) -> list[dg.RunRecord]:
    chunks = dg.RunsFilter(statuses=statuses, tags={CHUNK_TAG: "true"})
    return list(instance.get_run_records(chunks, limit=_CHUNKS_LOOKED_AT))


def _runs_of(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    article: str,
    *,
    statuses: list[dg.DagsterRunStatus] | None,
    chunks: Sequence[dg.RunRecord],
) -> list[dg.DagsterRun]:
    """The newest runs of this pipeline on an article, alone or with others, newest first."""
    alone = instance.get_run_records(
        dg.RunsFilter(statuses=statuses, tags={PARTITION_NAME_TAG: article}), limit=_RUNS_LOOKED_AT
    )
    with_others = [
        one for one in chunks if article in articles_of(instance, declared, [one.dagster_run])
    ]
    found = {record.storage_id: record.dagster_run for record in (*alone, *with_others)}
    return [found[key] for key in sorted(found, reverse=True) if _concerns(found[key], declared)]
