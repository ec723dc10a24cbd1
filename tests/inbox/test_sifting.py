"""Which entries of feeds are new."""

from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.core.entry import Entry
from orch_dagster.core.feed import FeedSeen, Item, Page, due_feeds, sift

FEEDS = ("https://one.example/feed", "https://two.example/feed")


def enter(link: str) -> Entry | str:
    """An entry for a link; `ftp` is none."""
    return f"{link}: not fetched" if link.startswith("ftp:") else Entry(link, link, b"", {})


def page(*items: Item) -> Page:
    """A feed of these entries."""
    return Page(items, etag=None, modified=None, fault=None)


IDS = st.sampled_from([None, "1", "2", "urn:uuid:3", "https://a.example/4"])
LINKS = st.sampled_from([None, "ftp://a.example", *(f"https://a.example/{n}" for n in range(4))])
ITEMS = st.builds(Item, id=IDS, link=LINKS, title=st.sampled_from([None, "A title"]))
VISITS = st.lists(st.tuples(st.sampled_from(FEEDS), st.lists(ITEMS, max_size=6)), max_size=8)


@given(VISITS)
def test_no_link_and_no_id_of_a_feed_is_taken_twice(visits: list[tuple[str, list[Item]]]) -> None:
    known = frozenset[str]()
    links: list[str] = []
    for address, items in visits:
        sifted = sift(address, page(*items), known, enter)
        known = known.union(sifted.known, *(new.keys for new in sifted.new))
        links += [new.entry.article for new in sifted.new]
        again = sift(address, page(*reversed(items)), known, enter)
        assert again.new == ()
        assert set(again.faults) == set(sifted.faults)
    assert len(links) == len(set(links))


def test_a_number_is_an_id_of_its_feed_and_an_address_is_one_everywhere() -> None:
    one, two = FEEDS
    first = sift(one, page(Item("1", "https://a.example/1", None)), frozenset(), enter)
    known = first.known.union(*(new.keys for new in first.new))
    assert sift(one, page(Item("1", "https://a.example/moved", None)), known, enter).new == ()
    assert sift(two, page(Item("1", "https://b.example/1", None)), known, enter).new != ()
    first = sift(one, page(Item("urn:x:1", "https://a.example/1", None)), frozenset(), enter)
    known = first.known.union(*(new.keys for new in first.new))
    assert sift(two, page(Item("urn:x:1", "https://b.example/1", None)), known, enter).new == ()


def test_an_entry_is_known_under_every_name_that_it_ever_had() -> None:
    one, two = FEEDS
    first = sift(one, page(Item("1", "https://a.example/1", None)), frozenset(), enter)
    known = first.known.union(*(new.keys for new in first.new))
    second = sift(two, page(Item("77", "https://a.example/1", None)), known, enter)
    assert second.new == ()
    moved = page(Item("77", "https://a.example/moved", None))
    assert sift(two, moved, known | second.known, enter).new == ()


def test_entries_without_a_link_are_named_and_do_not_hide_others() -> None:
    items = (Item("1", None, "Lost"), Item("1", "https://a.example/1", "Found"))
    sifted = sift(FEEDS[0], page(*items, Item(None, "ftp://b", "Old")), frozenset(), enter)
    assert [new.entry.article for new in sifted.new] == ["https://a.example/1"]
    assert sifted.faults == (
        f"feed {FEEDS[0]}: the entry 'Old' is not taken: ftp://b: not fetched",
        f"feed {FEEDS[0]}: the entry 'Lost' is not taken: it has no link, so there is nothing to "
        "fetch",
    )


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1e6), max_size=6), st.floats(0, 1e6))
def test_feeds_are_asked_in_the_order_of_their_waiting(asked: dict[str, float], now: float) -> None:
    never = FeedSeen.never()
    feeds = {name: never.model_copy(update={"asked_at": time}) for name, time in asked.items()}
    due = due_feeds(feeds, now=now, every_s=900)
    assert set(due) == {name for name, time in asked.items() if now - time >= 900}
    assert [asked[name] for name in due] == sorted(asked[name] for name in due)
