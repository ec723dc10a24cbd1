"""Frames: which ratios fit which use, and where subject and words sit in them."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Use = Literal["hero", "social", "thumbnail"]
HeroRatio = Literal["16:9", "21:9", "2:1", "3:2"]
SocialRatio = Literal["1.91:1", "1:1", "4:5"]
ThumbnailRatio = Literal["16:9", "4:3", "1:1"]
Ratio = Literal["16:9", "21:9", "2:1", "3:2", "1.91:1", "1:1", "4:5", "4:3"]

RATIOS: Mapping[Use, tuple[Ratio, ...]] = {
    "hero": ("16:9", "21:9", "2:1", "3:2"),
    "social": ("1.91:1", "1:1", "4:5"),
    "thumbnail": ("16:9", "4:3", "1:1"),
}
"""Social: link cards take 1.91:1 (Open Graph, 1200 x 630), feeds 1:1 and 4:5.

Thumbnail: 16:9 (YouTube), 4:3 and 1:1, the three that search engines ask for in Article data.
"""

_SIZES: Mapping[Ratio, tuple[int, int]] = {
    "16:9": (1920, 1080),
    "21:9": (2520, 1080),
    "2:1": (2000, 1000),
    "3:2": (1800, 1200),
    "1.91:1": (1200, 630),
    "1:1": (1080, 1080),
    "4:5": (1080, 1350),
    "4:3": (1600, 1200),
}

Layout = Literal[
    "subject left, words right",
    "subject right, words left",
    "subject low, words above",
    "subject high, words below",
    "subject centred, no words",
]


class Zone(BaseModel):
    """A rectangle in per cent of the frame, from its left and upper edge."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    x: Annotated[int, Field(ge=0, le=100)] = Field(description="Left edge")
    y: Annotated[int, Field(ge=0, le=100)] = Field(description="Upper edge")
    width: Annotated[int, Field(ge=1, le=100)] = Field(description="Width")
    height: Annotated[int, Field(ge=1, le=100)] = Field(description="Height")

    def holds(self, x: int, y: int) -> bool:
        """Whether a point lies in it."""
        across = self.x <= x <= self.x + self.width
        return across and self.y <= y <= self.y + self.height


_LAYOUTS: Mapping[Layout, tuple[tuple[int, int], Zone | None]] = {
    "subject left, words right": ((33, 50), Zone(x=55, y=10, width=40, height=80)),
    "subject right, words left": ((67, 50), Zone(x=5, y=10, width=40, height=80)),
    "subject low, words above": ((50, 67), Zone(x=10, y=5, width=80, height=35)),
    "subject high, words below": ((50, 33), Zone(x=10, y=60, width=80, height=35)),
    "subject centred, no words": ((50, 50), None),
}


def size(ratio: Ratio) -> tuple[int, int]:
    """Width and height in pixels to make a picture of this ratio in."""
    return _SIZES[ratio]


def focal_point(layout: Layout) -> tuple[int, int]:
    """Where the subject sits, in per cent from the left and upper edge."""
    return _LAYOUTS[layout][0]


def text_zone(layout: Layout) -> Zone | None:
    """Where words can be set over the picture; never over the subject."""
    return _LAYOUTS[layout][1]
