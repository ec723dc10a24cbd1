"""Secrets in texts: found in the forms in which servers and libraries quote them, and hidden."""

import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from json import dumps
from urllib.parse import quote, unquote

HIDDEN = "***"

SHORTEST = 4
"""Characters of the shortest secret that is looked for: a shorter one stands in many words."""

_LOGIN = re.compile(r"(?<=://)[^\s/?#]*@")
_AUTHORITY = re.compile(r"://(.*)@", re.DOTALL)
_QUERY = re.compile(r"[?&#][^=&#\s]*=([^&#\s]*)")
_JOINTS = re.compile(r"[:@/?#]")


def hide(text: str, secrets: Iterable[str | None]) -> str:
    """The text without these secrets.

    They are found in capitals or not, percent-encoded, and escaped as JSON and HTML do it.
    """
    pattern = _pattern(tuple(secret for secret in secrets if secret and len(secret) >= SHORTEST))
    return pattern.sub(HIDDEN, text) if pattern else text


def without_login(text: str) -> str:
    """The text with every URL in it as it can be shown: without name and password."""
    return _LOGIN.sub("", text)


def secrets_of_url(url: str) -> tuple[str, ...]:
    """What in a URL may be secret, whole and in pieces: the password, and the query's values.

    In pieces, because a library that takes a URL apart at the wrong place quotes one of them: as
    the host, or the port, where the password itself holds an "@" or a "/".
    """
    found = _AUTHORITY.search(url)
    password = found[1].partition(":")[2] if found else ""
    whole = [password, *_QUERY.findall(url)]
    parts = [part for secret in whole for part in (secret, *_JOINTS.split(secret))]
    return tuple(dict.fromkeys((*parts, *map(unquote, parts))))


@lru_cache(maxsize=64)
def _pattern(secrets: tuple[str, ...]) -> re.Pattern[str] | None:
    if not secrets:
        return None
    longest_first = sorted(secrets, key=len, reverse=True)
    return re.compile("|".join(map(_any_form, longest_first)), re.IGNORECASE)


def _any_form(secret: str) -> str:
    return "".join(re.escape(c) if c.isascii() and c.isalnum() else _forms(c) for c in secret)


def _forms(character: str) -> str:
    """A character as it is, in a URL, in JSON and in HTML."""
    forms = {
        character, quote(character, safe=""), dumps(character)[1:-1], escape(character),
        f"\\{character}", f"\\u{ord(character):04x}", f"&#{ord(character)};",
        f"&#x{ord(character):x};", f"%{ord(character):02x}",
    }  # fmt: skip
    return f"(?:{'|'.join(re.escape(form) for form in sorted(forms, key=len, reverse=True))})"
