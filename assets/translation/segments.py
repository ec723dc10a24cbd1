"""Pieces as prompts see them, and what is wrong with a piece's answer."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from assets.translation.structure.article import Segment
from assets.translation.structure.language import Pair
from assets.translation.structure.segment_faults import segment_faults, text_faults


def shown(segments: Iterable[Segment], texts: Mapping[int, str] | None = None) -> str:
    """Segments a line each; `texts` in place of their own."""
    return "\n".join(
        f'<segment id="{one.id}">{texts[one.id] if texts else one.text}</segment>'
        for one in segments
    )


def texts_of(answer: Any) -> dict[int, str]:
    """The answered segments by id."""
    return {one.id: one.text.strip() for one in answer.segments}


def piece_check(segments: tuple[Segment, ...], pair: Pair) -> Callable[[Any], list[str]]:
    """What code finds wrong with an answered piece: lost or invented segments, then each one."""

    def faults(one: Segment, text: str) -> list[str]:
        return segment_faults(one, text, pair)

    return _check(segments, faults)


def repair_check(
    segments: tuple[Segment, ...], originals: Mapping[int, Segment], pair: Pair
) -> Callable[[Any], list[str]]:
    """The same of repaired segments: marks as in the translation, words as in the original.

    A segment that the repair leaves as it is is no untranslated one, and a number that the
    translation had lost may come back.
    """

    def faults(one: Segment, text: str) -> list[str]:
        of_words = text_faults(one, text, pair)
        marks = [fault for fault in segment_faults(one, text, pair) if fault not in of_words]
        original = originals.get(one.id)
        return marks if original is None else [*marks, *text_faults(original, text, pair)]

    return _check(segments, faults)


def _check(
    segments: tuple[Segment, ...], faults: Callable[[Segment, str], list[str]]
) -> Callable[[Any], list[str]]:
    def check(answer: Any) -> list[str]:
        given, wanted = [one.id for one in answer.segments], [one.id for one in segments]
        if given != wanted:
            return [_ids_fault(given, wanted)]
        texts = texts_of(answer)
        return [
            f"segment {one.id}: {fault}" for one in segments for fault in faults(one, texts[one.id])
        ]

    return check


def _ids_fault(given: list[int], wanted: list[int]) -> str:
    if missing := sorted(set(wanted) - set(given)):
        return f"segments {missing} are missing; each segment has its own entry"
    if strange := sorted(set(given) - set(wanted)):
        return f"segments {strange} are not in this piece"
    return f"the segments must stand once each, in the order {wanted[0]} to {wanted[-1]}"
