"""A long past, written straight into the log: articles that came to their end long ago.

Each article has the events that its run would have left: its brief, every step's materialization
with a whole record, its run. They are made once through Dagster, and then copied row by row.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any, cast

import dagster as dg
from dagster._core.storage.event_log import SqlEventLogStorage
from dagster._core.storage.event_log.schema import SqlEventLogStorageTable
from dagster._core.storage.runs import SqlRunStorage
from dagster._core.storage.runs.schema import RunsTable, RunTagsTable
from sqlalchemy import select

from orch_dagster.brief_intake import brief_entry
from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import Episode, Status
from orch_dagster.core.ledger import Document, Record
from orch_dagster.core.pipeline import INPUT, Step
from orch_dagster.enrolment import Enrolment
from orch_dagster.event_log import record_metadata
from orch_dagster.step import DeclaredPipeline
from tests.fakes.memory_store import MemoryStore

MODEL_ARTICLE = "the-article-that-all-are-copied-from"
"""Long and rare, so that it can be replaced wherever it stands."""

_AT_ONCE = 5_000


def write_history(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, brief: Brief, articles: Sequence[str]
) -> None:
    """Make articles known that were finished in one run each; `brief` has the model's slug."""
    assert brief.slug == MODEL_ARTICLE
    events = _model_events(instance, declared, brief)
    run = _model_run(instance, declared)
    storage = cast(SqlEventLogStorage, instance.event_log_storage)
    with storage.index_connection() as connection:
        for rows in _batches(_copy(event, article) for article in articles for event in events):
            connection.execute(SqlEventLogStorageTable.insert(), rows)
    with cast(SqlRunStorage, instance.run_storage).connect() as connection:
        for rows in _batches(_copied_run(run, article) for article in articles):
            connection.execute(RunsTable.insert(), rows)
        tags = (tag for article in articles for tag in _copied_tags(run, article))
        for rows in _batches(tags):
            connection.execute(RunTagsTable.insert(), rows)
    instance.add_dynamic_partitions(declared.articles, list(articles))


def materialize_record(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    step: Step,
    article: str,
    *,
    voice: float = 4.6,
    mark: str = "",
) -> None:
    """One step's event with a whole record, as a run would leave it."""
    for document in declared.documents(step.name):
        record = _record(step, article, voice, mark)
        is_record = document.key == declared.records[step.name]
        instance.report_runless_asset_event(
            dg.AssetMaterialization(
                asset_key=document.key,
                partition=article,
                metadata=record_metadata(record) if is_record else {"words": 2_643},
            )
        )


def _record(step: Step, article: str, voice: float, mark: str) -> Record:
    fingerprints = {need: f"{need} of {article}{mark}" for need in step.needs}
    path = f"file:///store/content/{step.name}/deliverable/{article}.md"
    return Record(
        fingerprint=f"{step.name} of {article}{mark}",
        made_from=fingerprints,
        status=Status.COMPLETE,
        episode=_episode(step, voice) if step.gates else None,
        scorings=1 if step.gates else 0,
        failures=0,
        document=Document(url=path, bytes=17_000, sha256="0" * 64),
        cost_usd=0.0213,
    )


def _episode(step: Step, voice: float) -> Episode:
    return Episode(
        library=step.name,
        status=Status.COMPLETE,
        word_count=2_643,
        voice_consistency=voice,
        coherence_score=4.4,
        assembly_ready=True,
        token_usage=18_420,
        latency_ms=94_300,
    )


def _model_events(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, brief: Brief
) -> list[dict[str, Any]]:
    """The rows of the log that one finished article leaves, in their order."""
    storage = cast(SqlEventLogStorage, instance.event_log_storage)
    before = storage.get_maximum_record_id() or 0
    Enrolment(instance, declared, MemoryStore()).enroll(brief_entry(brief))
    for step in (*declared.pipeline.steps, declared.pipeline.finish):
        materialize_record(instance, declared, step, brief.slug)
    table = SqlEventLogStorageTable
    with storage.index_connection() as connection:
        rows = connection.execute(select(table).where(table.c.id > before).order_by(table.c.id))
        found = [dict(row._mapping) for row in rows]
        connection.execute(table.delete().where(table.c.id > before))
    instance.delete_dynamic_partition(declared.articles, brief.slug)
    for row in found:
        del row["id"]
        # The brief's fingerprint is a hash; the copies' records name it as they name the others.
        row["event"] = row["event"].replace(brief.fingerprint(), f"{INPUT} of {brief.slug}")
    return found


def _copy(row: Mapping[str, Any], article: str) -> dict[str, Any]:
    event = row["event"].replace(MODEL_ARTICLE, article)
    return {**row, "event": event, "partition": row["partition"] and article}


def _model_run(instance: dg.DagsterInstance, declared: DeclaredPipeline) -> dict[str, Any]:
    run = dg.DagsterRun(
        job_name=declared.name,
        status=dg.DagsterRunStatus.SUCCESS,
        asset_selection=frozenset(declared.selection(tuple(declared.records))),
        tags={"dagster/partition": MODEL_ARTICLE, "orch/decision": "run"},
    )
    instance.run_storage.add_run(run)
    storage = cast(SqlRunStorage, instance.run_storage)
    with storage.connect() as connection:
        found = connection.execute(select(RunsTable).where(RunsTable.c.run_id == run.run_id))
        row = dict(found.one()._mapping)
    del row["id"]
    return row


def _copied_run(row: Mapping[str, Any], article: str) -> dict[str, Any]:
    run_id = _run_id(article)
    body = row["run_body"].replace(row["run_id"], run_id).replace(MODEL_ARTICLE, article)
    then = datetime.fromtimestamp(1_700_000_000, UTC).replace(tzinfo=None)
    return {
        **row, "run_id": run_id, "run_body": body, "partition": article, "update_timestamp": then,
    }  # fmt: skip


def _copied_tags(row: Mapping[str, Any], article: str) -> Iterator[dict[str, str]]:
    for key in json.loads(row["run_body"])["tags"]:
        value = article if key == "dagster/partition" else "run"
        yield {"run_id": _run_id(article), "key": key, "value": value}


def _run_id(article: str) -> str:
    return f"run of {article}"


def _batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    left = iter(rows)
    while batch := list(islice(left, _AT_ONCE)):
        yield batch
