"""Fetching from a real server: redirects, bodies, caps, and what is said when nothing comes."""

import asyncio
import gzip
import sys
import time
import zlib
from collections.abc import Iterator

import brotli
import pytest

from resources.web.fetched import Fetched, FetchError
from resources.web.fetcher import Limits, WebFetcher
from tests.web.pages import (
    CHALLENGE,
    CONSENT,
    LOGIN,
    LOST,
    PARAGRAPHS,
    PAYWALL,
    SCRIPTED,
    TEASERS,
    article,
    page,
)
from tests.web.site import Site

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

HTML = "text/html; charset=utf-8"


def fetch(url: str, *, limits: Limits | None = None) -> Fetched:
    fetcher = WebFetcher(allow_private=True, limits=limits or Limits())
    return asyncio.run(fetcher.fetch(url))


def refusal(url: str, *, limits: Limits | None = None) -> FetchError:
    with pytest.raises(FetchError) as caught:
        fetch(url, limits=limits)
    assert "\n" not in str(caught.value)
    return caught.value


def test_an_article_comes_without_the_furniture_of_its_site(site: Site) -> None:
    url = site.page("/news/low-water", article().encode(), content_type=HTML)
    fetched = fetch(url)
    assert fetched.markdown == "\n\n".join(PARAGRAPHS) + "\n"
    assert (fetched.title, fetched.language) == ("Low water in the harbour", "en")
    assert fetched.url == url


@pytest.mark.parametrize(
    ("coding", "compress"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("br", brotli.compress),
        ("zstd", zstd.compress),
    ],
)
def test_a_compressed_body_is_read(coding: str, compress, site: Site) -> None:
    body = compress(article().encode())
    url = site.page("/a", body, content_type=HTML, content_encoding=coding)
    assert PARAGRAPHS[1] in fetch(url).markdown
    assert coding in site.requests[0][1]["Accept-Encoding"]


def test_five_redirects_are_followed_and_six_are_not(site: Site) -> None:
    site.page("/0", article().encode(), content_type=HTML)
    for hop in range(1, 7):
        site.page(f"/{hop}", b"", status=302, location=f"/{hop - 1}")
    assert fetch(site.url + "/5").canonical_url == site.url + "/0"
    assert "redirects more than 5 times" in str(refusal(site.url + "/6"))


def test_a_circle_of_redirects_ends(site: Site) -> None:
    site.page("/round", b"", status=301, location="/round")
    assert "redirects more than 5 times" in str(refusal(site.url + "/round"))


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://x/"])
def test_a_redirect_to_another_protocol_is_refused(target: str, site: Site) -> None:
    url = site.page("/away", b"", status=302, location=target)
    error = refusal(url)
    assert "only http and https" in str(error)
    assert not error.retryable


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://example.com/a", "/etc/passwd", ""])
def test_only_web_addresses_are_fetched(url: str) -> None:
    assert "only http and https" in str(refusal(url))


def test_a_body_beyond_the_cap_is_not_read_to_its_end(site: Site) -> None:
    sent = []

    def endless() -> Iterator[bytes]:
        while True:
            sent.append(1)
            yield b"<p>words and more words</p>" * 400

    url = site.page("/endless", endless, content_type=HTML)
    assert "is larger than 50,000 bytes" in str(refusal(url, limits=Limits(bytes=50_000)))


@pytest.mark.parametrize(
    ("coding", "bomb"),
    [
        ("gzip", gzip.compress(bytes(40_000_000))),
        ("deflate", zlib.compress(bytes(40_000_000))),
        ("br", brotli.compress(bytes(40_000_000), quality=5)),
        ("zstd", zstd.compress(bytes(40_000_000))),
    ],
)
def test_a_bomb_is_stopped_at_the_cap(coding: str, bomb: bytes, site: Site) -> None:
    assert len(bomb) < 100_000
    url = site.page("/bomb", bomb, content_type=HTML, content_encoding=coding)
    assert "is larger than 10,485,760 bytes" in str(refusal(url))


def test_a_body_compressed_twice_is_refused(site: Site) -> None:
    body = gzip.compress(gzip.compress(article().encode()))
    url = site.page("/a", body, content_type=HTML, content_encoding="gzip, gzip")
    assert "compressed more than once" in str(refusal(url))


def test_a_body_that_is_not_compressed_as_it_says_is_told(site: Site) -> None:
    url = site.page("/a", article().encode(), content_type=HTML, content_encoding="gzip")
    assert "not compressed as its header says" in str(refusal(url))


