"""What a translation lost of its source's structure."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from assets.translation.structure.skeleton import Inline, Skeleton, skeleton


def structure_faults(source: str, translated: str) -> list[str]:
    """Faults as sentences, blocks first, then what the texts hold; none when all came through.

    Within one text links, code and placeholders may change places, for word order does; footnote
    marks may not, for their numbers follow it.
    """
    wanted, found = skeleton(source), skeleton(translated)
    return [*_blocks(wanted, found), *_texts(wanted, found), *_notes(wanted, found)]


def _blocks(wanted: Skeleton, found: Skeleton) -> Iterator[str]:
    yield from _sequence("heading", wanted.headings, found.headings, lambda level: f"level {level}")
    yield from _sequence("list", wanted.lists, found.lists, _list)
    yield from _sequence("table", wanted.tables, found.tables, lambda t: f"{t[0]} by {t[1]}")
    yield from _sequence("code block", wanted.code, found.code, lambda code: _short(code[1]))
    yield from _sequence("HTML block", wanted.html, found.html, _short)
    yield from _sequence("footnote", wanted.notes, found.notes, lambda note: f"[^{note}]")
    for name, before, after in (
        ("quotations", wanted.quotations, found.quotations),
        ("thematic breaks", wanted.rules, found.rules),
        ("paragraphs", wanted.paragraphs, found.paragraphs),
    ):
        if before != after:
            yield f"It has {after} {name}, the source has {before}."
    lost = dict(wanted.definitions).items() - dict(found.definitions).items()
    yield from (f"The link definition [{name}]: {url} is missing." for name, url in sorted(lost))


def _sequence(
    name: str, wanted: Sequence[Any], found: Sequence[Any], show: Callable[[Any], str]
) -> Iterator[str]:
    if len(wanted) != len(found):
        yield f"It has {len(found)} {name}s, the source has {len(wanted)}."
        return
    for number, (before, after) in enumerate(zip(wanted, found, strict=True), start=1):
        if before != after:
            yield f"{name.capitalize()} {number} is {show(after)}, in the source {show(before)}."


def _texts(wanted: Skeleton, found: Skeleton) -> Iterator[str]:
    if len(wanted.texts) != len(found.texts):
        before = Counter(chain.from_iterable(text.held.elements() for text in wanted.texts))
        after = Counter(chain.from_iterable(text.held.elements() for text in found.texts))
        yield from _difference(before, after, "")
        return
    for before, after in zip(wanted.texts, found.texts, strict=True):
        yield from _difference(before.held, after.held, f" in '{before.begins}'")


def _difference(
    wanted: Counter[tuple[str, str]], found: Counter[tuple[str, str]], where: str
) -> Iterator[str]:
    for (kind, value), count in (wanted - found).items():
        yield f"{count} {kind} {value}".rstrip() + f" of the source is missing{where}."
    for (kind, value), count in (found - wanted).items():
        yield f"{count} {kind} {value}".rstrip() + f" is not in the source{where}."


def _notes(wanted: Skeleton, found: Skeleton) -> Iterator[str]:
    before, after = _marks(wanted.texts), _marks(found.texts)
    if before != after and sorted(before) == sorted(after):
        yield f"The footnote marks stand in the order {' '.join(after)}, in the source {' '.join(before)}."


def _marks(texts: Sequence[Inline]) -> list[str]:
    return [note for text in texts for note in text.notes]


def _list(found: tuple[str, int, int]) -> str:
    name, depth, items = found
    return f"a {name} of {items} items at depth {depth}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return f"'{line if len(line) <= 60 else f'{line[:57]}...'}'"
