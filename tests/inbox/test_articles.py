"""An inbox of articles to be translated: files, addresses, and feeds whose entries come once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from orch_dagster.cli.inputs import read_inputs
from orch_dagster.inbox import Pace
from orch_dagster.inbox_memory import remember
from resources.web.article_key import article_key
from tests.inbox.feeds import atom, rss
from tests.inbox.post import Post, open_post
from tests.web.conftest import site as site
from tests.web.site import Site

RSS = "application/rss+xml"


def test_a_list_handed_in_by_hand_gives_addresses_and_what_its_feeds_have_now(
    post: Post, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORCH_FETCH_ALLOW_PRIVATE", "1")
    one = site.page("/one", rss({"/a": "1", "/b": "2"}).encode(), content_type=RSS)
    two = site.page("/two", rss({"/b": "77", "/c": None}).encode(), content_type=RSS)
    post.drop("news.urls", f"{site.url}/a\nfeed {one}\nfeed {two}\nfeed {site.url}/none\n")
    entries, mistakes = read_inputs("translation", [f"{post.place}/news.urls"])
    assert [entry.metadata["source"] for entry in entries] == [
        f"{site.url}/{name}" for name in "abc"
    ]
    assert mistakes == (f"feed {site.url}/none: status 404: there is no page; check the address",)


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    with open_post(tmp_path, "translation") as opened:
        yield opened


def later(post: Post) -> None:
    """The time after which feeds are asked again has gone by."""
    memory = post.memory()
    feeds = {
        address: seen.model_copy(update={"asked_at": seen.asked_at - 15 * 60})
        for address, seen in memory.feeds.items()
    }
    remember(post.instance, post.declared, memory.model_copy(update={"feeds": feeds}))


def test_files_and_addresses_become_articles(post: Post) -> None:
    post.drop("Low water.md", "# Low water\n\nIt is low.\n")
    post.drop("page.html", "<html><body><p>Text</p></body></html>")
    post.drop("list.urls", "https://a.example/one\nhttps://a.example/two\nnonsense\n")
    said = post.tick()
    keys = [article_key(f"https://a.example/{name}") for name in ("one", "two")]
    assert post.articles() == sorted(["low-water", "page", *keys])
    assert said.splitlines()[1:] == [
        "list.urls: line 3: nonsense: only http and https addresses are fetched"
    ]
    post.drop("list.urls", "https://a.example/one\nhttps://a.example/three\n")
    assert post.tick().startswith(f"registered {article_key('https://a.example/three')};")


def test_two_files_of_one_stem_are_both_named(post: Post) -> None:
    post.drop("tide.md", "One.")
    post.drop("tide.txt", "Another.")
    assert post.tick().splitlines()[1:] == [
        "tide.txt: the file's name makes it the article 'tide', which 'tide.md' is already; that "
        "one stands, this one is not taken: change it here"
    ]


def test_a_long_list_is_worked_off_over_several_looks(post: Post) -> None:
    addresses = [f"https://a.example/{number}" for number in range(25)]
    post.drop("list.urls", "\n".join(addresses) + "\nwrong\n")
    post.pace = Pace(entries=10)
    said = [post.tick() for _ in range(4)]
    assert [line.count("-") > 0 for line in said] == [True, True, True, False]
    assert post.articles() == sorted(map(article_key, addresses))
    assert {post.versions(article) for article in post.articles()} == {1}
    assert len(post.told) == 1


def test_each_entry_of_a_feed_comes_once_however_the_feed_turns(post: Post, site: Site) -> None:
    address = site.page("/rss", rss({"/a": "1", "/b": "2"}).encode(), content_type=RSS)
    post.drop("news.urls", f"feed {address}\n")
    assert post.tick().startswith("registered b-")
    a, b, c = (article_key(f"{site.url}/{name}") for name in "abc")
    assert post.articles() == sorted([a, b])
    assert len(site.requests) == 1
    post.tick()
    assert len(site.requests) == 1  # not before its time
    site.page("/rss", rss({"/c": "3", "/b?utm=x": "2", "/a": "1"}).encode(), content_type=RSS)
    later(post)
    assert post.tick().startswith(f"registered {c};")
    site.page("/rss", rss({"/a": "other", "/c": "3"}).encode(), content_type=RSS)
    later(post)
    assert post.tick().startswith("nothing new")
    assert post.articles() == sorted([a, b, c])
    assert {post.versions(article) for article in post.articles()} == {1}


def test_an_entry_in_two_feeds_comes_once(post: Post, site: Site) -> None:
    one = site.page("/rss", rss({"/a": "1"}).encode(), content_type=RSS)
    two = site.page("/atom", atom({"/a": "urn:x:1", "/b": "urn:x:2"}).encode(), content_type=RSS)
    post.drop("news.urls", f"feed {one}\nfeed {two}\n{site.url}/b\n")
    post.tick()
    assert post.articles() == sorted(article_key(f"{site.url}/{name}") for name in "ab")
    assert {post.versions(article) for article in post.articles()} == {1}


def test_a_feed_that_has_not_changed_costs_no_body(post: Post, site: Site) -> None:
    text = rss({"/a": "1"}).encode()
    address = site.page("/rss", text, content_type=RSS, etag='"v1"')
    post.drop("news.urls", f"feed {address}\n")
    post.tick()
    later(post)
    assert post.tick().startswith("nothing new")
    assert site.requests[-1][1]["If-None-Match"] == '"v1"'


def test_a_broken_feed_is_told_once_and_stops_no_other(post: Post, site: Site) -> None:
    good = site.page("/good", rss({"/a": "1"}).encode(), content_type=RSS)
    broken = site.page("/broken", b"gone", status=500)
    post.drop("news.urls", f"feed {broken}\nfeed {good}\n")
    fault = f"feed {broken}: status 500: the server is out of order; try later"
    assert post.tick().splitlines()[1:] == [fault]
    assert post.articles() == [article_key(f"{site.url}/a")]
    later(post)
    post.tick()
    assert post.told == [fault]
    assert post.memory().faults() == (fault,)
    site.page("/broken", rss({"/b": "1", "": None}).encode(), content_type=RSS)
    later(post)
    said = post.tick().splitlines()
    assert said[0].startswith(f"registered {article_key(f'{site.url}/b')};")
    assert said[1:] == [
        f"feed {broken}: the entry 'About' is not taken: it has no link, so there is nothing to "
        "fetch"
    ]


def test_a_long_feed_is_worked_off_and_no_entry_is_lost(post: Post, site: Site) -> None:
    entries: dict[str, str | None] = {f"/{number}": str(number) for number in range(25)}
    address = site.page("/rss", rss(entries).encode(), content_type=RSS, etag='"v1"')
    post.drop("news.urls", f"feed {address}\n")
    post.pace = Pace(entries=10)
    for _ in range(4):
        post.tick()
    assert post.articles() == sorted(article_key(site.url + link) for link in entries)
    assert {post.versions(article) for article in post.articles()} == {1}


def test_a_cut_off_look_at_a_feed_repeats_nothing(post: Post, site: Site) -> None:
    address = site.page("/rss", rss({"/a": "1"}).encode(), content_type=RSS)
    post.drop("news.urls", f"feed {address}\n")
    post.tick(keep=False)
    assert post.tick().startswith("nothing new")
    assert post.versions(article_key(f"{site.url}/a")) == 1


def test_a_feed_that_no_file_names_any_more_is_not_asked(post: Post, site: Site) -> None:
    address = site.page("/rss", rss({"/a": "1"}).encode(), content_type=RSS)
    post.drop("news.urls", f"feed {address}\n")
    post.tick()
    post.drop("news.urls", "# nothing\n")
    post.tick()
    assert post.memory().feeds == {}
    assert len(site.requests) == 1
