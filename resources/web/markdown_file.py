"""Markdown and plain text: what a YAML head says, the title, and the body as it is."""

import datetime as dt
import re
from itertools import pairwise
from pathlib import PurePosixPath
from urllib.parse import unquote, urljoin

import yaml
from markdown_it import MarkdownIt

from orch_dagster.strict_yaml import YamlError, read_mapping, split_head
from resources.web.fetched import Fetched, FetchError

_FIELD = re.compile(r"^[\w-]+\s*:(\s|$)", re.MULTILINE)
_FIRST = 20_000
"""Characters in which a first heading is looked for."""


def read_markdown(text: str, *, name: str, url: str | None) -> Fetched:
    """The article: title, author, date, language and canonical URL from the head, if it has one.

    Without a title there it is that of the first top heading, or else the file's name. The body is
    what follows the head, unchanged, the heading included.

    Raises:
        FetchError: the head is no YAML that can be read, or no text follows it.
    """
    head, body = _parted(text, name)
    if not body.strip():
        raise FetchError(
            f"{name}: holds no text; write the article below the head", retryable=False
        )
    canonical = head.get("canonical_url") or head.get("canonical")
    return Fetched(
        title=head.get("title") or _heading(body) or _spoken(url or name),
        author=head.get("author") or head.get("authors") or None,
        date=_iso(head.get("date") or head.get("published") or ""),
        url=name,
        canonical_url=_web_address(canonical, url),
        markdown=body,
        language=head.get("language") or head.get("lang") or None,
    )


def _parted(text: str, name: str) -> tuple[dict[str, str], str]:
    try:
        parts = split_head(text)
    except YamlError:  # a rule opens the text, no head
        return {}, text
    if parts is None or (parts[0].strip() and not _FIELD.search(parts[0])):
        return {}, text
    head, body = parts
    try:
        return _values(head), body
    except YamlError as error:
        raise FetchError(f"{name}: the head: {error}", retryable=False) from error


def _values(head: str) -> dict[str, str]:
    """Scalars as they are written (`no`, `2024-01-02`), lists joined by commas."""
    if not head.strip():
        return {}
    read_mapping(head)
    written = yaml.load(head, Loader=yaml.BaseLoader)
    return {str(key).lower(): _folded(value) for key, value in written.items()}


def _folded(value: object) -> str:
    match value:
        case str():
            return " ".join(value.split())
        case list():
            return ", ".join(filter(None, (_folded(item) for item in value)))
        case {"name": str() as called}:
            return _folded(called)
        case _:
            return ""


def _heading(body: str) -> str | None:
    tokens = MarkdownIt().parse(body[:_FIRST])
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.tag == "h1":
            parts = (child.content or " " for child in inline.children or ())
            return " ".join("".join(parts).split()) or None
    return None


def _spoken(name: str) -> str:
    stem = PurePosixPath(unquote(name.partition("?")[0])).stem
    return " ".join(re.split(r"[-_\s]+", stem)).strip() or name


def _iso(text: str) -> str | None:
    try:
        return dt.datetime.fromisoformat(text).date().isoformat()
    except ValueError:
        return None


def _web_address(address: str | None, base: str | None) -> str | None:
    if not address:
        return None
    try:
        whole = urljoin(base or "", address)
    except ValueError:
        return None
    return whole if whole.startswith(("http://", "https://")) else None
