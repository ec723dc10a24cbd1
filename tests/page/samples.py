"""A package of all libraries with deliverables that sound chains could have made."""

from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from importlib import import_module
from typing import Any

from assets import content
from orch_dagster.candidate import render
from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import Flag
from orch_dagster.library import Library, load_libraries
from orch_dagster.page.package import Package, Part
from orch_dagster.page.page import render_page, template_path
from tests.social.answers import brief

MADE = datetime(2027, 1, 2, 9, 30, tzinfo=UTC)


@cache
def libraries() -> tuple[Library, ...]:
    """The libraries that have a template of their own; each has sample answers in its tests."""
    found = load_libraries(content)
    return tuple(library for library in found if template_path(library).is_file())


@cache
def candidate(name: str) -> Any:
    """One library's deliverable: a model's instance, or Markdown."""
    [library] = [library for library in libraries() if library.name == name]
    sample = import_module(f"tests.{name}.answers")
    answers = sample.answers()
    made = library.compose(sample.brief(), answers)
    finish = library.hook("finish")
    return finish(sample.brief(), made, answers) if finish else made


def text(name: str) -> str:
    """The document of that deliverable."""
    return render(candidate(name))


def report(**changes: Any) -> dict[str, Any]:
    """What is reported of one library that has passed its gates at once."""
    return {
        "status": "complete",
        "scores": {"voice_consistency": 4.2, "coherence_score": 4.0},
        "passes": 1,
        "flags": [],
        "words": 1_204,
        "tokens": 5_000,
        "cost_usd": None,
        "latency_ms": 900,
        "deliverable": "memory://it",
        "sha256": "ab" * 32,
        "bytes": 3_100,
    } | changes


def part(library: Library, text: str | None, **changes: Any) -> Part:
    """One library's part of a package."""
    made = Part(
        library=library,
        report=None if text is None else report(),
        text=text,
        path=f"content/{library.name}/deliverable/eleven-minutes{library.suffix}",
        caveat=None,
    )
    return replace(made, **changes)


def package(*parts: Part, **changes: Any) -> Package:
    """A package of these parts, or of every library's sample."""
    made = parts or tuple(part(library, text(library.name)) for library in libraries())
    reports = {p.library.name: p.report for p in made if p.report is not None}
    whole = Package(
        brief=brief(),
        report={
            "article": "eleven-minutes",
            "pipeline": "content",
            "state": "assembled",
            "next": "every gate passed",
            "flags": [],
            "tokens": sum(found["tokens"] for found in reports.values()),
            "cost_usd": None,
            "libraries": reports,
        },
        flags=(),
        approved=False,
        parts=made,
        models=("some-model",),
    )
    return replace(whole, **changes)


def with_report(whole: Package, **changes: Any) -> Package:
    """The package with something else reported of the article."""
    return replace(whole, report={**whole.report, **changes})


def flagged(name: str, *flags: Flag) -> Package:
    """A package in which one library has raised these flags."""
    parts = tuple(
        replace(found, report=report(flags=[str(flag) for flag in flags]))
        if found.library.name == name
        else found
        for found in package().parts
    )
    return package(*parts, flags=flags)


def page(whole: Package | None = None, *, published: date | None = None) -> str:
    """The page of a package, or of the sample one."""
    return render_page(whole or package(), made=MADE, published=published)


def section(name: str, whole: Package | None = None, *, published: date | None = None) -> str:
    """The HTML of one library's section."""
    html = page(whole, published=published)
    begin = html.index(f'<section class="library" id="{name}"')
    following = html.find('<section class="library"', begin + 1)
    return html[begin : following if following > 0 else html.index("</main>")]


def with_brief(whole: Package, **changes: Any) -> Package:
    """The package with other fields in its brief, not validated."""
    return replace(whole, brief=Brief.model_construct(**{**dict(whole.brief), **changes}))
