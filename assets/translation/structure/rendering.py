"""Translations back in their places; every other byte is the source's."""

import re
from collections.abc import Callable, Mapping

from assets.translation.structure.article import Article, Mark, Slot
from assets.translation.structure.escaping import (
    begin_block,
    continue_block,
    end_heading,
    end_inside,
    escape,
)
from assets.translation.structure.marks import MARK

# Not a no-break space: a text may begin with one, and is then no heading and no tag.
_SPACE = " \t\r\n"
_AROUND_MARKS = re.compile(r"(⟦\s*\d+\s*⟧)")
_LINE_BREAKS = re.compile(r"\s*[\r\n]+\s*")


def render(article: Article, translations: Mapping[int, str]) -> str:
    """The article with these texts in place of its segments'.

    A segment that has none, or its own text, keeps its bytes. A translated paragraph is one line
    between its hard breaks, however its source was wrapped. What would break the structure around
    a text (a pipe in a table's cell, `1.` at the start of a paragraph) is escaped.

    Raises:
        KeyError: there is no segment of that id.
    """
    changed = {
        number: text
        for number, text in translations.items()
        if text != article.segment(number).text
    }
    writing = _Writing(article, changed)
    written, position = [], 0
    for slot in article.slots:
        if slot.segment_id not in changed or slot.start < position:
            continue
        written += [
            article.source[position : slot.start],
            writing.text(slot),
        ]
        position = slot.end
    return "".join([*written, article.source[position:]])


class _Writing:
    def __init__(self, article: Article, changed: Mapping[int, str]) -> None:
        self._article = article
        self._changed = changed
        self._slots = {slot.segment_id: slot for slot in article.slots}

    def text(self, slot: Slot) -> str:
        segment = self._article.segment(slot.segment_id)
        marks = {mark.number: mark for mark in segment.marks}
        text = _LINE_BREAKS.sub(" ", self._changed[slot.segment_id]).strip(_SPACE)
        lines, breaks = [_Line()], []
        for piece in _AROUND_MARKS.split(text):
            found = MARK.fullmatch(piece)
            mark = marks.get(int(found[1])) if found else None
            if mark is None:
                lines[-1].write(escape(piece, slot.escaped))
            elif mark.kind == "break":
                breaks.append(mark.written)
                lines.append(_Line())
            else:
                lines[-1].write_mark(self._mark(mark))
        return _placed(lines, breaks, slot)

    def _mark(self, mark: Mark) -> str:
        title = mark.title
        if title is None or title.segment_id not in self._changed:
            return mark.written
        inner = self.text(self._slots[title.segment_id])
        return mark.source[: title.start] + inner + mark.source[title.end :]


class _Line:
    """A line between hard breaks; one that begins with a mark begins as the source's own does."""

    def __init__(self) -> None:
        self.text = ""
        self.begins_with_mark = False

    def write(self, piece: str) -> None:
        self.text += piece if self.text else piece.lstrip(_SPACE)

    def write_mark(self, written: str) -> None:
        self.begins_with_mark = self.begins_with_mark or not self.text
        self.text += written

    def guarded(self, guard: Callable[[str], str]) -> str:
        return self.text if self.begins_with_mark else guard(self.text)


def _placed(lines: list[_Line], breaks: list[str], slot: Slot) -> str:
    if slot.form == "inside":
        guards = [_as_it_is] * len(lines)
    else:
        guards = [begin_block] + [continue_block] * len(breaks)
    texts = [line.guarded(guard) for line, guard in zip(lines, guards, strict=True)]
    whole = texts[0] + "".join(f"{br}{text}" for br, text in zip(breaks, texts[1:], strict=True))
    return _ENDS[slot.form](whole)


def _as_it_is(text: str) -> str:
    return text


_ENDS = {"line": _as_it_is, "closed_heading": end_heading, "inside": end_inside}
