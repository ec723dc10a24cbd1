"""`orch run`: briefs to their end."""

from pathlib import Path

import click

from orch_dagster.cli.driving import (
    drive_articles,
    end,
    print_reports,
    read_briefs,
    register_briefs,
)
from orch_dagster.cli.opening import open_content, say_if_simulated
from orch_dagster.cli.speaking import fail, speaks_in_words


@click.command("run")
@click.argument("briefs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list instead of tables.")
@speaks_in_words
def command(briefs: tuple[Path, ...], as_json: bool) -> None:
    """Run BRIEFS (files or folders) to their end, gates and quality passes included.

    What was answered before is not asked again. Good briefs run also where others are bad.
    """
    good, mistakes = read_briefs(briefs)
    if not good:
        fail("\n".join(mistakes))
    opened = open_content()
    say_if_simulated()
    register_briefs(opened, good)
    reports = drive_articles(opened, tuple(brief.slug for brief in good))
    print_reports(reports, as_json=as_json)
    end(reports, mistakes)
