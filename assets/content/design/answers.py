"""What the design prompts answer."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from orch_dagster.core.episode import Score5

Line = Annotated[str, Field(min_length=10, max_length=240)]
Name = Annotated[str, Field(min_length=3, max_length=30)]
HexColour = Annotated[
    str,
    Field(
        pattern=r"^#[0-9a-f]{6}$",
        examples=["#1b262c", "#2b2118", "#1f2a1c", "#2a1b26"],
    ),
]
Font = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9 '-]{1,39}$",
        examples=["Source Serif 4", "Public Sans", "Literata", "Work Sans", "Bitter"],
    ),
]
Fallback = Literal["serif", "sans-serif"]
Ratio = Literal["major second", "minor third", "major third", "perfect fourth"]

_HARBOUR: JsonDict = {
    "background": "#ffffff", "surface": "#eef3f6", "text": "#1b262c", "text_muted": "#4a5a63",
    "heading": "#0f4c75", "link": "#0b5c8f", "accent": "#0f4c75", "on_accent": "#ffffff",
    "focus": "#b3541e",
}  # fmt: skip
_LINEN: JsonDict = {
    "background": "#fbf8f1", "surface": "#f1ead9", "text": "#2b2118", "text_muted": "#5f5142",
    "heading": "#6b3e1f", "link": "#7a3b12", "accent": "#f2b705", "on_accent": "#2b2118",
    "focus": "#1d5c63",
}  # fmt: skip
_MOSS: JsonDict = {
    "background": "#fdfdf9", "surface": "#eaf0e4", "text": "#1f2a1c", "text_muted": "#4c5a47",
    "heading": "#2f5d34", "link": "#23603a", "accent": "#2f5d34", "on_accent": "#fdfdf9",
    "focus": "#8a2f5b",
}  # fmt: skip
_PLUM: JsonDict = {
    "background": "#fffdfd", "surface": "#f5eef2", "text": "#2a1b26", "text_muted": "#604d59",
    "heading": "#6a2350", "link": "#7b1f57", "accent": "#8c2a64", "on_accent": "#ffffff",
    "focus": "#0a6375",
}  # fmt: skip


class Answer(BaseModel):
    """What every structured answer of this library has in common: frozen, no extra keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Colours(Answer):
    """A whole palette: each front is made for its ground."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={"examples": [_HARBOUR, _LINEN, _MOSS, _PLUM]},
    )

    background: HexColour = Field(description="The page")
    surface: HexColour = Field(description="Boxes on the page, near the background")
    text: HexColour = Field(description="Running text; 4.5:1 on background and surface")
    text_muted: HexColour = Field(description="Captions and notes; 4.5:1 on both grounds")
    heading: HexColour = Field(description="Headings; 4.5:1 on both grounds, 3:1 if all are large")
    link: HexColour = Field(description="Links; 4.5:1 on both grounds")
    accent: HexColour = Field(description="The ground of buttons and marks, the brand's loudest")
    on_accent: HexColour = Field(description="Text on the accent; 4.5:1")
    focus: HexColour = Field(description="The focus ring; 3:1 on both grounds")


class Names(Answer):
    """What the brand calls its colours."""

    background: Name = Field(description="The brand's name for the background")
    surface: Name = Field(description="The brand's name for the surface")
    text: Name = Field(description="The brand's name for the text colour")
    text_muted: Name = Field(description="The brand's name for the muted text colour")
    heading: Name = Field(description="The brand's name for the heading colour")
    link: Name = Field(description="The brand's name for the link colour")
    accent: Name = Field(description="The brand's name for the accent")
    on_accent: Name = Field(description="The brand's name for the text on the accent")
    focus: Name = Field(description="The brand's name for the focus colour")


class Palette(Answer):
    """The colours of the article."""

    mood: Line = Field(description="What the palette is taken from and what it is sparing with")
    colours: Colours = Field(description="The colours by role, each #rrggbb in small letters")
    names: Names = Field(description="What the brand calls each of them, one to three words")


class TypeScale(Answer):
    """The fonts and sizes of the article."""

    voice: Line = Field(description="Why these fonts speak as the brand does")
    heading_family: Font = Field(description="The font of headings, freely licensed, by its name")
    heading_fallback: Fallback = Field(description="What stands in for it")
    body_family: Font = Field(description="The font of running text, freely licensed, by its name")
    body_fallback: Fallback = Field(description="What stands in for it")
    base_px: Annotated[int, Field(ge=16, le=20)] = Field(description="Running text, in pixels")
    ratio: Ratio = Field(description="The step from one size to the next")
    heading_weight: Literal[500, 600, 700, 800] = Field(description="The weight of headings")
    body_weight: Literal[300, 400, 500] = Field(description="The weight of running text")
    heading_line_height: Annotated[float, Field(ge=1.05, le=1.35)] = Field(
        description="A multiple of the size"
    )
    body_line_height: Annotated[float, Field(ge=1.4, le=1.75)] = Field(
        description="A multiple of the size"
    )


class Layout(Answer):
    """The page on which the article stands."""

    idea: Line = Field(description="What the page does for the article, in one sentence")
    unit_px: Literal[4, 8] = Field(description="The unit of all distances, in pixels")
    measure: Annotated[int, Field(ge=45, le=75)] = Field(
        description="Signs in a line of running text"
    )
    columns: Literal[4, 6, 8, 12] = Field(description="Columns on a wide screen")
    gutter: Literal["s", "m", "l", "xl"] = Field(description="The distance between columns")
    page_width_px: Annotated[int, Field(ge=960, le=1440, multiple_of=8)] = Field(
        description="The widest page, in pixels"
    )
    radius_px: Annotated[int, Field(ge=0, le=16)] = Field(
        description="Corners of boxes and buttons, in pixels"
    )
    rules: Annotated[tuple[Line, ...], Field(min_length=3, max_length=6)] = Field(
        description="Where pictures, pull quote, tables and notes stand, as rules one can check"
    )


class ColourEdit(Answer):
    """One colour, replaced; its name stays."""

    role: Literal[
        "text", "heading", "text_muted", "link", "focus", "on_accent", "accent", "surface",
        "background",
    ] = Field(description="The colour's role")  # fmt: skip
    hex: HexColour = Field(description="The new colour, #rrggbb in small letters")


class Revision(Answer):
    """What the quality pass repairs, and how good the tokens are once that is done."""

    colours: Annotated[tuple[ColourEdit, ...], Field(max_length=5)] = Field(
        description="Colours to replace; empty if all hold"
    )
    type_scale: TypeScale | None = Field(description="The whole new type scale, or null to keep")
    layout: Layout | None = Field(description="The whole new layout, or null to keep")
    flags: Annotated[tuple[Literal["check_failed"], ...], Field(max_length=0)] = Field(
        description="Always empty: nothing here needs a word to assembly"
    )
    voice_consistency: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")
    coherence_score: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")
