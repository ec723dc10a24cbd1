"""RSS and Atom feeds, asked only for what has changed."""

import asyncio
import io
from collections.abc import Callable, Mapping
from urllib.parse import urljoin
from xml.sax import SAXException

import feedparser

from orch_dagster.core.feed import Answer, Broken, FeedSeen, Item, Page, Unchanged
from resources.web.addresses import Resolve, is_public, resolve
from resources.web.download import Body, Download, Limits
from resources.web.fetched import FetchError

LIMITS = Limits(bytes=5 * 1024 * 1024, seconds=15)
"""A feed is short; and those of one look share its minute."""

AT_ONCE = 8

_HEADERS = {
    "User-Agent": "orch-dagster/0.1 (feed reader)",
    "Accept": "application/atom+xml,application/rss+xml,application/xml;q=0.9,*/*;q=0.1",
}


class FeedReader:
    """Reads feeds under the rules of the article fetcher."""

    def __init__(
        self,
        *,
        allow_private: bool,
        resolve: Resolve = resolve,
        is_public: Callable[[str], bool] = is_public,
        limits: Limits = LIMITS,
    ) -> None:
        self._download = Download(
            is_allowed=(lambda _: True) if allow_private else is_public,
            resolve=resolve,
            limits=limits,
            headers=_HEADERS,
            instead="write the addresses of the articles in its place",
        )

    def ask(self, feeds: Mapping[str, FeedSeen]) -> dict[str, Answer]:
        """What each feed answers, several asked at once; none of them stops another."""
        return asyncio.run(self._ask_all(feeds))

    async def _ask_all(self, feeds: Mapping[str, FeedSeen]) -> dict[str, Answer]:
        slots = asyncio.Semaphore(AT_ONCE)

        async def ask(address: str, seen: FeedSeen) -> Answer:
            async with slots:
                return await self._ask(address, seen)

        answers = await asyncio.gather(*(ask(address, seen) for address, seen in feeds.items()))
        return dict(zip(feeds, answers, strict=True))

    async def _ask(self, address: str, seen: FeedSeen) -> Answer:
        asked = {"If-None-Match": seen.etag, "If-Modified-Since": seen.modified}
        headers = {name: value for name, value in asked.items() if value is not None}
        try:
            body = await self._download.get(address, headers)
        except FetchError as error:
            return Broken(f"feed {error}")
        if body is None:
            return Unchanged()
        return await asyncio.to_thread(read_feed, address, body)


def read_feed(address: str, body: Body) -> Page | Broken:
    """The entries of a feed; what is no feed, or cannot be read at all, is told.

    Relative links are taken from where the feed lay in the end. feedparser is not told that place:
    it would make addresses of ids too, and those of two feeds on one host alike. A broken feed gives the entries
    that could be read, and says so.
    """
    told = {name: body.headers[name] for name in ("content-type",) if name in body.headers}
    # Wrapped: from bare text feedparser would open an address or a file of that name.
    parsed = feedparser.parse(
        io.BytesIO(body.data),
        response_headers=told,
        sanitize_html=False,
        resolve_relative_uris=False,
    )
    error = parsed.get("bozo_exception")
    broken = isinstance(error, SAXException)
    if not parsed.get("version") or (broken and not parsed.entries):
        why = f"no valid XML: {error.getMessage()}" if broken and parsed.get("version") else ""
        return Broken(
            f"feed {address}: is no RSS or Atom feed{f' ({why})' if why else ''}; an address of "
            "an article stands without 'feed' before it"
        )
    return Page(
        items=tuple(_item(body.url, entry) for entry in parsed.entries),
        etag=body.headers.get("etag"),
        modified=body.headers.get("last-modified"),
        fault=_half_read(address, error) if isinstance(error, SAXException) else None,
    )


def _half_read(address: str, error: SAXException) -> str:
    return (
        f"feed {address}: is no valid XML ({error.getMessage()}); the entries that could be read "
        "are taken, others may be missing"
    )


def _item(base: str, entry: Mapping[str, object]) -> Item:
    link = _text(entry.get("link"))
    return Item(
        id=_text(entry.get("id")),
        link=_joined(base, link) if link else None,
        title=_text(entry.get("title")),
    )


def _joined(base: str, link: str) -> str:
    try:
        return urljoin(base, link)
    except ValueError:  # what is wrong with it is told where it is entered
        return link


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
