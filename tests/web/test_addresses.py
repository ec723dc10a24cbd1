"""Addresses that a fetch may not connect to, however they are written or reached."""

import asyncio
import ipaddress
import re
import socket

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from resources.web.addresses import is_disguised, is_public
from resources.web.fetched import FetchError
from resources.web.fetcher import WebFetcher
from tests.web.pages import article
from tests.web.site import Site

PRIVATE = [
    "127.0.0.1", "127.8.8.8", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "0.0.0.0",
    "169.254.169.254", "100.64.0.1", "100.127.255.255", "192.0.2.1", "198.18.0.1", "224.0.0.1",
    "255.255.255.255", "240.0.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1",
    "fec0::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:a00:1", "::127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b:1::1", "2002:7f00:1::", "2002:c0a8:101::1", "2001:db8::1", "nonsense", "",
]  # fmt: skip
PUBLIC = ["8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111",
          "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"]  # fmt: skip


class Names:
    """A name server of our own; a name with several answers gives the next one each time."""

    def __init__(self, **answers: list[tuple[str, ...]]) -> None:
        self._answers = {name.replace("_", "."): list(given) for name, given in answers.items()}
        self.asked: list[str] = []

    async def resolve(self, host: str, port: int) -> tuple[str, ...]:
        self.asked.append(host)
        answers = self._answers.get(host.rstrip("."))
        if answers is None:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return answers.pop(0) if len(answers) > 1 else answers[0]


def refusal(url: str, names: Names | None = None, *, allow_private: bool = False) -> str:
    fetcher = WebFetcher(allow_private=allow_private, resolve=(names or Names()).resolve)
    with pytest.raises(FetchError) as caught:
        asyncio.run(fetcher.fetch(url))
    return str(caught.value)


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_off_the_public_internet_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_on_the_public_internet_is_public(address: str) -> None:
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_judged_alike_in_every_dress(address: ipaddress.IPv4Address) -> None:
    mapped = ipaddress.IPv6Address(0xFFFF_0000_0000 | int(address))
    translated = ipaddress.IPv6Address((0x64FF9B << 96) | int(address))
    assert is_public(str(address)) == is_public(str(mapped)) == is_public(str(translated))
    if not address.is_global:
        assert not is_public(str(address))


@given(st.ip_addresses(v=6))
@example(ipaddress.IPv6Address("fec0::1"))
def test_only_global_unicast_is_public_in_ipv6(address: ipaddress.IPv6Address) -> None:
    if is_public(str(address)) and address.ipv4_mapped is None:
        assert address in ipaddress.IPv6Network("2000::/3") or str(address).startswith("64:ff9b::")
        assert address.is_global


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_plain_in_one_form_alone(address: ipaddress.IPv4Address) -> None:
    whole = int(address)
    assert not is_disguised(str(address))
    assert is_disguised(str(whole))
    assert is_disguised(hex(whole))
    assert is_disguised(f"{address}.")
    assert is_disguised(".".join(f"0{int(part):o}" for part in str(address).split(".")))


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "100.64.1.1", "0.0.0.0", "[::1]",
     "[::ffff:127.0.0.1]", "[fd00::1]", "[fe80::1]", "[64:ff9b::7f00:1]"],
)  # fmt: skip
def test_a_private_address_in_a_url_is_refused(host: str) -> None:
    said = refusal(f"http://{host}/latest/meta-data/")
    assert "is not on the public internet; set ORCH_FETCH_ALLOW_PRIVATE=1" in said


@pytest.mark.parametrize(
    "host", ["2130706433", "0x7f000001", "0x7f.1", "017700000001", "0177.0.0.1", "127.1",
             "127.0.0.1.", "127.0.1", "999.1.1.1"]
)  # fmt: skip
@pytest.mark.parametrize("allow_private", [True, False])
def test_an_address_in_disguise_is_refused(host: str, allow_private: bool) -> None:
    said = refusal(f"http://{host}/", allow_private=allow_private)
    assert "no plain address" in said or "is no address" in said


@pytest.mark.parametrize("host", ["１２７.0.0.1", "127。0。0。1", "%31%32%37.0.0.1", "ex ample.com",
                                  "exa\\mple.com", "①②⑦.0.0.1"])  # fmt: skip
def test_a_host_in_odd_letters_is_refused(host: str) -> None:
    assert "://" in refusal(f"http://{host}/")


@pytest.mark.parametrize("name", ["internal.test", "internal.test.", "INTERNAL.test"])
def test_a_name_that_resolves_to_a_private_address_is_refused(name: str) -> None:
    names = Names(internal_test=[("10.0.0.7",)])
    assert "is at 10.0.0.7, which is not on the public internet" in refusal(
        f"http://{name}/", names
    )


def test_one_private_address_among_public_ones_is_enough() -> None:
    names = Names(mixed_test=[("8.8.8.8", "::1")])
    assert "is at ::1, which" in refusal("https://mixed.test/", names)


def test_localhost_is_refused_by_the_system_s_own_resolver() -> None:
    with pytest.raises(FetchError, match="not on the public internet"):
        asyncio.run(WebFetcher(allow_private=False).fetch("http://localhost:9/"))


@pytest.mark.parametrize("userinfo", ["8.8.8.8", "example.com:80", "a:b"])
def test_a_host_before_an_at_sign_is_no_host(userinfo: str) -> None:
    assert "holds a user name" in refusal(f"http://{userinfo}@127.0.0.1/")


def test_the_address_that_was_checked_is_the_one_connected_to(site: Site) -> None:
    """The second answer of a rebinding name is never asked for."""
    port = site.url.rpartition(":")[2]
    site.page("/a", article().encode(), content_type="text/html")
    names = Names(rebind_test=[("127.0.0.1",), ("10.0.0.1",)])
    fetcher = WebFetcher(allow_private=True, resolve=names.resolve)
    fetched = asyncio.run(fetcher.fetch(f"http://rebind.test:{port}/a"))
    assert fetched.title == "Low water in the harbour"
    assert names.asked == ["rebind.test"]
    assert site.requests[0][1]["Host"] == f"rebind.test:{port}"


def test_the_next_address_of_a_name_is_tried_where_the_first_does_not_answer(site: Site) -> None:
    port = site.url.rpartition(":")[2]
    site.page("/a", article().encode(), content_type="text/html")
    names = Names(two_test=[("127.0.0.2", "127.0.0.1")])
    fetcher = WebFetcher(allow_private=True, resolve=names.resolve)
    assert asyncio.run(fetcher.fetch(f"http://two.test:{port}/a")).language == "en"


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("http://metadata.test/latest", "'metadata.test' is at 169.254.169.254, which"),
        ("http://[::1]:80/", "'::1' is not on the public internet"),
        ("//10.0.0.1/", "'10.0.0.1' is not on the public internet"),
        ("http://2130706433/", "no plain address"),
        ("http://a:b@metadata.test/", "holds a user name"),
    ],
)
def test_a_redirect_is_checked_as_the_first_address_was(target: str, says: str, site: Site) -> None:
    """To this fetcher our own site is public, and nothing else is."""
    url = site.page("/away", b"", status=302, location=target)
    names = Names(metadata_test=[("169.254.169.254",)])
    fetcher = WebFetcher(
        allow_private=False, resolve=names.resolve, is_public=lambda a: a == "127.0.0.1"
    )
    with pytest.raises(FetchError, match=re.escape(says)):
        asyncio.run(fetcher.fetch(url))
    assert len(site.requests) == 1


def test_a_name_that_nobody_knows_is_told() -> None:
    assert "the host 'nowhere.test' is not known" in refusal("http://nowhere.test/")
