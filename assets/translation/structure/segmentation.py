"""From Markdown to segments."""

import re
from collections.abc import Iterator, Sequence

from assets.translation.structure.article import (
    Article,
    Form,
    Kind,
    Mark,
    Segment,
    Slot,
    TitleSpan,
)
from assets.translation.structure.composing import Hidden, Part, compose, is_worth_sending
from assets.translation.structure.escaping import escape
from assets.translation.structure.link_titles import DELIMITERS, Title
from assets.translation.structure.parsing import Text, parse
from assets.translation.structure.protected import protected

_FORMS: dict[str, Form] = {"closed_heading": "closed_heading", "cell": "inside", "title": "inside"}
_KINDS: dict[str, Kind] = {"cell": "table_cell", "title": "title"}
_ONLY_IMAGE = re.compile(r"!\[[^\[\]]*\]⟦1⟧|\[!\[[^\[\]]*\]⟦1⟧\]⟦2⟧")


def segment(markdown: str) -> Article:
    """The segments of an article, in the order of the source; any text has an article."""
    segments: list[Segment] = []
    slots: list[Slot] = []
    for text in parse(markdown).texts:
        start, parts = compose(text)
        for found, slot in _of_text(markdown, text, start, parts, first=len(segments) + 1):
            segments.append(found)
            slots.append(slot)
    return Article(markdown, tuple(segments), tuple(slots))


def _of_text(
    markdown: str, text: Text, start: int, parts: Sequence[Part], *, first: int
) -> Iterator[tuple[Segment, Slot]]:
    titles: list[tuple[Segment, Slot]] = []
    sent = is_worth_sending(parts)
    shown, marks = "", []
    for part in parts:
        if isinstance(part, str):
            shown += part
            continue
        title = None
        if part.title is not None:
            number = first + len(titles) + sent
            found = _title(text, part.title, number)
            titles += found
            title = _span(text, part, number) if found else None
        marks.append(_mark(markdown, text, part, len(marks) + 1, title))
        shown += marks[-1].name
    if sent:
        content = text.content
        span = content.source_span(start, len(content.text))
        ends = DELIMITERS[markdown[span[0] - 1]] if text.form == "title" else _escaped(text)
        slot = Slot(first, *span, _FORMS.get(text.form, "line"), ends)
        kind = _kind(text, shown)
        yield Segment(first, kind, shown, tuple(marks), text.level, text.block), slot
    yield from titles


def _escaped(text: Text) -> str:
    return "|" if text.form == "cell" else ""


def _kind(text: Text, shown: str) -> Kind:
    if text.form in _KINDS:
        return _KINDS[text.form]
    if text.level:
        return "heading"
    if _ONLY_IMAGE.fullmatch(shown):
        return "image"
    return text.container or "paragraph"


def _mark(markdown: str, text: Text, part: Hidden, number: int, title: TitleSpan | None) -> Mark:
    start, end = text.content.source_span(part.start, part.end)
    source = written = markdown[start:end]
    if part.label:
        label = " ".join(part.label.split("\n"))
        written = f"[{escape(label, _escaped(text))}]"
    return Mark(number, part.kind, source, written, part.target, title)


def _span(text: Text, part: Hidden, number: int) -> TitleSpan | None:
    if part.title is None:
        return None
    origin, _ = text.content.source_span(part.start, part.end)
    start, end = text.content.source_span(part.title.start, part.title.end)
    return TitleSpan(number, start - origin, end - origin)


def _title(text: Text, title: Title, number: int) -> list[tuple[Segment, Slot]]:
    """The title as a segment, or nothing where it holds no language."""
    content = text.content.text[title.start : title.end]
    shown, marks, position = "", [], 0
    for start, end, kind in protected(content):
        hidden = content[start:end]
        marks.append(Mark(len(marks) + 1, kind, hidden, hidden, "", None))
        shown += content[position:start] + marks[-1].name
        position = end
    shown += content[position:]
    found = Segment(number, "title", " ".join(shown.split()), tuple(marks), 0, text.block)
    if not any(letter.isalpha() for letter in found.plain):
        return []
    start, end = text.content.source_span(title.start, title.end)
    return [(found, Slot(number, start, end, "inside", title.delimiters + _escaped(text)))]
