"""How each network counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.content.social.hashtags import hashtag, hashtags
from assets.content.social.networks import NETWORKS, graphemes, links, threads_characters, weight

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hello", 5),
        ("Українська", 10),
        ("caf\u0065\u0301", 4),
        ("日本語", 6),
        ("\u201cq\u201d \u2013 \u2014", 7),
        ("\u2026", 2),
        ("\U0001f642", 2),
        (FAMILY, 2),
        ("\U0001f1fa\U0001f1e6", 2),
        ("1\ufe0f\u20e3", 2),
        ("\U0001f44d\U0001f3fd", 2),
        ("\u00a9 bench", 8),
        ("https://bench.example/a/very/long/path?with=query", 23),
        ("See https://a.example and https://b.example", 4 + 23 + 5 + 23),
        ("Go to bench.com", 6 + 23),
        ("(See https://bench.example/meter).", 5 + 23 + 2),
    ],
)
def test_x_weighs_signs_emoji_and_links(text: str, expected: int):
    assert weight(text) == expected


def test_a_bare_domain_longer_than_a_link_is_not_made_shorter():
    domain = "a-really-long-name-for-a-bench.example"
    assert weight(domain) == len(domain)


@given(st.text(alphabet="abc d\u0457\u00fc,!", max_size=300))
def test_plain_letters_weigh_one(text: str):
    assert weight(text) == len(text)


@given(st.text(max_size=60), st.sampled_from(["x", " ", "語", FAMILY]))
def test_more_text_never_weighs_less(text: str, more: str):
    assert weight(f"{text} {more}") >= weight(text)


def test_bluesky_counts_what_a_reader_sees():
    assert graphemes(f"{FAMILY} e\u0301!") == 4


def test_threads_counts_the_bytes_of_emoji():
    assert threads_characters("abcé") == 4
    assert threads_characters(FAMILY) == len(FAMILY.encode())


def test_links_are_found_with_and_without_scheme():
    text = "See https://bench.example/meter, or bench.example. Not e.g. this, nor a@b.example"
    assert links(text) == ["https://bench.example/meter", "bench.example"]


def test_the_limits_are_those_of_the_networks():
    assert {name: network.limit for name, network in NETWORKS.items()} == {
        "x": 280,
        "linkedin": 3000,
        "instagram": 2200,
        "facebook": 63206,
        "threads": 500,
        "bluesky": 300,
    }


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        ("tool library", "#ToolLibrary"),
        ("DIY", "#DIY"),
        ("e-bike", "#EBike"),
        ("ремонт веломайстерня", "#РемонтВеломайстерня"),
        ("2028", ""),
        ("...", ""),
    ],
)
def test_a_topic_becomes_a_hashtag_that_can_be_read_aloud(topic: str, expected: str):
    assert hashtag(topic) == expected


def test_no_hashtag_comes_twice():
    assert hashtags(["repair cafe", "Repair Cafe", "12", "bench"]) == ("#RepairCafe", "#Bench")


@given(st.text(max_size=30))
def test_a_hashtag_is_one_word_or_nothing(topic: str):
    tag = hashtag(topic)
    assert tag == "" or (tag[0] == "#" and all(char.isalnum() for char in tag[1:]))
