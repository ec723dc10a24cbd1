"""Feeds of one's own making: by link, the id of each entry, or None where it has none."""

from collections.abc import Mapping


def rss(entries: Mapping[str, str | None]) -> str:
    """An RSS 2.0 feed."""
    items = "".join(
        f"<item><title>About {link}</title><link>{link}</link>"
        + (f'<guid isPermaLink="false">{name}</guid>' if name else "")
        + "</item>"
        for link, name in entries.items()
    )
    return f'<rss version="2.0"><channel><title>News</title><link>https://news.example/</link>{items}</channel></rss>'


def atom(entries: Mapping[str, str | None]) -> str:
    """An Atom feed; an entry without an id is none by the standard, and met all the same."""
    items = "".join(
        f'<entry><title>About {link}</title><link href="{link}"/>'
        + (f"<id>{name}</id>" if name else "")
        + "</entry>"
        for link, name in entries.items()
    )
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>{items}</feed>'
