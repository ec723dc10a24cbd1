"""`orch approve`: lift an article's review."""

import click

from orch_dagster.cli.opening import open_content
from orch_dagster.cli.speaking import fail, speaks_in_words
from orch_dagster.core.decision import State, decide
from orch_dagster.drive import approve, look


@click.command("approve")
@click.argument("article")
@speaks_in_words
def command(article: str) -> None:
    """Lift the `needs_review` of ARTICLE: its row becomes an assembled one, flags and all."""
    opened = open_content()
    if not opened.has(article):
        fail(f"{article}: no such article; 'orch status' lists them")
    workbench = opened.workbench()
    decision = decide(workbench.declared.pipeline, look(workbench, [article])[article])
    if decision.state is not State.NEEDS_REVIEW:
        fail(f"{article}: waits for no review, it is {decision.state}: {decision.reasons[0]}")
    for fault in approve(workbench, article):
        fail(f"{article}: {fault}")
    click.echo(f"approved {article}")
