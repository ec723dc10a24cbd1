"""What `orch run` and `orch demo` share: register briefs, drive their articles, report."""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from orch_dagster.brief_file import BriefError, brief_files, read_brief
from orch_dagster.cli.bars import progress_bars
from orch_dagster.cli.opening import Opened
from orch_dagster.cli.speaking import NOT_ALL_ENDED, err, fail, out
from orch_dagster.cli.tables import articles_table, headline, libraries_table
from orch_dagster.core.brief import Brief
from orch_dagster.core.decision import Decision, Rework, State
from orch_dagster.drive import drive
from orch_dagster.event_log import register
from orch_dagster.report import article_report, row_reports
from orch_dagster.shelf import Shelf


def read_briefs(paths: Sequence[Path]) -> tuple[tuple[Brief, ...], tuple[str, ...]]:
    """The good briefs of these files and folders, and a sentence for every mistake in the others."""
    briefs: dict[str, Brief] = {}
    mistakes: list[str] = []
    for path in paths:
        try:
            for file in brief_files(path):
                _take(file, briefs, mistakes)
        except BriefError as error:
            mistakes += error.mistakes
    return tuple(briefs.values()), tuple(mistakes)


def _take(file: Path, briefs: dict[str, Brief], mistakes: list[str]) -> None:
    try:
        brief = read_brief(file)
    except BriefError as error:
        mistakes += error.mistakes
        return
    if briefs.get(brief.slug, brief) != brief:
        mistakes.append(f"{file.name}: field 'slug' is {brief.slug!r}, as in another brief")
        return
    briefs[brief.slug] = brief


def register_briefs(opened: Opened, briefs: Sequence[Brief]) -> None:
    """Put briefs into the store and make their articles known."""
    declared = opened.pipeline.declared
    shelf = Shelf(opened.store, declared.name)
    for brief in briefs:
        register(opened.instance, declared, brief, shelf.write_brief(brief))


def drive_articles(opened: Opened, articles: tuple[str, ...]) -> tuple[dict[str, Any], ...]:
    """Drive each article to its end, with progress on standard error; a report of each."""
    workbench = opened.workbench()
    pipeline = opened.pipeline.declared.pipeline
    with progress_bars(opened.pipeline.libraries, articles):
        ledgers = [
            drive(workbench, article, tell=partial(_tell, article), complain=_complain)
            for article in articles
        ]
    rows = {
        row["article"]: row
        for row in row_reports(opened.instance, opened.pipeline.declared, articles)
    }
    return tuple(_report(article_report(pipeline, ledger), rows) for ledger in ledgers)


def _report(report: dict[str, Any], rows: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The row where the article has ended in one, else where it stands."""
    ended = report["state"] in ("assembled", "published", str(State.NEEDS_REVIEW))
    row = rows.get(report["article"])
    return {**report, **row} if ended and row else {**report, "status": None}


def _tell(article: str, decision: Decision) -> None:
    for action in decision.actions:
        if isinstance(action, Rework):
            err.print(f"{article}: quality pass, {action.reason}", style="cyan", highlight=False)


def _complain(fault: str) -> None:
    err.print(fault, style="red", markup=False, highlight=False)


def print_reports(reports: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    """The outcome of a run: JSON for tools, tables for people."""
    if as_json:
        click.echo(json.dumps(list(reports), indent=2))
        return
    if len(reports) > 1:
        out.print(articles_table(reports))
        return
    for report in reports:
        out.print(headline(report), soft_wrap=True)
        out.print(libraries_table(report))


def end(reports: Sequence[dict[str, Any]], mistakes: Sequence[str]) -> None:
    """End with the status that the outcome deserves."""
    if mistakes:
        fail("\n".join(mistakes))
    if any(report["status"] is None for report in reports):
        raise SystemExit(NOT_ALL_ENDED)
