"""`orch demo`: one shipped brief to its row, or one shipped article to its translation."""

from importlib.resources import as_file, files

import click

from orch_dagster.cli.driving import drive_articles, end, print_reports
from orch_dagster.cli.inputs import register_inputs
from orch_dagster.cli.opening import pipeline_option, say_if_simulated
from orch_dagster.cli.speaking import out, speaks_in_words

BRIEF, ARTICLE = "lift-modernisation-in-stages.md", "reading-the-tide-gauge.md"


@click.command("demo")
@pipeline_option
@speaks_in_words
def command(name: str) -> None:
    """A real brief through all libraries to a row, or an article through translation.

    On the built-in simulator, unless a model is configured.
    """
    folder = "briefs" if name == "content" else "articles"
    with as_file(files("assets") / folder / (BRIEF if name == "content" else ARTICLE)) as path:
        opened, mistakes, articles = register_inputs(name, [str(path)])
    say_if_simulated()
    reports = drive_articles(opened, articles)
    print_reports(reports, as_json=False)
    out.print()
    for step, library in reports[0]["libraries"].items():
        if library["deliverable"]:
            out.print(f"{step}: {library['deliverable']}", soft_wrap=True, highlight=False)
    again = "" if name == "content" else f" --pipeline {name}"
    out.print(f"\nRead it:    orch show {articles[0]}{again}", highlight=False)
    out.print("See it run: orch serve", highlight=False)
    end(reports, mistakes)
