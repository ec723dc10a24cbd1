"""`orch add`: register briefs."""

from pathlib import Path

import click

from orch_dagster.cli.driving import end, read_briefs, register_briefs
from orch_dagster.cli.opening import open_content
from orch_dagster.cli.speaking import speaks_in_words


@click.command("add")
@click.argument("briefs", nargs=-1, required=True, type=click.Path(path_type=Path))
@speaks_in_words
def command(briefs: tuple[Path, ...]) -> None:
    """Register BRIEFS (files or folders) as partitions; nothing is run.

    Backfill them in the UI, or let the sensor of 'orch serve' run them.
    """
    good, mistakes = read_briefs(briefs)
    if good:
        register_briefs(open_content(), good)
    for brief in good:
        click.echo(f"registered {brief.slug}: {brief.title}")
    end((), mistakes)
