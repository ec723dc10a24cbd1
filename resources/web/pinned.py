"""An HTTP transport that connects to the very address it has checked."""

import ipaddress
import re
import socket
import ssl
from collections.abc import Callable
from functools import cache

import httpx2

from resources.web.addresses import Resolve, is_disguised

_MOST_TRIED = 4
_NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_.])?", re.IGNORECASE)


class HostError(Exception):
    """A host that is not connected to; the message says what is wrong with it."""

    def __init__(self, what: str, *, retryable: bool) -> None:
        super().__init__(what)
        self.retryable = retryable


class PinnedTransport(httpx2.AsyncBaseTransport):
    """Resolves a name once, checks every address, and connects to one of those checked.

    A name that answers differently the second time (DNS rebinding) is never asked twice. TLS still
    proves the name: it is sent and verified in place of the address.
    """

    def __init__(self, *, is_allowed: Callable[[str], bool], resolve: Resolve) -> None:
        self._is_allowed = is_allowed
        self._resolve = resolve
        self._inner = httpx2.AsyncHTTPTransport(
            verify=_certificates(), limits=httpx2.Limits(max_keepalive_connections=0)
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends the request.

        Raises:
            HostError: the host has no address, or one that may not be connected to.
        """
        *others, last = (await self._addresses(request.url))[:_MOST_TRIED]
        for address in others:
            try:
                return await self._inner.handle_async_request(_pinned(request, address))
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue
        return await self._inner.handle_async_request(_pinned(request, last))

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _addresses(self, url: httpx2.URL) -> tuple[str, ...]:
        host = url.raw_host.decode("ascii")
        if is_disguised(host):
            raise HostError(
                f"the host {host!r} is a number and no plain address; write the name or the "
                "address in four parts",
                retryable=False,
            )
        addresses = await self._found(host, url.port or (443 if url.scheme == "https" else 80))
        for address in addresses:
            if not self._is_allowed(address):
                raise HostError(_private(host, address), retryable=False)
        return addresses

    async def _found(self, host: str, port: int) -> tuple[str, ...]:
        try:
            return (str(ipaddress.ip_address(host)),)
        except ValueError:
            pass
        if not _NAME.fullmatch(host):
            raise HostError(f"{host!r} is no host name; check the address", retryable=False)
        try:
            found = await self._resolve(host, port)
        except (socket.gaierror, UnicodeError) as error:
            retryable = isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN
            raise HostError(
                f"the host {host!r} is not known; check its name and this machine's network",
                retryable=retryable,
            ) from error
        if not found:
            raise HostError(f"the host {host!r} has no address", retryable=True)
        return found


@cache
def _certificates() -> ssl.SSLContext:
    """The trusted authorities: a tenth of a second to load, hence once."""
    return httpx2.create_ssl_context()


def _private(host: str, address: str) -> str:
    which = f"{host!r}" if host == address else f"{host!r} is at {address}, which"
    return (
        f"{which} is not on the public internet; set ORCH_FETCH_ALLOW_PRIVATE=1 if it may be read"
    )


def _pinned(request: httpx2.Request, address: str) -> httpx2.Request:
    host = request.url.raw_host.decode("ascii").rstrip(".")
    extensions = dict(request.extensions)
    if host != address:
        extensions["sni_hostname"] = host
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,  # Host is among them, with the name
        stream=request.stream,
        extensions=extensions,
    )
