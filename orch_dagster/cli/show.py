"""`orch show`: one article's package, or the documents of its translation, for a person."""

import secrets
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path

import click
from rich.markdown import Markdown
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from orch_dagster.cli.opening import PIPELINES, Opened, open_pipeline, pipeline_option
from orch_dagster.cli.outline import outline, printable
from orch_dagster.cli.show_documents import print_documents
from orch_dagster.cli.speaking import fail, out, speaks_in_words
from orch_dagster.cli.tables import libraries_table, state_text
from orch_dagster.page.document import Loose, Structured, Written, plain_data, read_document
from orch_dagster.page.package import Package, Part, read_package
from orch_dagster.page.page import render_page
from orch_dagster.shelf import DocumentError


@click.command("show")
@click.argument("article")
@click.option(
    "--html",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write one self-contained page to this file instead of printing.",
)
@click.option(
    "--published",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The publication day, as in 2027-01-18: the page then shows real days.",
)
@pipeline_option
@speaks_in_words
def command(article: str, file: Path | None, published: datetime | None, name: str) -> None:
    """Print ARTICLE's package: where it stands, its scores, and every deliverable.

    In the translation pipeline: its documents with sizes, scores, the decision and failures.
    """
    _refuse(file, published, name)
    opened = open_pipeline(name)
    if not opened.has(article):
        known = ", ".join(opened.articles()[-5:]) or "none"
        fail(f"{article}: no such article; the newest are: {known}")
    if name != PIPELINES[0]:
        print_documents(opened, article)
        return
    package = _package(opened, article)
    if file:
        _write_page(file, package, published.date() if published else None)
    else:
        _print_package(package)


def _refuse(file: Path | None, published: datetime | None, name: str) -> None:
    if published and file is None:
        fail("--published goes with --html")
    if file and name != PIPELINES[0]:
        fail(f"--html: only the {PIPELINES[0]} pipeline has a page; leave it out to see documents")
    if file and not file.parent.is_dir():
        fail(f"{file}: there is no folder {str(file.parent)!r}")


def _package(opened: Opened, article: str) -> Package:
    try:
        return read_package(opened.instance, opened.pipeline, opened.store, article)
    except DocumentError as error:
        fail(str(error))


def _write_page(file: Path, package: Package, published: date | None) -> None:
    html = render_page(package, made=datetime.now(UTC), published=published)
    temporary = file.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        temporary.write_bytes(html.encode("utf-8", "replace"))
        temporary.replace(file)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        fail(f"{file}: cannot be written ({error.strerror})")
    click.echo(f"wrote {file}")


def _print_package(package: Package) -> None:
    report = package.report
    out.print(f"{package.brief.title}", style="bold", markup=False, highlight=False)
    out.print(f"{report['article']}: {state_text(report['state'])}; {report['next']}")
    out.print(libraries_table(report))
    for part in package.parts:
        if part.text is not None:
            _print_part(part, part.text)


def _print_part(part: Part, text: str) -> None:
    out.print(Rule(part.library.declared.title))
    if part.caveat:
        out.print(part.caveat, style="yellow", markup=False)
    match read_document(part.library, text):
        case Written(head, body):
            _print_lines(outline(head), "dim")
            out.print(Markdown(printable(body)))
        case Structured(value) | Loose(value):
            _print_lines(outline(plain_data(value)), "")


def _print_lines(lines: Iterable[str], style: str) -> None:
    """Lines that keep their indent where the terminal is too narrow for them."""
    for line in lines:
        text = line.lstrip(" ")
        out.print(Padding(Text(text, style), (0, 0, 0, len(line) - len(text)), expand=False))
