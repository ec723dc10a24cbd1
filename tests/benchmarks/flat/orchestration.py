"""The orchestrator at work: decisions over ledgers of the event log, and the runs they ask for."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import dagster as dg
from dagster._core.definitions.job_base import InMemoryJob
from dagster._core.execution.api import execute_run_iterator
from dagster._core.storage.tags import (
    ASSET_PARTITION_RANGE_END_TAG,
    ASSET_PARTITION_RANGE_START_TAG,
    PARTITION_NAME_TAG,
)

from orch_dagster.core.decision import Decision, decide, steps_of
from orch_dagster.drive import Workbench
from orch_dagster.event_log import read_ledgers
from tests.benchmarks.flat.reading import Reading, read

_QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


def to_the_end(workbench: Workbench, articles: Sequence[str]) -> Iterator[Reading]:
    """Run what is due on these articles until nothing is; what each decision was made on.

    The sensor's way: ledgers from the event log, a decision on each, runs of what it names.
    Articles that need the same go in one run where they lie side by side in the order in which
    they were registered, which is the order they are given in.
    """
    waiting = list(articles)
    while waiting:
        found = read_ledgers(
            workbench.instance, workbench.declared, waiting, own_run=None, missing={}
        )
        decided = {a: decide(workbench.declared.pipeline, ledger) for a, ledger in found.items()}
        for article, decision in decided.items():
            yield read(found[article], decision.state, runs=bool(decision.actions))
        due = _due(workbench, decided)
        for selection, group in due.items():
            for row in _rows(list(articles), group):
                _run(workbench, selection, row)
        waiting = [article for article in waiting if decided[article].actions]


def _due(
    workbench: Workbench, decided: Mapping[str, Decision]
) -> Mapping[frozenset[dg.AssetKey], list[str]]:
    declared = workbench.declared
    due: dict[frozenset[dg.AssetKey], list[str]] = defaultdict(list)
    for article, decision in decided.items():
        if decision.actions:
            steps = steps_of(declared.pipeline, decision.actions)
            due[frozenset(declared.selection(steps))].append(article)
    return due


def _rows(order: list[str], group: list[str]) -> Iterator[list[str]]:
    """The group in runs of neighbours: a range of partitions takes in all that lie between."""
    row: list[str] = []
    for article in group:
        if row and order.index(article) != order.index(row[-1]) + 1:
            yield row
            row = []
        row.append(article)
    yield row


def _run(workbench: Workbench, selection: frozenset[dg.AssetKey], articles: list[str]) -> None:
    tags = {PARTITION_NAME_TAG: articles[0]}
    if len(articles) > 1:
        tags = {
            ASSET_PARTITION_RANGE_START_TAG: articles[0],
            ASSET_PARTITION_RANGE_END_TAG: articles[-1],
        }
    instance = workbench.instance
    created = instance.create_run_for_job(
        job_def=workbench.job.get_subset(asset_selection=selection),
        run_config=_QUIET,
        tags=tags,
        asset_selection=selection,
    )
    for event in execute_run_iterator(InMemoryJob(workbench.job), created, instance):
        if event.is_step_failure:
            raise RuntimeError(f"run {created.run_id}: {event.message}")
