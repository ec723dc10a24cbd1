"""Articles from the web and from files, as clean Markdown."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import httpx2

from resources.web.addresses import Resolve, is_public, resolve
from resources.web.document import Source, read_document
from resources.web.fetched import Fetched, FetchError
from resources.web.pinned import HostError, PinnedTransport
from resources.web.statuses import refuse_status

_SECONDS_TO_CONNECT = 10
_HEADERS = {
    "User-Agent": "orch-dagster/0.1 (article fetcher)",
    "Accept": "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,*/*;q=0.1",
    "Accept-Language": "en,*;q=0.5",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """How much and how long: bytes after decompression, seconds for the whole, redirects."""

    bytes: int = 10 * 1024 * 1024
    seconds: float = 30
    redirects: int = 5


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class _Body:
    url: str
    redirected: bool
    content_type: str | None
    data: bytes


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
        self._is_allowed = (lambda _: True) if allow_private else is_public
        self._resolve = resolve
        self._limits = limits

    async def fetch(self, url: str) -> Fetched:
        """The article at a URL.

        Raises:
            FetchError: the address is refused or does not answer, or no article is there.
        """
        _refuse_form(url)
        try:
            async with asyncio.timeout(self._limits.seconds):
                body = await self._body(url)
        except TimeoutError as error:
            raise FetchError(
                f"{url}: was not there whole after {self._limits.seconds:g} seconds; try later, "
                "or save the page and give the file",
                retryable=True,
            ) from error
        except HostError as error:
            raise FetchError(f"{url}: {error}", retryable=error.retryable) from error
        except httpx2.InvalidURL as error:
            raise FetchError(f"{url}: is no address ({error})", retryable=False) from error
        except httpx2.DecodingError as error:
            raise FetchError(
                f"{url}: the body is not compressed as its header says ({error}); save the page "
                "from a browser and give the file",
                retryable=True,
            ) from error
        except httpx2.HTTPError as error:
            raise FetchError(
                f"{url}: cannot be reached ({_cause(error)}); check the address, or try later",
                retryable=True,
            ) from error
        source = Source(name=url, url=body.url, content_type=body.content_type)
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

    async def _body(self, url: str) -> _Body:
        transport = PinnedTransport(is_allowed=self._is_allowed, resolve=self._resolve)
        async with httpx2.AsyncClient(
            transport=transport,
            trust_env=False,
            headers=_HEADERS,
            timeout=httpx2.Timeout(self._limits.seconds, connect=_SECONDS_TO_CONNECT),
        ) as client:
            request = client.build_request("GET", url)
            for hop in range(self._limits.redirects + 1):
                response = await client.send(request, stream=True, follow_redirects=False)
                try:
                    if response.next_request is None:
                        return await self._read(url, response, redirected=hop > 0)
                    request = response.next_request
                finally:
                    await response.aclose()
                _refuse_hop(url, str(request.url))
        raise FetchError(
            f"{url}: redirects more than {self._limits.redirects} times, at last to {request.url}; "
            "give the address that a browser ends at",
            retryable=False,
        )

    async def _read(self, url: str, response: httpx2.Response, *, redirected: bool) -> _Body:
        refuse_status(url, response.status_code)
        if "," in response.headers.get("content-encoding", ""):
            raise FetchError(
                f"{url}: the body is compressed more than once; save the page and give the file",
                retryable=False,
            )
        data = bytearray()
        async for chunk in response.aiter_bytes():
            data += chunk
            if max(len(data), response.num_bytes_downloaded) > self._limits.bytes:
                raise FetchError(
                    f"{url}: is larger than {self._limits.bytes:,} bytes; save the article alone "
                    "and give the file",
                    retryable=False,
                )
        content_type = response.headers.get("content-type")
        return _Body(str(response.url), redirected, content_type, bytes(data))


def _refuse_form(url: str) -> None:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise FetchError(f"{url}: is no address ({error})", retryable=False) from error
    if parts.scheme.lower() not in ("http", "https"):
        raise FetchError(
            f"{url}: only http and https are fetched, not {parts.scheme or 'a bare path'!r}",
            retryable=False,
        )
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise FetchError(
            f"{parts.scheme}://…@{host or ''}{parts.path}: holds a user name; give the address "
            "without what stands before '@'",
            retryable=False,
        )
    if not host or port == 0:
        raise FetchError(f"{url}: names no host; check the address", retryable=False)


def _refuse_hop(url: str, target: str) -> None:
    try:
        _refuse_form(target)
    except FetchError as error:
        raise FetchError(f"{url}: redirects to {error}", retryable=False) from error


def _cause(error: httpx2.HTTPError) -> str:
    return str(error) or type(error).__name__
