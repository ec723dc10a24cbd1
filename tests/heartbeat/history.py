"""A long past, written straight into the log: articles that came to their end long ago.

Each article has the events that its run would have left: its brief, every step's materialization
with a whole record, its run. They are made once through Dagster, and then copied row by row.
"""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

import dagster as dg
from dagster._core.storage.event_log import SqlEventLogStorage
from dagster._core.storage.event_log.schema import SqlEventLogStorageTable

from orch_dagster.basis import ledger_of
from orch_dagster.brief_intake import brief_entry
from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import Episode, Status
from orch_dagster.core.ledger import Document, Record
from orch_dagster.core.pipeline import INPUT, Step
from orch_dagster.enrolment import Enrolment
from orch_dagster.event_log import read_own_bases, record_metadata
from orch_dagster.means import Means
from orch_dagster.shelf import Shelf
from orch_dagster.step import Bench, DeclaredPipeline, Worked
from tests.fakes.memory_store import MemoryStore
from tests.heartbeat.copies import copy_past, forget, left_since, marks
from tests.heartbeat.rows import BreakingTable

MODEL_ARTICLE = "the-article-that-all-are-copied-from"
"""Long and rare, so that it can be replaced wherever it stands."""


def write_history(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, brief: Brief, articles: Sequence[str]
) -> None:
    """Make articles known that were finished in one run each; `brief` has the model's slug."""
    assert brief.slug == MODEL_ARTICLE
    before = marks(instance)
    _leave_model(instance, declared, brief)
    past = left_since(instance, before)
    for row in past.events:
        row["event"] = row["event"].replace(brief.fingerprint(), f"{INPUT} of {brief.slug}")
    forget(instance, before)
    instance.delete_dynamic_partition(declared.articles, brief.slug)
    copy_past(instance, past, of=brief.slug, articles=articles)
    instance.add_dynamic_partitions(declared.articles, list(articles))


def make_unreadable(instance: dg.DagsterInstance, declared: DeclaredPipeline) -> None:
    """Every event but those of the pipeline's finish: who opens another one now, fails."""
    table = SqlEventLogStorageTable
    end = declared.records[declared.pipeline.finish.name].to_string()
    storage = cast(SqlEventLogStorage, instance.event_log_storage)
    with storage.index_connection() as connection:
        others = table.update().where(table.c.asset_key != end)
        connection.execute(others.values(event="no event"))


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


def _leave_model(instance: dg.DagsterInstance, declared: DeclaredPipeline, brief: Brief) -> None:
    """What one finished article leaves: its brief, a record of each step, its row, its run."""
    Enrolment(instance, declared, MemoryStore()).enroll(brief_entry(brief))
    for step in declared.pipeline.steps:
        materialize_record(instance, declared, step, brief.slug)
    _finish(instance, declared, brief.slug)
    run = dg.DagsterRun(
        job_name=declared.name,
        status=dg.DagsterRunStatus.SUCCESS,
        asset_selection=frozenset(declared.selection(tuple(declared.records))),
        tags={"dagster/partition": brief.slug, "orch/decision": "run"},
    )
    instance.run_storage.add_run(run)


def _finish(instance: dg.DagsterInstance, declared: DeclaredPipeline, article: str) -> None:
    """The row, made by its own step and on its basis."""
    steps = (INPUT, *declared.records)
    [seen] = read_own_bases(instance, declared, [article], steps=steps).values()
    # The brief's fingerprint is a hash; the copies' records name it as they name the others.
    basis = seen.model_copy(update={"input": f"{INPUT} of {article}"})
    finish = next(one for one in declared.steps if one.step.name == declared.pipeline.finish.name)
    bench = Bench(
        shelf=Shelf(MemoryStore(), declared.name),
        resources=SimpleNamespace(rows=BreakingTable(times=0)),
        tags={},
        means=Means.of(declared.budget, {}),
    )

    async def work() -> Worked:
        return await finish.work(bench, ledger_of(basis, article))

    worked = asyncio.run(work())
    instance.report_runless_asset_event(
        dg.AssetMaterialization(
            asset_key=finish.record,
            partition=article,
            metadata={**worked.documents[finish.record].metadata, **basis.metadata()},
        )
    )
