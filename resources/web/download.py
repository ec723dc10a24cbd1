"""Bytes from the web: bounded, with redirects, from addresses that may be read."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx2

from resources.web.addresses import Resolve
from resources.web.fetched import FetchError
from resources.web.pinned import HostError, PinnedTransport
from resources.web.statuses import refuse_status

_SECONDS_TO_CONNECT = 10
_NOT_MODIFIED = 304


@dataclass(frozen=True, slots=True)
class Limits:
    """How much and how long: bytes after decompression, seconds for the whole, redirects."""

    bytes: int = 10 * 1024 * 1024
    seconds: float = 30
    redirects: int = 5


@dataclass(frozen=True, slots=True)
class Body:
    """What came: the URL it was at in the end, its headers, and the bytes, decompressed."""

    url: str
    redirected: bool
    headers: Mapping[str, str]
    data: bytes


@dataclass(frozen=True, slots=True)
class Download:
    """Downloads over HTTP. `instead` is what people can do where a download is of no use."""

    is_allowed: Callable[[str], bool]
    resolve: Resolve
    limits: Limits
    headers: Mapping[str, str]
    instead: str

    async def get(self, url: str, headers: Mapping[str, str]) -> Body | None:
        """The body at a URL, or None where the server says that it has not changed.

        Raises:
            FetchError: the address is refused or does not answer.
        """
        _refuse_form(url)
        try:
            async with asyncio.timeout(self.limits.seconds):
                return await self._body(url, headers)
        except TimeoutError as error:
            raise FetchError(
                f"{url}: was not there whole after {self.limits.seconds:g} seconds; try later, "
                f"or {self.instead}",
                retryable=True,
            ) from error
        except HostError as error:
            raise FetchError(f"{url}: {error}", retryable=error.retryable) from error
        except httpx2.InvalidURL as error:
            raise FetchError(f"{url}: is no address ({error})", retryable=False) from error
        except httpx2.DecodingError as error:
            raise FetchError(
                f"{url}: the body is not compressed as its header says ({error}); {self.instead}",
                retryable=True,
            ) from error
        except httpx2.HTTPError as error:
            raise FetchError(
                f"{url}: cannot be reached ({_cause(error)}); check the address, or try later",
                retryable=True,
            ) from error

    async def _body(self, url: str, headers: Mapping[str, str]) -> Body | None:
        transport = PinnedTransport(is_allowed=self.is_allowed, resolve=self.resolve)
        async with httpx2.AsyncClient(
            transport=transport,
            trust_env=False,
            headers=self.headers,
            timeout=httpx2.Timeout(self.limits.seconds, connect=_SECONDS_TO_CONNECT),
        ) as client:
            request = client.build_request("GET", url, headers=headers)
            for hop in range(self.limits.redirects + 1):
                response = await client.send(request, stream=True, follow_redirects=False)
                try:
                    if headers and response.status_code == _NOT_MODIFIED:
                        return None
                    if response.next_request is None:
                        return await self._read(url, response, redirected=hop > 0)
                    request = response.next_request
                finally:
                    await response.aclose()
                _refuse_hop(url, str(request.url))
        raise FetchError(
            f"{url}: redirects more than {self.limits.redirects} times, at last to {request.url}; "
            "give the address that a browser ends at",
            retryable=False,
        )

    async def _read(self, url: str, response: httpx2.Response, *, redirected: bool) -> Body:
        refuse_status(url, response.status_code, instead=self.instead)
        if "," in response.headers.get("content-encoding", ""):
            raise FetchError(
                f"{url}: the body is compressed more than once; {self.instead}", retryable=False
            )
        data = bytearray()
        async for chunk in response.aiter_bytes():
            data += chunk
            if max(len(data), response.num_bytes_downloaded) > self.limits.bytes:
                raise FetchError(
                    f"{url}: is larger than {self.limits.bytes:,} bytes; {self.instead}",
                    retryable=False,
                )
        return Body(str(response.url), redirected, dict(response.headers), bytes(data))


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
