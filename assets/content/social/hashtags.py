"""Hashtags, made from plain topics."""

import re
from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+")
HASHTAG = re.compile(r"(?<![\w&])#\w+")


def hashtag(topic: str) -> str:
    """A topic as a hashtag: each word begins large, so that screen readers part them.

    Empty where the topic holds no letter, since figures alone make no hashtag.
    """
    words = _WORD.findall(topic)
    tag = "".join(word[0].upper() + word[1:] for word in words)
    return f"#{tag}" if any(char.isalpha() for char in tag) else ""


def hashtags(topics: Iterable[str]) -> tuple[str, ...]:
    """The topics' hashtags in order, none twice."""
    by_name = {tag.casefold(): tag for tag in map(hashtag, topics) if tag}
    return tuple(by_name.values())
