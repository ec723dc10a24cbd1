"""From bytes to an article: which kind of document they are, and who reads that kind."""

import re
from dataclasses import dataclass
from email.message import Message
from pathlib import PurePosixPath
from typing import Literal

from resources.web.charset import decoded
from resources.web.fetched import Fetched, FetchError
from resources.web.markdown_file import read_markdown
from resources.web.page import read_page

Kind = Literal["html", "markdown", "text"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where bytes came from: the name that people know, the URL they were at, what they claim."""

    name: str
    url: str | None
    content_type: str | None


def read_document(source: Source, data: bytes) -> Fetched:
    """The article in the bytes.

    Raises:
        FetchError: they are of another kind, or hold no article.
    """
    if not data.strip():
        raise FetchError(f"{source.name}: is empty; check where it comes from", retryable=False)
    media_type, charset = _media_type(source.content_type)
    kind = _kind(source, media_type, data)
    text = decoded(data, declared=charset, html=kind == "html")
    if kind == "html":
        return read_page(text, name=source.name, url=source.url)
    return read_markdown(text, name=source.name, url=source.url)


def _media_type(content_type: str | None) -> tuple[str | None, str | None]:
    if not content_type:
        return None, None
    message = Message()
    message["Content-Type"] = content_type
    charset = message.get_param("charset")
    declared = charset if isinstance(charset, str) else None
    return content_type.partition(";")[0].strip().lower(), declared


def _kind(source: Source, media_type: str | None, data: bytes) -> Kind:
    if what := _by_magic(data):
        raise _other(source, what)
    suffix = PurePosixPath((source.url or source.name).partition("?")[0]).suffix.lower()
    if media_type in ("text/plain", "application/octet-stream", "binary/octet-stream", None):
        kind = _BY_SUFFIX.get(suffix)
        if kind is None or kind == "text":
            return _sniffed(source, data, kind or "text")
        return kind
    kind = _BY_TYPE.get(media_type)
    if kind is None:
        raise _other(source, _called(media_type))
    return kind


def _sniffed(source: Source, data: bytes, otherwise: Kind) -> Kind:
    start = data[:1024].decode("latin-1").lstrip("ï»¿ \t\r\n").lower()
    if re.match(r"(<!--.*?-->\s*|<\?xml.*?\?>\s*)*<(!doctype html|html|head|body)\b", start, re.S):
        return "html"
    if start.startswith(("<rss", "<feed")):
        raise _other(source, _FEED)
    if start.startswith("<?xml"):
        raise _other(source, "an XML file")
    if re.match(r'[\[{]\s*(["{\[]|\}|\])', start):
        raise _other(source, "JSON")
    if b"\0" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _other(source, "a binary file")
    return otherwise


def _by_magic(data: bytes) -> str | None:
    return next((what for magic, what in _MAGIC if re.match(magic, data, re.S)), None)


def _called(media_type: str) -> str:
    if media_type.endswith(("/json", "+json")):
        return "JSON"
    if "rss" in media_type or "atom" in media_type:
        return _FEED
    if media_type.endswith(("/xml", "+xml")):
        return "an XML file"
    family = media_type.partition("/")[0]
    return _FAMILIES.get(family, "") or f"of the type {media_type!r}"


def _other(source: Source, what: str) -> FetchError:
    instead = (
        "write 'feed' before its address in a .urls file to follow it"
        if what == _FEED
        else "give a page (HTML), Markdown or text"
    )
    return FetchError(f"{source.name}: is {what}, not an article; {instead}", retryable=False)


_FEED = "a feed"
_FAMILIES = {"image": "an image", "audio": "a sound file", "video": "a video"}
_BY_TYPE: dict[str, Kind] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
}
_BY_SUFFIX: dict[str, Kind] = {
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
}
_MAGIC = (
    (rb"%PDF-", "a PDF"),
    (rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP|BM....\0\0\0\0", "an image"),
    (rb"....ftyp(avif|heic|mif1)", "an image"),
    (rb"PK\x03\x04", "a ZIP archive or an office document"),
    (rb"\x1f\x8b|7z\xbc\xaf|BZh|\xfd7zXZ|\x28\xb5\x2f\xfd", "a compressed file"),
    (rb"\xd0\xcf\x11\xe0", "an office document"),
    (rb"....ftyp|ID3|OggS|\x1aE\xdf\xa3", "a sound file or a video"),
)
"""How files of other kinds begin, whatever their header says."""
