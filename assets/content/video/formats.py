"""Formats: what each platform's film looks like, and how long it may run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Platform = Literal["youtube", "linkedin", "instagram_reels"]

WORDS_PER_MINUTE = 150
"""Spoken pace. Williams, "Guidelines for the Use of Multimedia in Instruction" (Human Factors and
Ergonomics Society, 1998), gives 150 to 160 words a minute for narration; the slower figure leaves
room to breathe.
"""


@dataclass(frozen=True, slots=True)
class Format:
    """One platform's film: its frame, its running time and its hook, in seconds.

    `cap_seconds` is what the platform takes; `shortest` and `longest` are what this film should run.
    """

    aspect_ratio: Literal["16:9", "4:5", "9:16"]
    shortest: float
    longest: float
    hook_seconds: float
    cap_seconds: float


FORMATS: Mapping[Platform, Format] = {
    "youtube": Format("16:9", shortest=60, longest=240, hook_seconds=5, cap_seconds=12 * 3600),
    "linkedin": Format("4:5", shortest=25, longest=90, hook_seconds=4, cap_seconds=10 * 60),
    "instagram_reels": Format("9:16", shortest=15, longest=60, hook_seconds=3, cap_seconds=3 * 60),
}
"""Caps: YouTube 12 hours for a verified account, LinkedIn 10 minutes (the lowest figure given for
app, browser and API), Reels 3 minutes since January 2025; the vertical film also fits YouTube Shorts
(3 minutes). The ranges within them are ours, and so are the seconds that a hook has."""


def count_words(text: str) -> int:
    """Words that are spoken: runs between spaces that hold a letter or a digit."""
    return sum(any(char.isalnum() for char in word) for word in text.split())


def seconds(words: int) -> float:
    """How long this many words take to say, to a tenth of a second."""
    return round(words * 60 / WORDS_PER_MINUTE, 1)
