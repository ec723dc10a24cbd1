"""Networks: how each counts a post's length, and what it takes."""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import regex

Platform = Literal["x", "linkedin", "instagram", "facebook", "threads", "bluesky"]
Counted = Literal["weighted characters", "characters", "graphemes"]

LINK_WEIGHT = 23
"""What any link counts on X, whatever its length (twitter-text `config/v3.json`)."""

_LINK = regex.compile(r"https?://\S*[^\s.,;:!?)\]\"'\u201d]")
_DOMAIN = regex.compile(r"(?<![@\w.])(?:[\p{L}\d-]+\.)+\p{L}{2,}(?:/\S*)?")
_GRAPHEME = regex.compile(r"\X")
_EMOJI = regex.compile(r"\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3")
_LIGHT = ((0, 4351), (8192, 8205), (8208, 8223), (8242, 8247))


@dataclass(frozen=True, slots=True)
class Network:
    """What one network takes. `link` is what the article's link adds to the length of a post."""

    limit: int
    counted: Counted
    most_hashtags: int
    count: Callable[[str], int]
    link: int
    takes_links: bool


def weight(text: str) -> int:
    """The length of a text as X counts it.

    By twitter-text's configuration v3 and docs.x.com, "Counting characters": after NFC, code
    points in four ranges weigh 1 and all others 2; an emoji, however composed, weighs 2; a link
    weighs 23. A bare domain that X may or may not know as one weighs at least 23 here.
    """
    text = unicodedata.normalize("NFC", text)
    total = LINK_WEIGHT * len(_LINK.findall(text))
    text = _LINK.sub("", text)
    for domain in _DOMAIN.findall(text):
        total += max(LINK_WEIGHT, _weight_of_words(domain))
    return total + _weight_of_words(_DOMAIN.sub("", text))


def graphemes(text: str) -> int:
    """The length of a text in graphemes, the signs that a reader sees (Unicode UAX 29)."""
    return len(_GRAPHEME.findall(text))


def threads_characters(text: str) -> int:
    """The length of a text as Threads counts it: an emoji counts its UTF-8 bytes."""
    return sum(
        len(sign.encode()) if _is_emoji(sign) else len(sign) for sign in _GRAPHEME.findall(text)
    )


NETWORKS: Mapping[Platform, Network] = {
    "x": Network(280, "weighted characters", 2, weight, LINK_WEIGHT + 1, True),
    "linkedin": Network(3_000, "characters", 3, len, 0, True),
    "instagram": Network(2_200, "characters", 5, len, 0, False),
    "facebook": Network(63_206, "characters", 2, len, 0, True),
    "threads": Network(500, "characters", 1, threads_characters, 0, True),
    "bluesky": Network(300, "graphemes", 3, graphemes, 0, True),
}
"""Limits as the networks, or the services that post to them, document them (November 2026).

X: 280 weighted (docs.x.com); the link stands in the text, after a space. LinkedIn: 3,000 characters
of commentary, Facebook: 63,206, Threads: 500 and one topic (developers.facebook.com, Threads
posts), Bluesky: 300 graphemes and 3,000 bytes (lexicon app.bsky.feed.post); all four show a link as
a card beside the text. Instagram: a caption of 2,200 characters, five hashtags since December 2025,
and no links that can be followed. Hashtags elsewhere are our own measure, not a limit.
"""

BLUESKY_BYTES = 3_000


def length(platform: Platform, text: str) -> int:
    """The length of a text as its network counts it, without an attached link."""
    return NETWORKS[platform].count(text)


def links(text: str) -> list[str]:
    """The addresses in a text, with and without scheme."""
    found = [link.rstrip(".,;:!?)") for link in _LINK.findall(text)]
    return found + [domain.rstrip(".,;:!?)") for domain in _DOMAIN.findall(_LINK.sub("", text))]


def without_links(text: str) -> str:
    """A text without the addresses in it."""
    return _DOMAIN.sub("", _LINK.sub("", text))


def _weight_of_words(text: str) -> int:
    return sum(_weight_of(sign) for sign in _GRAPHEME.findall(text))


def _weight_of(sign: str) -> int:
    if _is_emoji(sign):
        return 2
    return sum(1 if any(low <= ord(c) <= high for low, high in _LIGHT) else 2 for c in sign)


def _is_emoji(sign: str) -> bool:
    return _EMOJI.search(sign) is not None
