"""What a page says of itself: title, author, date, canonical address, language."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from lxml.html import HtmlElement
from trafilatura import extract_metadata

_MOST_JSON = 500_000


@dataclass(frozen=True, slots=True)
class PageHead:
    """As far as the page declares it; `base` is what its relative addresses are relative to.

    `is_free` is False where the page declares that it may be read only by those who pay; `is_article`
    says that the page calls itself one.
    """

    title: str
    author: str | None
    date: str | None
    canonical_url: str | None
    language: str | None
    base: str | None
    is_free: bool
    is_article: bool


def page_head(page: HtmlElement, *, name: str, url: str | None) -> PageHead:
    """From meta tags, OpenGraph and JSON-LD; the first heading or the address names a page without."""
    entries = tuple(_entries(page))
    base = _base(page, url)
    found = extract_metadata(page, default_url=None, extensive=False)
    return PageHead(
        title=_line(found.title) or _text(page, "//h1") or _text(page, "//title") or _spoken(name),
        author=_author(found.author) or _meta(page, "author"),
        date=found.date or None,
        canonical_url=_canonical(page, entries, base),
        language=_language(page, entries),
        base=base,
        is_article=_is_article(page, entries),
        is_free=not any(str(e.get("isAccessibleForFree")).lower() == "false" for e in entries),
    )


def _entries(page: HtmlElement) -> Iterator[Mapping[str, Any]]:
    """The JSON-LD entries of the page that describe an article."""
    for script in page.xpath("//script[@type='application/ld+json']"):
        text = script.text or ""
        try:
            whole = json.loads(text) if len(text) <= _MOST_JSON else None
        except (ValueError, RecursionError):
            continue
        graph = whole.get("@graph", whole) if isinstance(whole, dict) else whole
        for entry in graph if isinstance(graph, list) else [graph]:
            if isinstance(entry, dict) and re.search(
                r"Article|Posting|WebPage|Report", str(entry.get("@type"))
            ):
                yield entry


def _base(page: HtmlElement, url: str | None) -> str | None:
    return _joined(url, next(iter(page.xpath("//base/@href")), None)) or url


def _canonical(
    page: HtmlElement, entries: tuple[Mapping[str, Any], ...], base: str | None
) -> str | None:
    links = page.xpath(
        "//link[contains(concat(' ',normalize-space(@rel),' '),' canonical ')]/@href"
    )
    candidates: list[object] = [*links, *page.xpath("//meta[@property='og:url']/@content")]
    for entry in entries:
        main = entry.get("mainEntityOfPage")
        candidates += [main.get("@id") if isinstance(main, dict) else main, entry.get("url")]
    return next(filter(None, (_joined(base, candidate) for candidate in candidates)), None)


def _joined(base: str | None, address: object) -> str | None:
    if not isinstance(address, str) or not address.strip():
        return None
    try:
        whole = urljoin(base or "", address.strip())
        parts = urlsplit(whole)
    except ValueError:
        return None
    return whole if parts.scheme in ("http", "https") and parts.hostname else None


def _is_article(page: HtmlElement, entries: tuple[Mapping[str, Any], ...]) -> bool:
    if page.xpath("//meta[@property='article:published_time' or @property='og:article:author']"):
        return True
    if "article" in page.xpath("//meta[@property='og:type']/@content"):
        return True
    return any(re.search(r"Article|Posting|Report", str(entry.get("@type"))) for entry in entries)


def _language(page: HtmlElement, entries: tuple[Mapping[str, Any], ...]) -> str | None:
    declared = [page.get("lang"), page.get("xml:lang"), _meta(page, "content-language")]
    declared += [next(iter(page.xpath("//meta[@property='og:locale']/@content")), None)]
    declared += [entry.get("inLanguage") for entry in entries]
    for tag in declared:
        if isinstance(tag, str) and re.fullmatch(r"\s*[A-Za-z]{2,3}([-_]\w+)*\s*", tag):
            return tag.strip().replace("_", "-")
    return None


def _meta(page: HtmlElement, name: str) -> str | None:
    found = page.xpath("//meta[@name=$n or @http-equiv=$n]/@content", n=name)
    text = _line(next(iter(found), None))
    return None if text is None or "://" in text else text


def _author(found: str | None) -> str | None:
    names = (_line(name) for name in (found or "").split(";"))
    return ", ".join(filter(None, names)) or None


def _text(page: HtmlElement, path: str) -> str | None:
    element = next(iter(page.xpath(path)), None)
    return None if element is None else _line("".join(map(str, element.itertext())))


def _line(text: str | None) -> str | None:
    return " ".join((text or "").split()) or None


def _spoken(name: str) -> str:
    last = unquote(name.partition("?")[0]).rstrip("/").rpartition("/")[2]
    return " ".join(re.split(r"[-_\s]+", re.sub(r"\.\w{2,5}$", "", last))).strip() or name
