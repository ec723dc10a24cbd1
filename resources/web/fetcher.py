"""Articles from the web and from files, as clean Markdown."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from resources.web.addresses import Resolve, is_public, resolve
from resources.web.document import Source, read_document
from resources.web.download import Download, Limits
from resources.web.fetched import Fetched, FetchError

_HEADERS = {
    "User-Agent": "orch-dagster/0.1 (article fetcher)",
    "Accept": "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,*/*;q=0.1",
    "Accept-Language": "en,*;q=0.5",
}


LIMITS = Limits()


class WebFetcher:
    """Fetches articles over HTTP; addresses that are not public are refused unless allowed."""

    def __init__(
        self,
        *,
        allow_private: bool,
        resolve: Resolve = resolve,
        is_public: Callable[[str], bool] = is_public,
        limits: Limits = LIMITS,
    ) -> None:
        self._limits = limits
        self._download = Download(
            is_allowed=(lambda _: True) if allow_private else is_public,
            resolve=resolve,
            limits=limits,
            headers=_HEADERS,
            instead="open it in a browser, save the page and give the file",
        )

    async def fetch(self, url: str) -> Fetched:
        """The article at a URL.

        Raises:
            FetchError: the address is refused or does not answer, or no article is there.
        """
        body = await self._download.get(url, {})
        if body is None:
            raise ValueError(f"{url}: unchanged, which nobody asked")
        source = Source(name=url, url=body.url, content_type=body.headers.get("content-type"))
        fetched = await asyncio.to_thread(read_document, source, body.data)
        if fetched.canonical_url is None and body.redirected:
            return replace(fetched, canonical_url=body.url)
        return fetched

    def read(self, name: str, data: bytes, media_type: str | None) -> Fetched:
        """The article that a file's bytes hold: HTML, Markdown or text.

        Without a media type the name's ending tells the kind, or else the bytes.

        Raises:
            FetchError: the file is of another kind, too large, or holds no article.
        """
        if len(data) > self._limits.bytes:
            raise FetchError(
                f"{name}: {len(data):,} bytes; an article has at most {self._limits.bytes:,} bytes",
                retryable=False,
            )
        return read_document(Source(name=name, url=None, content_type=media_type), data)
