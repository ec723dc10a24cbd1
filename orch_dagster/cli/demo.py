"""`orch demo`: one shipped brief, all libraries, one row."""

from importlib.resources import as_file, files

import click

from orch_dagster.brief_file import read_brief
from orch_dagster.cli.driving import drive_articles, end, print_reports
from orch_dagster.cli.inputs import register_briefs
from orch_dagster.cli.opening import open_content, say_if_simulated
from orch_dagster.cli.speaking import err, out, speaks_in_words

BRIEF = "lift-modernisation-in-stages.md"


@click.command("demo")
@speaks_in_words
def command() -> None:
    """A real brief through all libraries, to a finished row.

    On the built-in simulator, unless a model is configured.
    """
    with as_file(files("assets") / "briefs" / BRIEF) as path:
        brief = read_brief(path)
    opened = open_content()
    say_if_simulated()
    err.print(f"Brief: [bold]{brief.title}[/] ({brief.words:,} words asked for)")
    register_briefs(opened, (brief,))
    reports = drive_articles(opened, (brief.slug,))
    print_reports(reports, as_json=False)
    out.print()
    for name, library in reports[0]["libraries"].items():
        out.print(f"{name}: {library['deliverable']}", soft_wrap=True, highlight=False)
    out.print(f"\nRead it:    orch show {brief.slug}\nSee it run: orch serve", highlight=False)
    end(reports, ())
