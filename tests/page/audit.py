"""What in a page could do something: run, load, send, or look like the page's own frame."""

import re
from collections.abc import Iterator
from pathlib import Path

import orch_dagster.page
from tests.page.dom import Element, elements

TAGS = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "footer", "nav"),
    *("section", "article", "div", "span", "p", "h1", "h2", "h3", "h4", "h5", "h6"),
    *("ul", "ol", "li", "dl", "dt", "dd", "figure", "figcaption", "details", "summary"),
    *("table", "caption", "thead", "tbody", "tr", "th", "td", "time"),
    *("a", "strong", "em", "s", "code", "pre", "blockquote", "br", "hr", "sup"),
    *("svg", "rect", "line", "circle", "path", "text"),
}
ATTRIBUTES = {
    *("id", "class", "lang", "dir", "role", "scope", "colspan", "start", "title", "datetime"),
    *("href", "rel", "style", "charset", "http-equiv", "name", "content", "data-label"),
    *("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "d", "width", "height"),
    *("viewbox", "preserveaspectratio", "stroke-width", "stroke-dasharray", "font-size"),
    *("text-anchor", "dominant-baseline", "aria-label", "aria-labelledby", "aria-hidden"),
}
LINK = re.compile(r"#|https?://|mailto:|(?![a-zA-Z][a-zA-Z0-9+.-]*:)")
DECLARATION = re.compile(
    r"(?:background|color|border-color): (?:#[0-9a-fA-F]{3,6}|transparent)"
    r"|(?:left|width): [0-9.]+(?:%|rem|px)?"
    r"|--gap: [0-9.]+rem"
    r"|flex: [0-9.]+"
    r"|font-family: (?:[a-z-]+|'[A-Za-z0-9 -]+'|, )*"
    r"|font-weight: [0-9]+"
    r"|font-size: [0-9.]+(?:rem|px)?"
    r"|line-height: [0-9.]+"
)
META = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'"
}


def faults(html: str) -> list[str]:
    """What does not belong into a page that can do nothing; empty when all is well."""
    found = elements(html)
    wrong = [fault for element in found for fault in _of(element)]
    styles = [element.text.strip() for element in found if element.tag == "style"]
    if styles != [stylesheet().strip()]:
        wrong.append("the style sheet is not the page's own, or not the only one")
    return wrong


def stylesheet() -> str:
    """The page's own style sheet."""
    path = Path(str(orch_dagster.page.__file__)).parent / "frame" / "page.css"
    return path.read_text(encoding="utf-8")


def _of(element: Element) -> Iterator[str]:
    if element.tag not in TAGS:
        yield f"<{element.tag}> is there"
    for name, value in element.attributes.items():
        if name not in ATTRIBUTES:
            yield f"<{element.tag}> has {name}={value!r}"
    kind = element.get("http-equiv")
    if kind and META.get(kind) != element.get("content"):
        yield f"<meta> sets {kind}: {element.get('content')!r}"
    yield from _of_values(element)


def _of_values(element: Element) -> Iterator[str]:
    if "href" in element.attributes and not LINK.match(element.get("href").strip()):
        yield f"a link goes to {element.get('href')!r}"
    for declaration in filter(None, element.get("style").split("; ")):
        if not DECLARATION.fullmatch(declaration):
            yield f"<{element.tag}> is styled with {declaration!r}"
