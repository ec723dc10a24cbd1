"""`orch run`: briefs to their end."""

import click

from orch_dagster.cli.driving import drive_articles, end, print_reports
from orch_dagster.cli.inputs import register_inputs
from orch_dagster.cli.opening import pipeline_option, say_if_simulated
from orch_dagster.cli.speaking import speaks_in_words


@click.command("run")
@click.argument("inputs", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list instead of tables.")
@pipeline_option
@speaks_in_words
def command(inputs: tuple[str, ...], as_json: bool, name: str) -> None:
    """Run INPUTS to their end, gates and quality passes included.

    Briefs (files or folders) in the content pipeline; addresses or files in the translation
    pipeline. What was answered before is not asked again. Good inputs run also where others are
    bad.
    """
    opened, mistakes, articles = register_inputs(name, inputs)
    say_if_simulated()
    reports = drive_articles(opened, articles)
    print_reports(reports, as_json=as_json)
    end(reports, mistakes)
