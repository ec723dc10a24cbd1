"""What people are told of an article: its state, what comes next, scores, cost, documents."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import dagster as dg

from orch_dagster.core.decision import Decision, State, decide, standing
from orch_dagster.core.ledger import Ledger, Record
from orch_dagster.core.pipeline import Pipeline
from orch_dagster.event_log import newest
from orch_dagster.step import DeclaredPipeline

ROW = "row"


def state_word(pipeline: Pipeline, decision: Decision) -> str:
    """The article's state in the pipeline's own word for done."""
    return pipeline.ended if decision.state is State.FINISHED else str(decision.state)


def article_report(pipeline: Pipeline, ledger: Ledger) -> dict[str, Any]:
    """One article as `--json` gives it; `next` says in words what is due, or why nothing is."""
    decision = decide(pipeline, ledger)
    libraries = {
        name: _library_report(record)
        for name, record in standing(pipeline, ledger).items()
        if record.episode is not None
    }
    flags = sorted({flag for library in libraries.values() for flag in library["flags"]})
    return {
        "article": ledger.article,
        "pipeline": pipeline.name,
        "state": state_word(pipeline, decision),
        "next": in_short(decision.reasons),
        "flags": flags,
        "tokens": sum(library["tokens"] for library in libraries.values()),
        "cost_usd": _sum_of_known(library["cost_usd"] for library in libraries.values()),
        "libraries": libraries,
    }


def in_short(reasons: Iterable[str]) -> str:
    """Reasons in a line; what holds for several steps is said once, with their names before it."""
    named: dict[str, list[str]] = {}
    for reason in reasons:
        name, colon, why = reason.partition(": ")
        named.setdefault(why if colon else name, []).extend([name] if colon else [])
    return "; ".join(f"{', '.join(names)}: {why}" if names else why for why, names in named.items())


def row_reports(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, articles: Sequence[str]
) -> tuple[dict[str, Any], ...]:
    """The finished rows of these articles, in their order, as `--json` gives them."""
    found = newest(instance, declared.records[declared.pipeline.finish.name], articles)
    rows = (found[article] for article in articles if article in found)
    return tuple(_row_report(row) for row in rows if ROW in row.metadata)


def _row_report(event: dg.AssetMaterialization) -> dict[str, Any]:
    row: Any = event.metadata[ROW].value
    libraries = {name: _row_library(library) for name, library in row["libraries"].items()}
    return {
        "article": row["article"],
        "pipeline": row["pipeline"],
        "state": row["status"],
        "status": row["status"],
        "decision": row["decision"],
        "flags": row["flags"],
        "words": row["word_count"],
        "tokens": row["tokens"],
        "cost_usd": row["cost_usd"],
        "latency_ms": row["latency_ms"],
        "libraries": libraries,
    }


def _row_library(library: Mapping[str, Any]) -> dict[str, Any]:
    document = library["deliverable"] or {"url": None, "bytes": None, "sha256": None}
    return {
        "scores": library["scores"],
        "passes": library["passes"],
        "flags": library["flags"],
        "words": library["word_count"],
        "tokens": library["tokens"],
        "cost_usd": library["cost_usd"],
        "latency_ms": library["latency_ms"],
        "deliverable": document["url"],
        "sha256": document["sha256"],
        "bytes": document["bytes"],
    }


def _library_report(record: Record) -> dict[str, Any]:
    episode, document = record.episode, record.document
    if episode is None:
        raise ValueError("a record without an episode has nothing to report")
    return {
        "status": str(episode.status),
        "scores": episode.scores,
        "passes": record.scorings,
        "flags": [str(flag) for flag in episode.flags],
        "words": episode.word_count,
        "tokens": episode.token_usage,
        "cost_usd": record.cost_usd,
        "latency_ms": episode.latency_ms,
        "deliverable": document.url if document else None,
        "sha256": document.sha256 if document else None,
        "bytes": document.bytes if document else None,
    }


def _sum_of_known(costs: Iterable[float | None]) -> float | None:
    known = list(costs)
    return None if None in known else sum(cost for cost in known if cost is not None)
