"""Which addresses a fetch may connect to."""

import asyncio
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

Resolve = Callable[[str, int], Awaitable[tuple[str, ...]]]
"""The addresses of a host name, for a port; raises `socket.gaierror` where it has none."""

_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")  # RFC 4291, all that IANA gives out
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052


async def resolve(host: str, port: int) -> tuple[str, ...]:
    """The addresses that the system knows for a name, in its order of preference.

    Raises:
        socket.gaierror: there are none, or nobody can be asked.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(place[4][0]) for place in found))


def is_public(address: str) -> bool:
    """Whether an address belongs to the public internet, also behind every IPv4-in-IPv6 form."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return all(_is_public(inner) for inner in _unwrapped(parsed))


def is_disguised(host: str) -> bool:
    """Whether a host is an IPv4 address in a form that only some programs read.

    No real name ends in a number; `2130706433`, `0177.0.0.1`, `0x7f.1` and `127.1` are read as
    127.0.0.1 by some resolvers and as names by others.
    """
    name = host.rstrip(".")
    if ":" in host or not re.fullmatch(
        r"(0x[0-9a-f]*|[0-9]+)", name.rpartition(".")[2], re.IGNORECASE
    ):
        return False
    try:
        return str(ipaddress.IPv4Address(name)) != host
    except ValueError:
        return True


def _is_public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and address not in _GLOBAL_UNICAST:
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _unwrapped(address: Address) -> tuple[Address, ...]:
    """The address, or the IPv4 addresses where its packets end up in the end."""
    if isinstance(address, ipaddress.IPv4Address):
        return (address,)
    if address.ipv4_mapped is not None:
        return (address.ipv4_mapped,)
    if address in _NAT64:
        return (ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF),)
    if address.sixtofour is not None:
        return (address, address.sixtofour)
    if address.teredo is not None:
        return (address, *address.teredo)
    return (address,)
