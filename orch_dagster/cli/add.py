"""`orch add`: register briefs."""

import click

from orch_dagster.cli.driving import end
from orch_dagster.cli.inputs import register_inputs
from orch_dagster.cli.opening import pipeline_option
from orch_dagster.cli.speaking import speaks_in_words


@click.command("add")
@click.argument("inputs", nargs=-1, required=True)
@pipeline_option
@speaks_in_words
def command(inputs: tuple[str, ...], name: str) -> None:
    """Register INPUTS as partitions; nothing is run.

    Briefs (files or folders), or addresses, files, .urls files and folders of them in the translation
    pipeline.

    Backfill them in the UI, or let the sensor of 'orch serve' run them.
    """
    _, mistakes, articles = register_inputs(name, inputs)
    for article in articles:
        click.echo(f"registered {article}")
    end((), mistakes)
