"""From a parsed text to what a translator sees of it, and to what is hidden behind marks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assets.translation.structure.article import MarkKind
from assets.translation.structure.inline_events import Event
from assets.translation.structure.link_titles import Title, title_of
from assets.translation.structure.parsing import Text
from assets.translation.structure.protected import DISPLAYED_FORMULA, protected

_TASK = re.compile(r"\[[ xX]\]\s+")
_ALERT = re.compile(r"\[![A-Za-z]+\][ \t]*(?:\n|\Z)")
_DEFINITION = re.compile(r":[ \t]+(?=\S)")
_VERBATIM = re.compile(r"<(code|kbd|samp|var|tt|pre|script|style|math|svg)\b[^>]*(?<!/)>", re.I)
_ENTITY = re.compile(r"&(?:#\w+|\w+);")


@dataclass(frozen=True, slots=True)
class Hidden:
    """What goes behind a mark: characters `start` to `end` of the text."""

    kind: MarkKind
    start: int
    end: int
    label: str = ""
    target: str = ""
    title: Title | None = None


Part = str | Hidden


def compose(text: Text) -> tuple[int, tuple[Part, ...]]:
    """Where the text that is for a translator begins, and its parts in order."""
    content = text.content.text
    start = _start(text)
    events = [event for event in _with_formulas(content, text.events) if event.start >= start]
    return start, tuple(_joined(_parts(content, events, start, len(content))))


def is_worth_sending(parts: Sequence[Part]) -> bool:
    """Whether there is a letter outside of the marks."""
    readable = "".join(part for part in parts if isinstance(part, str))
    return any(letter.isalpha() for letter in _ENTITY.sub("", readable))


def _start(text: Text) -> int:
    """Behind a task's box or an alert's name, which belong to the list and the quotation."""
    prefix = {"list_item": _TASK, "quote": _ALERT}.get(text.container or "")
    found = prefix.match(text.content.text) if prefix and text.form == "paragraph" else None
    return found.end() if found else 0


def _with_formulas(content: str, events: tuple[Event, ...]) -> list[Event]:
    """The events, with displayed formulas in place of what the parser saw within them."""
    kept = list(events)
    for found in DISPLAYED_FORMULA.finditer(content):
        start, end = found.span()
        if any(_is_torn(event, start, end) for event in kept):
            continue
        kept = [event for event in kept if event.end <= start or event.start >= end]
        kept.append(Event("math", start, end))
    return sorted(kept, key=lambda event: event.start)


def _is_torn(event: Event, start: int, end: int) -> bool:
    overlaps = event.start < end and event.end > start
    return overlaps and not (start <= event.start and event.end <= end)


def _parts(content: str, events: Sequence[Event], start: int, end: int) -> Iterator[Part]:
    position = start
    for index, event in enumerate(events):
        if event.start < position:
            continue
        yield from _running(content, position, event.start)
        position = event.end
        match event.kind:
            case "link" | "image" | "inline_note":
                yield from _labelled(content, event)
            case "soft_break" if not _DEFINITION.match(content, event.end):
                yield " "
            case "soft_break" | "hard_break":
                found = _DEFINITION.match(content, event.end)
                position = found.end() if found else event.end
                yield Hidden("break", event.start, position)
            case "html":
                position = _verbatim_end(content, events[index:])
                yield Hidden("html", event.start, position)
            case kind:
                yield Hidden(kind, event.start, event.end)
    yield from _running(content, position, end)


def _running(content: str, start: int, end: int) -> Iterator[Part]:
    position = start
    for first, last, kind in protected(content[start:end]):
        if start + first > position:
            yield content[position : start + first]
        yield Hidden(kind, start + first, start + last)
        position = start + last
    if end > position:
        yield content[position:end]


def _labelled(content: str, event: Event) -> Iterator[Part]:
    yield content[event.start : event.label_start]
    yield from _parts(content, event.inner, event.label_start, event.label_end)
    yield "]"
    if event.kind in ("link", "image"):
        target = content[event.label_end + 1 : event.end]
        # A link that has only its text for a label would lose its address with it.
        label = content[event.label_start : event.label_end] if target in ("", "[]") else ""
        title = title_of(content, event.label_end + 1, event.end)
        yield Hidden(event.kind, event.label_end + 1, event.end, label, event.target, title)


def _verbatim_end(content: str, events: Sequence[Event]) -> int:
    """The end of the tag, or of its whole element where that holds code."""
    tag = events[0]
    found = _VERBATIM.match(content, tag.start, tag.end)
    if found is None:
        return tag.end
    closing = f"</{found[1].lower()}"
    ends = (
        event.end
        for event in events[1:]
        if event.kind == "html" and content[event.start : event.end].lower().startswith(closing)
    )
    return next(ends, tag.end)


def _joined(parts: Iterator[Part]) -> Iterator[Part]:
    """The parts without two texts in a row."""
    running = ""
    for part in parts:
        if isinstance(part, str):
            running += part
            continue
        if running:
            yield running
            running = ""
        yield part
    if running:
        yield running
