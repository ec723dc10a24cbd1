"""What the orchestrator reads: the same for the thousandth article as for the first."""

import json
from collections.abc import Sequence
from dataclasses import replace

import dagster as dg

from assets.content.pipeline import content_pipeline
from orch_dagster.core.decision import State, decide
from orch_dagster.core.episode import Flag
from orch_dagster.core.ledger import Ledger, Record
from orch_dagster.event_log import read_ledgers
from tests.benchmarks.flat.figures import orchestrator
from tests.benchmarks.flat.orchestration import to_the_end
from tests.benchmarks.flat.reading import FLAGGED, UNFLAGGED, Reading, read
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.studio import Studio
from tests.heartbeat.history import MODEL_ARTICLE, write_history
from tests.tokens import tokens

LIBRARIES = 9


def finish(instance: dg.DagsterInstance, articles: Sequence[str]) -> None:
    write_history(instance, content_pipeline().declared, brief(MODEL_ARTICLE), articles)


def ledger_of(instance: dg.DagsterInstance, article: str) -> Ledger:
    declared = content_pipeline().declared
    return read_ledgers(instance, declared, [article], own_run=None, missing={})[article]


def reading_of(instance: dg.DagsterInstance, article: str) -> Reading:
    ledger = ledger_of(instance, article)
    decision = decide(content_pipeline().declared.pipeline, ledger)
    assert decision.state is State.FINISHED
    return read(ledger, decision.state, runs=False)


def flagged(record: Record) -> Record:
    if record.episode is None:
        return record
    episode = record.episode.model_copy(update={"flags": tuple(Flag)})
    return record.model_copy(update={"episode": episode})


def test_the_orchestrator_reads_the_same_at_article_1000_as_at_the_first(
    instance: dg.DagsterInstance,
) -> None:
    """With the whole history in the log, in tokens of what the log gives to a decision."""
    articles = [f"article-{number:04}" for number in range(1, 1_001)]
    finish(instance, articles[:1])
    alone = reading_of(instance, articles[0])
    finish(instance, articles[1:])
    first, last = (reading_of(instance, article) for article in (articles[0], articles[-1]))
    assert len(alone.episodes) == LIBRARIES
    assert alone.context == first.context == last.context <= LIBRARIES * UNFLAGGED
    assert alone.ledger == first.ledger


def test_nine_episodes_with_every_flag_stay_in_the_larger_budget(
    instance: dg.DagsterInstance,
) -> None:
    finish(instance, ["cellar"])
    plain = ledger_of(instance, "cellar")
    records = {name: flagged(record) for name, record in plain.records.items()}
    found = read(replace(plain, records=records), State.NEEDS_REVIEW, runs=False)
    assert len(found.flagged) == LIBRARIES
    assert reading_of(instance, "cellar").context < found.context <= LIBRARIES * FLAGGED
    assert found.keeps_budget
    assert orchestrator([found]).over_budget == 0


def test_each_decision_on_the_way_of_an_article_is_read(studio: Studio) -> None:
    found = to_the_end(studio.workbench, ["cellar", "pantry"])
    assert [(r.article, r.state, r.runs, len(r.episodes)) for r in found] == [
        ("cellar", State.NEW, True, 0),
        ("pantry", State.NEW, True, 0),
        ("cellar", State.FINISHED, False, 2),
        ("pantry", State.REWORK, True, 2),
        ("pantry", State.FINISHED, False, 2),
    ]


def test_a_reading_is_the_decision_views_of_the_stored_episodes(studio: Studio) -> None:
    *_, last = to_the_end(studio.workbench, ["cellar", "pantry"])
    views: list[int] = []
    for library in ("note", "card"):
        wire = json.loads(studio.file(f"content/{library}/episode/pantry.json").read_text())
        del wire["token_usage"], wire["latency_ms"]
        views.append(tokens(json.dumps(wire, separators=(",", ":"))))
    assert sorted(last.episodes) == sorted(views)
    assert last.context == sum(views) < last.ledger
