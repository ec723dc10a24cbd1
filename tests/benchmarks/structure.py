"""Processor time of taking an article's structure out and back: `python -m tests.benchmarks.structure`.

Prints medians for articles of three lengths, and how the time grows with the words.
"""

import time
from statistics import median

from assets.translation.structure.segmentation import segment
from tests.translation_structure.readings import rendered
from tests.translation_structure.test_rendering import long_article

TIMES = 5


def main() -> None:
    """Measure and print."""
    found: list[tuple[int, float]] = []
    for parts in (9, 36, 72):
        markdown = long_article(parts)
        found.append((segment(markdown).words, median(_seconds(markdown) for _ in range(TIMES))))
        print(f"{found[-1][0]:6,d} words: {found[-1][1]:.2f} s of CPU")  # noqa: T201
    (few, short), (many, long) = found[0], found[-1]
    print(f"{many / few:.1f} times the words take {long / short:.1f} times as long")  # noqa: T201


def _seconds(markdown: str) -> float:
    start = time.process_time()
    rendered(segment(markdown))
    return time.process_time() - start


if __name__ == "__main__":
    main()