def test_a_trickle_of_bytes_ends_with_the_time_for_the_whole(site: Site) -> None:
    def trickle() -> Iterator[bytes]:
        for _ in range(200):
            yield b"<p>"
            time.sleep(0.02)

    url = site.page("/slow", trickle, content_type=HTML)
    error = refusal(url, limits=Limits(seconds=0.2))
    assert "not there whole after 0.2 seconds" in str(error)
    assert error.retryable


@pytest.mark.parametrize(
    ("status", "says", "retryable"),
    [
        (401, "asks for a login", False),
        (403, "refuses to be read by a program", False),
        (404, "there is no page", False),
        (410, "taken away", False),
        (418, "no page came with it", False),
        (204, "no page came with it", False),
        (429, "too many requests", True),
        (500, "out of order", True),
        (503, "out of order", True),
    ],
)
def test_a_status_is_told_in_words(status: int, says: str, retryable: bool, site: Site) -> None:
    error = refusal(site.page("/a", b"", status=status, content_type=HTML))
    assert f"/a: status {status}: " in str(error)
    assert says in str(error)
    assert error.retryable is retryable


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (TEASERS, "an index page of links and teasers"),
        (CONSENT, "a consent wall"),
        (PAYWALL, "a login or a paywall"),
        (LOGIN, "a login or a paywall"),
        (SCRIPTED, "drawn by JavaScript"),
        (CHALLENGE, "a proof that a person is reading"),
        (LOST, "no such page"),
        (page(""), "the page is empty"),
        ("", "is empty"),
        ("<!-- nothing -->", "is empty"),
        (page("<p>Hello.</p>"), "no article text"),
    ],
)
def test_a_page_that_is_no_article_is_told_by_its_kind(body: str, says: str, site: Site) -> None:
    error = refusal(site.page("/x", body.encode(), content_type=HTML))
    assert says in str(error)
    assert not error.retryable


@pytest.mark.parametrize(
    ("media_type", "body", "says"),
    [
        ("application/pdf", b"%PDF-1.7 ...", "a PDF"),
        ("text/html", b"%PDF-1.7 ...", "a PDF"),
        ("image/png", b"\x89PNG\r\n\x1a\n", "an image"),
        ("image/svg+xml", b"<svg></svg>", "an XML file"),
        ("image/x-unknown", b"zzz", "an image"),
        ("application/json", b'{"a": 1}', "JSON"),
        ("text/plain", b'{"score": 10}', "JSON"),
        ("application/ld+json", b"{}", "JSON"),
        ("application/rss+xml", b"<rss/>", "a feed"),
        ("video/mp4", b"....ftypisom", "a sound file or a video"),
        ("application/zip", b"PK\x03\x04", "a ZIP archive or an office document"),
        ("application/octet-stream", b"\0\1\2\3", "a binary file"),
        ("application/msword", b"zzz", "of the type 'application/msword'"),
    ],
)
def test_a_document_of_another_kind_is_told(
    media_type: str, body: bytes, says: str, site: Site
) -> None:
    assert f"is {says}, not an article" in str(
        refusal(site.page("/x", body, content_type=media_type))
    )


def test_a_host_where_nobody_listens_may_be_tried_again(site: Site) -> None:
    error = refusal("http://127.0.0.1:1/a")
    assert "cannot be reached" in str(error)
    assert error.retryable


def test_markdown_on_the_web_is_read_as_it_is(site: Site) -> None:
    body = b"---\ntitle: Low water\nauthor: Ana Lee\n---\n\n# Heading\n\n* one\n* two  \n"
    fetched = fetch(site.page("/a.md", body, content_type="text/plain; charset=utf-8"))
    assert (fetched.title, fetched.author) == ("Low water", "Ana Lee")
    assert fetched.markdown == "\n# Heading\n\n* one\n* two  \n"


def test_a_user_name_in_an_address_is_refused_and_its_password_not_repeated() -> None:
    error = refusal("http://ana:s3cret@example.com/a")
    assert "holds a user name" in str(error)
    assert "s3cret" not in str(error)


def test_several_articles_are_fetched_at_once(site: Site) -> None:
    urls = [site.page(f"/{n}", article().encode(), content_type=HTML) for n in range(8)]

    async def all_of_them() -> list[Fetched]:
        fetcher = WebFetcher(allow_private=True)
        return await asyncio.gather(*(fetcher.fetch(url) for url in urls))

    assert [fetched.url for fetched in asyncio.run(all_of_them())] == urls
