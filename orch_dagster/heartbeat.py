"""One heartbeat of the orchestrator: what changed since the last, and what is due because of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated

import dagster as dg
from dagster._core.event_api import EventRecordsFilter
from pydantic import BaseModel, ConfigDict, Field

from orch_dagster.core.decision import Decision, State, decide, groups
from orch_dagster.event_log import read_ledgers
from orch_dagster.process import bury_dead_runs
from orch_dagster.runs import article_tags, articles_of, decision_tags, last_runs_ended
from orch_dagster.step import DeclaredPipeline

EVENTS_A_BEAT, ARTICLES_A_BEAT, RUNS_A_BEAT = 2_000, 100, 100
"""What one beat reads at most: after a long pause several beats work off what has gathered."""

ARTICLES_A_ROUND = 100
"""How many articles each beat visits on its round."""

_MADE = dg.DagsterEventType.ASSET_MATERIALIZATION
_ENDED = [dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED]


class Cursor(BaseModel):
    """How far the event log and the runs have been read, and where the round has come to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    event: Annotated[int, Field(ge=0)]
    runs_until: float
    round: str | None

    @classmethod
    def read(cls, text: str | None) -> "Cursor | None":
        """The cursor that the last beat left; None before the first."""
        return cls.model_validate_json(text) if text else None


@dataclass(frozen=True, slots=True)
class Due:
    """One run that is due, on these articles; it is known by its key for ever."""

    articles: tuple[str, ...]
    state: State
    key: str
    selection: tuple[dg.AssetKey, ...]
    tags: dict[str, str]


@dataclass(frozen=True, slots=True)
class Beat:
    """What one heartbeat found to do, and how far it read. Its cost grows with what changed."""

    due: tuple[Due, ...]
    looked_at: int
    cursor: Cursor


def beat(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    cursor: Cursor | None,
    *,
    articles_per_run: int,
) -> Beat:
    """Read what is new, decide on each article that it concerns; nothing is launched here.

    Each beat also visits some articles on a round through those without an end: an event may come
    into the log behind one that was read already, and the first beat finds all of them so.
    """
    bury_dead_runs(instance)
    since = cursor or _now(instance)
    by_events, event = _articles_of_events(instance, declared, since)
    by_runs, runs_until = _articles_of_runs(instance, declared, since)
    on_round, place = _articles_on_round(instance, declared, since)
    articles = sorted(by_events | by_runs | on_round)
    ledgers = read_ledgers(instance, declared, articles, own_run=None, missing={})
    decided = {article: decide(declared.pipeline, ledger) for article, ledger in ledgers.items()}
    due = runs_due(instance, declared, decided, articles_per_run=articles_per_run)
    return Beat(due, len(articles), Cursor(event=event, runs_until=runs_until, round=place))


def runs_due(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    decided: Mapping[str, Decision],
    *,
    articles_per_run: int,
) -> tuple[Due, ...]:
    """The runs that carry out what was decided, each on articles for which the same steps are due.

    The key names each article's last run that has ended: two beats that see the same state, or one
    that was cut off, launch one run; and a run that failed is no obstacle to the next.
    """
    due = {article: decision for article, decision in decided.items() if decision.actions}
    before = last_runs_ended(instance, declared, due)
    return tuple(
        Due(
            articles=tuple(group),
            state=next(iter(group.values())).state,
            key=_key({article: before.get(article, "none") for article in group}),
            selection=declared.selection(steps),
            tags={**article_tags(tuple(group)), **decision_tags(group)},
        )
        for steps, group in groups(declared.pipeline, due, most=articles_per_run)
    )


def _key(before: Mapping[str, str]) -> str:
    """The key of a run on these articles, whose last runs are named."""
    first, *others = [f"{article} after {run}" for article, run in before.items()]
    if not others:
        return first
    return f"{len(before)} articles {sha256(json.dumps([first, *others]).encode()).hexdigest()}"


def _now(instance: dg.DagsterInstance) -> Cursor:
    """Where a first beat begins: what came before is found on the round.

    An article that came to its end before is let be, under whatever gates it did.
    """
    newest = instance.get_run_records(
        dg.RunsFilter(statuses=_ENDED), limit=1, order_by="update_timestamp"
    )
    return Cursor(
        event=instance.event_log_storage.get_maximum_record_id() or 0,
        runs_until=newest[0].update_timestamp.timestamp() if newest else 0.0,
        round=None,
    )


def _articles_of_events(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, since: Cursor
) -> tuple[set[str], int]:
    """Articles with new documents of ours or a new brief, and the last event that was read.

    One query over all assets: the event log is indexed by kind and id.
    """
    records = instance.event_log_storage.get_event_records(
        EventRecordsFilter(event_type=_MADE, after_cursor=since.event),
        limit=EVENTS_A_BEAT,
        ascending=True,
    )
    ours = {declared.input.key, *declared.records.values()}
    articles: set[str] = set()
    read = since.event
    for record in records:
        article = record.partition_key
        if record.asset_key in ours and article is not None and article not in articles:
            if len(articles) == ARTICLES_A_BEAT:
                break
            articles.add(article)
        read = record.storage_id
    return articles, read


def _articles_of_runs(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, since: Cursor
) -> tuple[set[str], float]:
    """Articles whose run has ended: it may have made nothing, or was in the way before."""
    records = instance.get_run_records(
        dg.RunsFilter(statuses=_ENDED, updated_after=datetime.fromtimestamp(since.runs_until, UTC)),
        limit=RUNS_A_BEAT,
        order_by="update_timestamp",
        ascending=True,
    )
    articles = articles_of(instance, declared, [record.dagster_run for record in records])
    return articles, records[-1].update_timestamp.timestamp() if records else since.runs_until


def _articles_on_round(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, since: Cursor
) -> tuple[set[str], str | None]:
    """Articles of this beat's part of the round that have come to no end since their last brief."""
    page = instance.get_paginated_dynamic_partitions(
        declared.articles, limit=ARTICLES_A_ROUND, ascending=True, cursor=since.round
    )
    if not page.results:
        return set(), None
    newest = instance.event_log_storage.get_latest_storage_id_by_partition
    visited = set(page.results)
    briefs = newest(declared.input.key, _MADE, partitions=visited)
    ends = newest(declared.records[declared.pipeline.finish.name], _MADE, partitions=visited)
    unended = {article for article, brief in briefs.items() if ends.get(article, 0) < brief}
    return unended, page.cursor if page.has_more else None
