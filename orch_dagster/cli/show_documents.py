"""`orch show` for a pipeline of documents: each with its size and score, and what went wrong."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import dagster as dg
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from orch_dagster.cli.opening import Opened
from orch_dagster.cli.outline import outline, printable
from orch_dagster.cli.speaking import out
from orch_dagster.cli.tables import state_text
from orch_dagster.core.decision import standing
from orch_dagster.core.episode import HIGHEST, Status
from orch_dagster.core.ledger import Ledger, Record
from orch_dagster.event_log import newest, read_ledgers
from orch_dagster.process import bury_dead_runs
from orch_dagster.report import article_report
from orch_dagster.step import DocumentSpec, StepDeclaration
from orch_dagster.verify import missing_steps

FAILURE, DECISION = "failure", "decision"
"""The metadata entry in which a step says what went wrong; the document of the last step."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One document in the table; `failure` is what its step said when it failed."""

    document: str
    state: str
    size: str
    record: Record | None
    failure: str | None


def print_documents(opened: Opened, article: str) -> None:
    """The article's documents in order, the recorded decision, and every failure in words."""
    bury_dead_runs(opened.instance)
    ledger = _ledger(opened, article)
    report = article_report(opened.pipeline.declared.pipeline, ledger)
    lines = list(_lines(opened, ledger))
    out.print(f"{article}: {state_text(report['state'])}; {report['next']}", soft_wrap=True)
    out.print(_table(lines))
    for line in lines:
        if line.failure is not None:
            _print(f"{line.document}: {line.failure}", "red")
    for text in _decision(opened, article):
        _print(text, "")


def _ledger(opened: Opened, article: str) -> Ledger:
    declared = opened.pipeline.declared
    [ledger] = read_ledgers(opened.instance, declared, [article], own_run=None, missing={}).values()
    missing = missing_steps(opened.store, declared, [ledger])
    return replace(ledger, missing=missing[article])


def _lines(opened: Opened, ledger: Ledger) -> Iterator[_Line]:
    declared = opened.pipeline.declared
    standing_now = standing(declared.pipeline, ledger)
    for one in declared.steps:
        record = ledger.records.get(one.step.name)
        stands = one.step.name in standing_now
        failure = _failure(opened.instance, one, ledger.article) if record else None
        for document in one.documents:
            data = opened.store.read(document.location.path(ledger.article))
            is_record = document.key == one.record
            yield _Line(
                document=_name(document),
                state=_state(record, data, stands=stands),
                size="" if data is None else f"{len(data):,}",
                record=record if is_record else None,
                failure=failure if is_record else None,
            )


def _name(document: DocumentSpec) -> str:
    return document.location.folder.rpartition("/")[2]


def _state(record: Record | None, data: bytes | None, *, stands: bool) -> str:
    if record is None:
        return "not made yet"
    if record.status is not Status.COMPLETE:
        return str(record.status)
    if data is None:
        return "gone from the store"
    return "there" if stands else "out of date"


def _failure(instance: dg.DagsterInstance, one: StepDeclaration, article: str) -> str | None:
    event = newest(instance, one.record, [article]).get(article)
    found = event.metadata.get(FAILURE) if event else None
    return None if found is None else str(found.value)


def _table(lines: list[_Line]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("document", "state", "bytes", "words", "score", "scorings", "tokens"):
        table.add_column(
            name, justify="left" if name in ("document", "state") else "right", no_wrap=True
        )
    for line in lines:
        table.add_row(line.document, line.state, line.size, *_figures(line.record))
    return table


def _figures(record: Record | None) -> tuple[str, str, str, str]:
    episode = record.episode if record else None
    if record is None or episode is None:
        return ("", "", "", "")
    score = ", ".join(f"{value:g} of {HIGHEST[name]}" for name, value in episode.scores.items())
    scorings = str(record.scorings) if record.scorings else ""
    return (f"{episode.word_count:,}", score, scorings, f"{episode.token_usage:,}")


def _decision(opened: Opened, article: str) -> Iterator[str]:
    """The recorded decision as lines; none where none was taken."""
    declared = opened.pipeline.declared
    for document in declared.documents(declared.pipeline.finish.name):
        data = opened.store.read(document.location.path(article))
        if _name(document) == DECISION and data is not None:
            yield "Decision"
            yield from (f"  {line}" for line in outline(_readable(data)))


def _readable(data: bytes) -> Any:
    text = data.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _print(line: str, style: str) -> None:
    """A line that keeps its indent where the terminal is too narrow for it."""
    text = line.lstrip(" ")
    out.print(Padding(Text(printable(text), style), (0, 0, 0, len(line) - len(text)), expand=False))
