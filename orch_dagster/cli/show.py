"""`orch show`: one article's package, for a person."""

import click
from rich.markdown import Markdown
from rich.rule import Rule

from orch_dagster.cli.opening import Opened, open_content
from orch_dagster.cli.speaking import fail, out, speaks_in_words
from orch_dagster.cli.tables import libraries_table, state_text
from orch_dagster.event_log import read_ledgers
from orch_dagster.library import Library
from orch_dagster.report import article_report
from orch_dagster.shelf import DELIVERABLE
from orch_dagster.store import document_path
from orch_dagster.strict_yaml import split_head


@click.command("show")
@click.argument("article")
@speaks_in_words
def command(article: str) -> None:
    """Print ARTICLE's package: where it stands, its scores, and every deliverable."""
    opened = open_content()
    if article not in opened.articles():
        known = ", ".join(opened.articles()[-5:]) or "none"
        fail(f"{article}: no such article; the newest are: {known}")
    declared = opened.pipeline.declared
    [ledger] = read_ledgers(opened.instance, declared, [article], own_run=None, missing={}).values()
    report = article_report(declared.pipeline, ledger)
    out.print(f"[bold]{article}[/]: {state_text(report['state'])}; {report['next']}")
    out.print(libraries_table(report))
    for library in opened.pipeline.libraries:
        _print_deliverable(opened, library, article)


def _print_deliverable(opened: Opened, library: Library, article: str) -> None:
    path = document_path(
        opened.pipeline.declared.name,
        library.name,
        DELIVERABLE,
        article=article,
        suffix=library.suffix,
    )
    data = opened.store.read(path)
    if data is None:
        return
    text = data.decode("utf-8")
    out.print(Rule(library.declared.title))
    if library.suffix == ".json":
        out.print_json(text)
        return
    parts = split_head(text)
    if parts:
        out.print(parts[0].strip(), style="dim", markup=False)
    out.print(Markdown(parts[1] if parts else text))
