"""Portions: long lists cut to what one query takes."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

AT_ONCE = 1_000
"""Articles, or events, in one query: databases take a limited list (SQLite may stop at 32,766), and
what is unpacked at once lies in memory at once."""

T = TypeVar("T")


def portions(many: Sequence[T]) -> Iterator[Sequence[T]]:
    """All of them in their order, at most `AT_ONCE` at a time; none where there are none."""
    for start in range(0, len(many), AT_ONCE):
        yield many[start : start + AT_ONCE]
