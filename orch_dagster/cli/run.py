"""`orch run`: briefs to their end."""

import click

from orch_dagster.cli.driving import drive_articles, end, print_reports
from orch_dagster.cli.inputs import register_inputs
from orch_dagster.cli.opening import pipeline_option, say_if_simulated
from orch_dagster.cli.speaking import speaks_in_words
from orch_dagster.step import BATCH_TAG
from resources.model.probe import probe_batches


@click.command("run")
@click.argument("inputs", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list instead of tables.")
@click.option(
    "--batch",
    "in_batches",
    is_flag=True,
    help="Ask through the server's Batch API: half the price, and up to a day a prompt.",
)
@pipeline_option
@speaks_in_words
def command(inputs: tuple[str, ...], as_json: bool, in_batches: bool, name: str) -> None:
    """Run INPUTS to their end, gates and quality passes included.

    Briefs (files or folders) in the content pipeline; addresses, files or folders in the translation
    pipeline. What was answered before is not asked again. Good inputs run also where others are
    bad. With --batch, the prompts that all articles have come to are sent as one batch. Ended in the
    middle, the next run with --batch waits for the batches that were sent.
    """
    opened, mistakes, articles = register_inputs(name, inputs)
    say_if_simulated()
    if in_batches:
        probe_batches()
    tags = {BATCH_TAG: "true"} if in_batches else {}
    reports = drive_articles(opened, articles, tags)
    print_reports(reports, as_json=as_json)
    end(reports, mistakes)
