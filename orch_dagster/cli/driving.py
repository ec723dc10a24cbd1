"""What `orch run` and `orch demo` share: register briefs, drive their articles, report."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from types import MappingProxyType
from typing import Any

import click

from orch_dagster.cli.bars import progress_bars
from orch_dagster.cli.opening import Opened
from orch_dagster.cli.speaking import NOT_ALL_ENDED, err, fail, out
from orch_dagster.cli.tables import articles_table, headline, libraries_table
from orch_dagster.core.decision import Decision, Rework, State
from orch_dagster.drive import Ears, drive
from orch_dagster.means import budget_tag
from orch_dagster.report import article_report, row_reports
from resources.model.probe import glance_at_model

ARTICLES_AT_ONCE = 30
"""How many articles go into one run where no setting says so: runs of one process go one after
another, and memory and the way to the first row grow with each article."""


def drive_articles(
    opened: Opened, articles: tuple[str, ...], tags: Mapping[str, str] = MappingProxyType({})
) -> tuple[dict[str, Any], ...]:
    """Drive each article to its end, with progress on standard error; a report of each.

    Runs carry these tags.

    A server that would fail every article alike is found before the first one starts.
    """
    glance = cache(partial(glance_at_model, opened.settings))
    budget = budget_tag(f"command {os.getpid()}", opened.settings.budget)
    workbench = opened.workbench({**budget, **tags})
    pipeline = opened.pipeline.declared.pipeline
    with progress_bars(opened.pipeline.libraries, articles):
        ledgers = drive(
            workbench,
            articles,
            at_once=opened.settings.articles_per_run or ARTICLES_AT_ONCE,
            ears=Ears(decided=partial(_tell, glance), broke=_complain),
        )
    rows = {
        row["article"]: row
        for row in row_reports(opened.instance, opened.pipeline.declared, articles)
    }
    return tuple(_report(article_report(pipeline, ledger), rows) for ledger in ledgers.values())


ENDED = ("assembled", "published")
"""The words of the pipelines for an article that is done."""


def _report(report: dict[str, Any], rows: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The row where the article has ended in one, else where it stands."""
    ended = report["state"] in (*ENDED, str(State.NEEDS_REVIEW))
    status = report["state"] if ended else None
    return {**report, "status": status, **(rows.get(report["article"], {}) if ended else {})}


def _tell(glance: Callable[[], object], article: str, decision: Decision) -> None:
    if decision.actions:
        glance()
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
