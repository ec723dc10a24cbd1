"""One heartbeat of the orchestrator: what changed since the last, and what is due because of it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated

import dagster as dg
from dagster._core.event_api import EventRecordsFilter
from pydantic import BaseModel, ConfigDict, Field

from orch_dagster.core.decision import Decision, decide, steps_of
from orch_dagster.core.ledger import Ledger
from orch_dagster.event_log import articles_of, read_ledgers, run_tags
from orch_dagster.process import bury_dead_runs
from orch_dagster.step import DeclaredPipeline

EVENTS_A_BEAT, RUNS_A_BEAT = 2_000, 200
"""What one beat reads at most: after a long pause several beats work off what has gathered."""

_ENDED = [dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED]


class Cursor(BaseModel):
    """How far the event log and the runs have been read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    event: Annotated[int, Field(ge=0)]
    runs_until: float

    @classmethod
    def read(cls, text: str | None) -> "Cursor":
        """The cursor that the last beat left, or the very beginning."""
        return cls.model_validate_json(text) if text else cls(event=0, runs_until=0.0)


@dataclass(frozen=True, slots=True)
class Due:
    """An article on which something is to be run: one run, known by its key for ever."""

    article: str
    decision: Decision
    key: str
    selection: tuple[dg.AssetKey, ...]
    tags: dict[str, str]


@dataclass(frozen=True, slots=True)
class Beat:
    """What one heartbeat found to do, and how far it read. Its cost grows with what changed."""

    due: tuple[Due, ...]
    looked_at: int
    cursor: Cursor


def beat(instance: dg.DagsterInstance, declared: DeclaredPipeline, cursor: Cursor) -> Beat:
    """Read what is new, decide on each article that it concerns; nothing is launched here."""
    bury_dead_runs(instance)
    by_events, event = _articles_of_events(instance, declared, cursor)
    by_runs, runs_until = _articles_of_runs(instance, declared, cursor)
    articles = sorted(by_events | by_runs)
    ledgers = read_ledgers(instance, declared, articles, own_run=None, missing={})
    due = tuple(
        found for ledger in ledgers.values() if (found := due_of(declared, ledger)) is not None
    )
    return Beat(due, len(articles), Cursor(event=event, runs_until=runs_until))


def due_of(declared: DeclaredPipeline, ledger: Ledger) -> Due | None:
    """The run that an article needs now, or None."""
    decision = decide(declared.pipeline, ledger)
    if not decision.actions:
        return None
    return Due(
        article=ledger.article,
        decision=decision,
        key=f"{ledger.article}/{_digest(ledger, decision)}",
        selection=declared.selection(steps_of(declared.pipeline, decision.actions)),
        tags=run_tags(ledger.article, decision),
    )


def _digest(ledger: Ledger, decision: Decision) -> str:
    """The same for the same state of the article: a beat that was cut off launches nothing twice.

    Each attempt changes the state (failures, broken runs), so a run that failed is no obstacle.
    """
    state = {
        "input": ledger.input,
        "records": {name: r.model_dump(mode="json") for name, r in ledger.records.items()},
        "missing": sorted(ledger.missing),
        "broken_runs": ledger.broken_runs,
        "reasons": decision.reasons,
    }
    return sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()[:16]


def _articles_of_events(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, cursor: Cursor
) -> tuple[set[str], int]:
    """Articles with new documents of ours or a new brief, and the last event that was read.

    One query over all assets: the event log is indexed by kind and id.
    """
    records = instance.event_log_storage.get_event_records(
        EventRecordsFilter(
            event_type=dg.DagsterEventType.ASSET_MATERIALIZATION, after_cursor=cursor.event
        ),
        limit=EVENTS_A_BEAT,
        ascending=True,
    )
    ours = {declared.input.key, *declared.records.values()}
    articles = {
        record.partition_key
        for record in records
        if record.asset_key in ours and record.partition_key is not None
    }
    return articles, records[-1].storage_id if records else cursor.event


def _articles_of_runs(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, cursor: Cursor
) -> tuple[set[str], float]:
    """Articles whose run has ended: it may have made nothing, or was in the way before."""
    records = instance.get_run_records(
        dg.RunsFilter(
            statuses=_ENDED, updated_after=datetime.fromtimestamp(cursor.runs_until, UTC)
        ),
        limit=RUNS_A_BEAT,
        order_by="update_timestamp",
        ascending=True,
    )
    known = set(instance.get_dynamic_partitions(declared.articles)) if records else set()
    runs = [record.dagster_run for record in records]
    articles = {a for run in runs for a in articles_of(instance, declared, run, known)}
    return articles, _read_until(records, cursor)


def _read_until(records: Iterable[dg.RunRecord], cursor: Cursor) -> float:
    times = [record.update_timestamp for record in records]
    if not times:
        return cursor.runs_until
    last = max(times)
    if len(times) == RUNS_A_BEAT:  # others of the same moment may have been left out
        last = max(last - timedelta(microseconds=1), datetime.fromtimestamp(cursor.runs_until, UTC))
    return last.timestamp()
