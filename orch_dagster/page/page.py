"""The package as one self-contained HTML page: no script, nothing from elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path
from traceback import extract_tb
from typing import Any

from jinja2 import ChoiceLoader, FileSystemLoader, StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

from orch_dagster.core.episode import FLAG_EFFECTS, HIGHEST
from orch_dagster.library import Library
from orch_dagster.page import style_values, wording
from orch_dagster.page.axis import axis
from orch_dagster.page.document import (
    Document,
    Loose,
    Structured,
    Written,
    plain_data,
    pretty_json,
    read_document,
)
from orch_dagster.page.package import Package, Part
from orch_dagster.page.rich_text import rich_text
from orch_dagster.prompt_folder import LibraryError

TEMPLATE = "page.html"
"""A library's own template, in its folder; without one its deliverable is shown as it is built."""

_FRAME = Path(__file__).parent / "frame"
_FAULTS = (TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Section:
    """One library's part of the page: its body is HTML, None where nothing was delivered."""

    part: Part
    body: Markup | None
    caveat: str | None


def render_page(package: Package, *, made: datetime, published: date | None) -> str:
    """The page as HTML. With `published`, plans show real days.

    Raises:
        LibraryError: a library's template does not fit its deliverable; names file and line.
    """
    sections = [_section(package, part, published) for part in package.parts]
    frame = _environment().get_template(TEMPLATE)
    return frame.render(
        package=package,
        brief=package.brief,
        report=package.report,
        sections=sections,
        scores=list(dict.fromkeys(g.score for s in sections for g in s.part.library.gates)),
        style=Markup((_FRAME / "page.css").read_text(encoding="utf-8")),
        made=made,
    )


def _section(package: Package, part: Part, published: date | None) -> Section:
    if part.text is None:
        return Section(part, None, part.caveat)
    document = read_document(part.library, part.text)
    caveats = [part.caveat, _LOOSE if isinstance(document, Loose) else None]
    body = render_document(document, part=part, package=package, published=published)
    return Section(part, body, " ".join(filter(None, caveats)) or None)


_LOOSE = "The document is not what its library makes, so it is shown as it is."


def render_document(
    document: Document, *, part: Part, package: Package, published: date | None
) -> Markup:
    """One deliverable as HTML, by its library's template if it has one and fits its model.

    The template sees `deliverable`, the library's `models` module, the `part`, the `brief`, and
    `published`, which is None where no day is set.
    """
    library = part.library
    own = template_path(library)
    if isinstance(document, Loose) or not own.is_file():
        return Markup(_environment().get_template("generic.html").render(_generic(document, part)))
    name = f"{library.name}/{TEMPLATE}"
    try:
        template = _environment(own.parent.parent).get_template(name)
        return Markup(
            template.render(
                deliverable=document.value if isinstance(document, Structured) else document,
                models=library.module,
                part=part,
                brief=package.brief,
                published=published,
            )
        )
    except _FAULTS as error:
        raise LibraryError(f"{name}: {_line(error, own)}{error}") from error


def template_path(library: Library) -> Path:
    """Where a library's own template is, if it has one."""
    return Path(str(library.module.__file__)).parent / TEMPLATE


def _generic(document: Document, part: Part) -> Mapping[str, Any]:
    match document:
        case Written():
            return {"written": document, "part": part}
        case Structured(value) | Loose(value):
            return {"data": plain_data(value), "part": part}


def _line(error: Exception, template: Path) -> str:
    lines = [f.lineno for f in extract_tb(error.__traceback__) if f.filename == str(template)]
    number = lines[-1] if lines else getattr(error, "lineno", None)
    return f"line {number}: " if number else ""


@cache
def _environment(libraries: Path | None = None) -> SandboxedEnvironment:
    """Escapes everything that does not say of itself that it is safe."""
    folders = [_FRAME] if libraries is None else [_FRAME, libraries]
    environment = SandboxedEnvironment(
        loader=ChoiceLoader([FileSystemLoader(folder) for folder in folders]),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "clock": wording.clock,
        "cost": wording.cost,
        "day": wording.day,
        "days": wording.days,
        "file_size": wording.file_size,
        "markdown": rich_text,
        "pretty_json": pretty_json,
        "standing": wording.standing,
        "thousands": wording.thousands,
        "wording": wording.wording,
        "hex_colour": style_values.hex_colour,
        "font_stack": style_values.font_stack,
    }
    environment.globals |= {
        "axis": axis,
        "css_length": style_values.length,
        "css_number": style_values.number,
        "effects": FLAG_EFFECTS,
        "highest": HIGHEST,
    }
    return environment
