"""The key of an article that is to be translated (DESIGN 4.6)."""

import re
from hashlib import sha256
from pathlib import PurePath
from urllib.parse import unquote

from anyascii import anyascii

LONGEST = 100


def slug(text: str, *, longest: int) -> str:
    """Small letters, digits and single hyphens, transliterated from any script; may be empty."""
    plain = re.sub("['`\u2019]", "", anyascii(text).lower())
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if len(words) <= longest:
        return words
    cut = words[: longest + 1]
    return (cut.rpartition("-")[0] or cut[:longest]).strip("-")


def article_key(source: str) -> str:
    """The stem of a file as a slug, or for a URL its last path part and eight digits of its hash.

    At most 100 characters, never empty. Files of one stem share a key, as two briefs of one slug
    do; URLs never share one.
    """
    if re.match(r"https?:", source, re.IGNORECASE):
        name = slug(_last_part(source), longest=LONGEST - 9)
        return "-".join(filter(None, (name, _digits(source))))
    stem = PurePath(source).stem
    return slug(stem, longest=LONGEST) or f"article-{_digits(stem)}"


def _last_part(url: str) -> str:
    path = url.split("#")[0].split("?")[0].partition("://")[2]
    host, *parts = path.split("/")
    named = [part for part in parts if part]
    last = unquote(named[-1]) if named else host.rpartition("@")[2]
    return re.sub(r"\.(html?|xhtml|md|markdown|txt|php|aspx?)$", "", last, flags=re.IGNORECASE)


def _digits(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
