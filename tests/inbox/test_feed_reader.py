"""Feeds over HTTP: what is read of them, and what is said of what is none."""

import pytest

from orch_dagster.core.feed import Answer, Broken, FeedSeen, Item, Page, Unchanged
from resources.web.download import Limits
from resources.web.feeds import FeedReader
from tests.inbox.feeds import atom, rss
from tests.web.conftest import site as site
from tests.web.site import Site

NEVER = FeedSeen.never()
RSS = "application/rss+xml"


def ask(address: str, seen: FeedSeen = NEVER, limits: Limits | None = None) -> Answer:
    reader = FeedReader(allow_private=True, limits=limits or Limits())
    return reader.ask({address: seen})[address]


def test_rss_and_atom_give_their_entries_in_order(site: Site) -> None:
    entries = {"/one": "first", "https://b.example/two": None}
    for name, text in {"/rss": rss(entries), "/atom": atom(entries)}.items():
        page = ask(site.page(name, text.encode(), content_type="text/xml"))
        assert isinstance(page, Page)
        assert [(item.link, item.id) for item in page.items] == [
            (f"{site.url}/one", "first"),
            ("https://b.example/two", None),
        ]


def test_an_id_that_is_an_address_stands_for_a_missing_link(site: Site) -> None:
    text = (
        "<rss version='2.0'><channel><item><guid>https://a.example/1</guid></item></channel></rss>"
    )
    page = ask(site.page("/rss", text.encode(), content_type=RSS))
    assert isinstance(page, Page)
    assert page.items == (Item("https://a.example/1", "https://a.example/1", None),)


def test_a_feed_that_has_not_changed_is_not_sent_again(site: Site) -> None:
    address = site.page("/rss", rss({"/a": None}).encode(), content_type=RSS, etag='"v1"')
    page = ask(address)
    assert isinstance(page, Page)
    assert page.etag == '"v1"'
    seen = NEVER.model_copy(update={"etag": page.etag, "modified": "Mon, 30 Nov 2026 00:00:00 GMT"})
    assert ask(address, seen) == Unchanged()
    assert site.requests[-1][1]["If-Modified-Since"] == "Mon, 30 Nov 2026 00:00:00 GMT"


def test_one_broken_feed_does_not_stop_the_others(site: Site) -> None:
    good = site.page("/good", rss({"/a": None}).encode(), content_type=RSS)
    missing, html = site.url + "/missing", site.page("/page", b"<html><p>No</p></html>")
    dead = "http://127.0.0.1:9/feed"
    reader = FeedReader(allow_private=True)
    answers = reader.ask(dict.fromkeys([missing, good, html, dead], NEVER))
    assert isinstance(answers[good], Page)
    assert answers[missing] == Broken(
        f"feed {missing}: status 404: there is no page; check the address"
    )
    assert answers[html] == Broken(
        f"feed {html}: is no RSS or Atom feed; an address of an article stands without 'feed' "
        "before it"
    )
    fault = answers[dead]
    assert isinstance(fault, Broken)
    assert fault.fault.startswith(f"feed {dead}: cannot be reached (")


def test_what_is_left_of_a_cut_feed_is_taken_and_that_is_said(site: Site) -> None:
    text = rss({"/a": None, "/b": None}).partition("</item>")[0] + "</item><item><ti"
    page = ask(site.page("/rss", text.encode(), content_type=RSS))
    assert isinstance(page, Page)
    assert page.items[0].link == site.url + "/a"
    assert page.fault is not None
    assert "is no valid XML" in page.fault


@pytest.mark.parametrize("text", ["", "{}", "<rss", "\0\1", "file:///etc/passwd"])
def test_what_is_no_feed_is_told(text: str, site: Site) -> None:
    address = site.page("/x", text.encode(), content_type="text/xml")
    answer = ask(address)
    assert isinstance(answer, Broken)
    assert answer.fault.startswith(f"feed {address}: ")
    assert "\n" not in answer.fault


def test_a_feed_that_expands_without_end_does_not(site: Site) -> None:
    entities = "".join(f"<!ENTITY e{n} '{f'&e{n - 1};' * 20}'>" for n in range(1, 12))
    text = f"<!DOCTYPE rss [<!ENTITY e0 'lol'>{entities}]>{rss({'/a': '&e11;'})}"
    answer = ask(site.page("/x", text.encode(), content_type="text/xml"))
    assert isinstance(answer, Page | Broken)


def test_private_addresses_are_refused_unless_they_are_allowed(site: Site) -> None:
    address = site.page("/rss", rss({"/a": None}).encode(), content_type=RSS)
    answer = FeedReader(allow_private=False).ask({address: NEVER})[address]
    assert isinstance(answer, Broken)
    assert "ORCH_FETCH_ALLOW_PRIVATE" in answer.fault
    assert site.requests == []


def test_a_feed_that_is_too_large_is_told(site: Site) -> None:
    address = site.page("/rss", rss({"/a": None}).encode() + b" " * 5_000, content_type=RSS)
    answer = ask(address, limits=Limits(bytes=1_000))
    assert isinstance(answer, Broken)
    assert "larger than 1,000 bytes" in answer.fault
