"""`orch rows`: the finished rows."""

import csv
import json
import sys
from collections.abc import Sequence
from typing import Any

import click

from orch_dagster.cli.opening import open_content
from orch_dagster.cli.speaking import err, out, speaks_in_words
from orch_dagster.cli.tables import articles_table
from orch_dagster.report import row_reports

_PLAIN = ("article", "pipeline", "status", "decision", "words", "tokens", "cost_usd", "latency_ms")


@click.command("rows")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    help="How to print them; csv has one line a library.",
)
@speaks_in_words
def command(form: str) -> None:
    """The finished rows: references to deliverables, scores, flags, cost."""
    opened = open_content()
    rows = row_reports(opened.instance, opened.pipeline.declared, opened.articles())
    match form:
        case "json":
            click.echo(json.dumps(rows, indent=2))
        case "csv":
            _print_csv(rows)
        case _ if rows:
            out.print(articles_table(rows))
        case _:
            err.print("No row is finished yet; 'orch status' shows where the articles stand.")


def _print_csv(rows: Sequence[dict[str, Any]]) -> None:
    library_fields = ("library", "scores", "passes", "deliverable", "sha256", "bytes")
    writer = csv.writer(sys.stdout)
    writer.writerow([*_PLAIN, "flags", *library_fields])
    for row in rows:
        plain = [*(row[name] for name in _PLAIN), " ".join(row["flags"])]
        for name, library in row["libraries"].items():
            scores = " ".join(f"{key}={value:g}" for key, value in library["scores"].items())
            rest = [library[field] for field in library_fields[2:]]
            writer.writerow([*plain, name, scores, *rest])
