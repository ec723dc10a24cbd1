"""Strings for an answer: phrases and sentences of the material that fit name, length and pattern."""

import re
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from resources.simulator.length import asked_length
from resources.simulator.pattern import PatternError, matching
from resources.simulator.place import Place, Unanswerable
from resources.simulator.writer import Writer, slug

_PHRASE_WORDS = """
    name names heading headings title titles keyword keywords label labels role roles tag tags topic
    topics term terms subject headline headlines owner category cta action caption segment
"""
_PHRASE_NAMES = frozenset(_PHRASE_WORDS.split())
_KEYWORD_NAMES = frozenset(
    {"keyword", "keywords", "tag", "tags", "term", "terms", "topic", "topics"}
)
_LONG_NAMES = frozenset({"text", "body", "paragraph", "paragraphs", "content", "script", "draft"})
_SLUG_NAMES = frozenset({"slug", "id", "key"})
_LINK_NAMES = frozenset({"url", "uri", "link", "href"})
_FIRST_DAY = datetime(2027, 1, 11, 9, 0, tzinfo=UTC)
_FITTING_TRIES = 6


def text(schema: Mapping[str, Any], place: Place, writer: Writer) -> str:
    """A string that the schema's format, pattern and lengths allow.

    Raises:
        Unanswerable: no string was found, naming the place.
    """
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if most is not None and most < least:
        raise Unanswerable(f"the string at {place.path} has to be longer than it may be")
    if "pattern" in schema:
        return _patterned(schema, place, writer)
    if formatted := _FORMATS.get(schema.get("format", "")):
        return formatted(place, writer)
    if (named := _named(place, writer)) and _has_room(schema, named):
        return named
    return _sized(schema, place, writer)


def _named(place: Place, writer: Writer) -> str:
    if place.name_parts & _SLUG_NAMES:
        return slug(writer.phrase())
    return _uri(place, writer) if place.name_parts & _LINK_NAMES else ""


def _sized(schema: Mapping[str, Any], place: Place, writer: Writer) -> str:
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    asked = asked_length(schema.get("description", ""))
    if place.name_parts & _PHRASE_NAMES:
        draft = writer.words(asked.most) if asked else _phrase(place, writer, most)
        return _fitted(draft, least, most, more=writer.phrase)
    if asked:
        return _fitted(writer.prose(asked), least, most, more=writer.sentence)
    sentences = writer.rng.randint(1, 3) if place.name_parts & _LONG_NAMES else 1
    draft = " ".join(_short_enough(writer, most) for _ in range(sentences))
    return _fitted(draft, least, most, more=writer.sentence)


def _phrase(place: Place, writer: Writer, most: int | None) -> str:
    return (writer.keyword if place.name_parts & _KEYWORD_NAMES else writer.phrase)(most=most)


def _short_enough(writer: Writer, most: int | None) -> str:
    drafts = (writer.sentence() for _ in range(_FITTING_TRIES))
    first = next(drafts)
    if most is None or len(first) <= most:
        return first
    if most < 40:
        return writer.phrase(most=most)
    return next((draft for draft in drafts if len(draft) <= most), first)


def _fitted(draft: str, least: int, most: int | None, *, more: Callable[[], str]) -> str:
    while len(draft) < least:
        draft = f"{draft} {more()}"
    if most is None or len(draft) <= most:
        return draft
    end = "." if draft.endswith(".") and most > 20 else ""
    cut = draft[: most + 1 - len(end)].rpartition(" ")[0].rstrip(" .,;:") + end
    if len(cut) >= max(least, 1):
        return cut
    # Too little room to end at a word: the length is a must, the word is not.
    cut = draft[:most]
    return cut if cut == cut.strip() else cut.strip().ljust(len(cut), "s")


def _patterned(schema: Mapping[str, Any], place: Place, writer: Writer) -> str:
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    phrase = writer.phrase()
    for draft in (
        phrase,
        slug(phrase),
        slug(phrase.split()[0]),
        _hashtag(phrase),
        writer.sentence(),
    ):
        if _has_room(schema, draft) and _found(schema["pattern"], draft):
            return draft
    try:
        return matching(schema["pattern"], writer.rng, least=least, most=most)
    except PatternError as error:
        raise Unanswerable(f"at {place.path}: {error}") from error


def _has_room(schema: Mapping[str, Any], draft: str) -> bool:
    return schema.get("minLength", 0) <= len(draft) <= schema.get("maxLength", len(draft))


def _hashtag(phrase: str) -> str:
    return "#" + "".join(word.capitalize() for word in slug(phrase).split("-"))


def _found(pattern: str, draft: str) -> bool:
    try:
        return re.search(pattern, draft) is not None
    except re.error:
        return False


def _day(place: Place) -> datetime:
    return _FIRST_DAY + timedelta(days=7 * (place.index or 0))


def _uri(_place: Place, writer: Writer) -> str:
    if writer.material.urls:
        return writer.rng.choice(writer.material.urls)
    return f"https://example.com/{slug(writer.phrase())}"


_FORMATS: Mapping[str, Callable[[Place, Writer], str]] = {
    "date": lambda place, _: _day(place).date().isoformat(),
    "date-time": lambda place, _: _day(place).isoformat().replace("+00:00", "Z"),
    "time": lambda place, _: f"{_day(place).time().isoformat()}Z",
    "email": lambda _, writer: f"{slug(writer.phrase().split()[0])}@example.com",
    "uri": _uri,
    "uuid": lambda _, writer: str(uuid.UUID(int=writer.rng.getrandbits(128), version=4)),
}
