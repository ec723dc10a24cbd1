"""`orch status`: where every article stands."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import click

from orch_dagster.accounts import article_cost, library_accounts
from orch_dagster.cli.cost_table import cost_headline, cost_table
from orch_dagster.cli.opening import Opened, open_pipeline, pipeline_option
from orch_dagster.cli.speaking import err, out, print_whole, speaks_in_words
from orch_dagster.cli.tables import articles_table
from orch_dagster.core.ledger import Ledger
from orch_dagster.core.pipeline import Pipeline
from orch_dagster.event_log import read_ledgers
from orch_dagster.inbox_memory import remembered
from orch_dagster.portions import portions
from orch_dagster.process import bury_dead_runs
from orch_dagster.report import article_report
from orch_dagster.verify import missing_steps

_NONE_YET = "No article is registered yet; 'orch add BRIEF' registers one."


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list instead of a table.")
@click.option("--cost", is_flag=True, help="Where the money went: by library and prompt.")
@click.option("--verify", is_flag=True, help="Look whether every document is still in the store.")
@pipeline_option
@speaks_in_words
def command(as_json: bool, cost: bool, verify: bool, name: str) -> None:
    """Where every article stands: state, scores, passes, tokens, cost, and what comes next.

    With --cost: what calls to the model took and cost, all that failed included, dearest first.
    """
    opened = open_pipeline(name)
    bury_dead_runs(opened.instance)
    pipeline = opened.pipeline.declared.pipeline
    ledgers = _ledgers(opened, verify=verify)
    if as_json:
        click.echo(json.dumps([_report(pipeline, one, cost=cost) for one in ledgers], indent=2))
    elif cost:
        _print_cost(pipeline, ledgers, articles=len(opened.articles()))
    elif reports := [article_report(pipeline, ledger) for ledger in ledgers]:
        out.print(articles_table(reports))
    else:
        err.print(_NONE_YET)
    for fault in _inbox_faults(opened):
        err.print(f"inbox: {fault}", style="red", markup=False, highlight=False)


def _print_cost(pipeline: Pipeline, ledgers: Iterable[Ledger], *, articles: int) -> None:
    if not articles:
        err.print(_NONE_YET)
        return
    libraries = library_accounts(ledgers)
    out.print(cost_headline(pipeline.name, articles, libraries), soft_wrap=True)
    print_whole(cost_table(libraries))


def _inbox_faults(opened: Opened) -> tuple[str, ...]:
    """What stands against files in the inbox, as its sensor has found."""
    if opened.inbox is None:
        return ()
    memory = remembered(opened.instance, opened.pipeline.declared, opened.inbox.url)
    return memory.faults() if memory else ()


def _report(pipeline: Pipeline, ledger: Ledger, *, cost: bool) -> dict[str, Any]:
    report = article_report(pipeline, ledger)
    return {**report, "cost": article_cost(ledger)} if cost else report


def _ledgers(opened: Opened, *, verify: bool) -> Iterator[Ledger]:
    """The ledger of each article, some read at a time: of thousands they would fill the memory."""
    instance, declared = opened.instance, opened.pipeline.declared
    for some in portions(opened.articles()):
        found = read_ledgers(instance, declared, some, own_run=None, missing={})
        gone = missing_steps(opened.store, declared, found.values()) if verify else {}
        for article, ledger in found.items():
            yield replace(ledger, missing=gone.get(article, frozenset()))
