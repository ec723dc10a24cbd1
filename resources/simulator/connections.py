"""Open connections, so that a scripted reply can break one."""

import asyncio
import socket
import struct
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

# Linger for no time: the kernel sends a reset instead of an orderly end (socket(7), SO_LINGER).
_NO_LINGER = struct.pack("ii", 1, 0)


class Connections:
    """Transports by the client's address, filled by the protocol of the server that listens."""

    def __init__(self) -> None:
        """No server listens yet."""
        self._open: dict[tuple[Any, ...], asyncio.Transport] = {}

    def opened(self, transport: asyncio.Transport) -> None:
        """Remembers a new connection."""
        self._open[_address(transport)] = transport

    def closed(self, transport: asyncio.Transport) -> None:
        """Forgets a connection."""
        self._open.pop(_address(transport), None)

    def is_open(self, client: Any) -> bool:
        """Whether an answer to `client`, an ASGI scope's address, can still get there."""
        transport = self._open.get(tuple(client or ()))
        return transport is not None and not transport.is_closing()

    def reset(self, client: Any) -> None:
        """Ends the connection of `client` abruptly, whatever has been sent.

        Raises:
            RuntimeError: the application runs in a server that does not report its connections.
        """
        transport = self._open.get(tuple(client or ()))
        if transport is None:
            raise RuntimeError("a connection can be reset only in the simulator's own server")
        transport.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER
        )
        transport.abort()


def reporting_protocol(connections: Connections) -> type[asyncio.Protocol]:
    """Uvicorn's HTTP protocol, telling `connections` what comes and goes."""

    class ReportingProtocol(AutoHTTPProtocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
            self._reported = transport
            self._address = _address(transport)
            connections.opened(transport)
            super().connection_made(transport)

        def connection_lost(self, exc: Exception | None) -> None:
            connections.closed(self._reported)
            super().connection_lost(exc)

    return ReportingProtocol


def _address(transport: asyncio.Transport) -> tuple[str, int]:
    host, port, *_ = transport.get_extra_info("peername")
    return str(host), int(port)
