"""The document: a design-tokens file (DTCG format and colour modules 2025.10), typed."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

SCHEMA = "https://www.designtokens.org/schemas/2025.10/format.json"

Text = Annotated[str, Field(min_length=1, max_length=600)]
Alias = Annotated[str, Field(pattern=r"^\{[a-z0-9-]+(\.[a-z0-9-]+)*\}$")]
Hex = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]
Share = Annotated[float, Field(ge=0, le=1)]


def _file_name(name: str) -> str:
    """A field's name in the file: `line_height` is `line-height` there, `value_` is `$value`."""
    return f"${name[:-1]}" if name.endswith("_") else name.replace("_", "-")


class Part(BaseModel):
    """A part of the document; in the file its fields have the format's names."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, alias_generator=_file_name
    )


class ColorValue(Part):
    """A colour in sRGB, its components from 0 to 1, with the hex form for older tools."""

    model_config = ConfigDict(alias_generator=to_camel)

    color_space: Literal["srgb"] = Field(description="The colour space")
    components: tuple[Share, Share, Share] = Field(description="Red, green, blue")
    hex: Hex = Field(description="The same colour in hex")


class DimensionValue(Part):
    """A length."""

    value: Annotated[float, Field(ge=0)] = Field(description="How many units")
    unit: Literal["px", "rem"] = Field(description="The unit")


class TypographyValue(Part):
    """A text style, made of aliases."""

    model_config = ConfigDict(alias_generator=to_camel)

    font_family: Alias = Field(description="A font family token")
    font_size: Alias = Field(description="A dimension token")
    font_weight: Alias = Field(description="A font weight token")
    letter_spacing: DimensionValue = Field(description="Space between signs")
    line_height: Alias = Field(description="A number token")


class Token(Part):
    """What every token has."""

    description_: Text = Field(description="What the token is for")


class ColorToken(Token):
    """A colour."""

    type_: Literal["color"] = Field(description="The token's type")
    value_: ColorValue = Field(description="The token's value")


class DimensionToken(Token):
    """A length, or the alias of one."""

    type_: Literal["dimension"] = Field(description="The token's type")
    value_: DimensionValue | Alias = Field(description="The token's value")


class NumberToken(Token):
    """A number."""

    type_: Literal["number"] = Field(description="The token's type")
    value_: float = Field(description="The token's value")


class FontFamilyToken(Token):
    """A font and what stands in for it."""

    type_: Literal["fontFamily"] = Field(description="The token's type")
    value_: Annotated[tuple[str, ...], Field(min_length=1)] = Field(
        description="The fonts, the preferred first"
    )


class FontWeightToken(Token):
    """A weight."""

    type_: Literal["fontWeight"] = Field(description="The token's type")
    value_: Annotated[int, Field(ge=1, le=1000)] = Field(description="The token's value")


class TypographyToken(Token):
    """A text style."""

    type_: Literal["typography"] = Field(description="The token's type")
    value_: TypographyValue = Field(description="The token's value")


class Group(Part):
    """What every group has."""

    description_: Text = Field(description="What the group is for")


class ColorGroup(Group):
    """The palette by role."""

    background: ColorToken = Field(description="The page")
    surface: ColorToken = Field(description="Boxes on the page")
    text: ColorToken = Field(description="Running text")
    text_muted: ColorToken = Field(description="Captions and notes")
    heading: ColorToken = Field(description="Headings")
    link: ColorToken = Field(description="Links in running text")
    accent: ColorToken = Field(description="The ground of buttons and marks")
    on_accent: ColorToken = Field(description="Text on the accent")
    focus: ColorToken = Field(description="The focus ring")


class Families(Group):
    """Fonts."""

    heading: FontFamilyToken = Field(description="Headings")
    body: FontFamilyToken = Field(description="Running text")


class Weights(Group):
    """Weights."""

    heading: FontWeightToken = Field(description="Headings")
    body: FontWeightToken = Field(description="Running text")


class Sizes(Group):
    """Sizes, each a step of one ratio."""

    caption: DimensionToken = Field(description="One step down")
    body: DimensionToken = Field(description="The base")
    lead: DimensionToken = Field(description="One step up")
    subheading: DimensionToken = Field(description="Two steps up")
    heading: DimensionToken = Field(description="Three steps up")
    display: DimensionToken = Field(description="Five steps up")


class LineHeights(Group):
    """Line heights as multiples of the size."""

    heading: NumberToken = Field(description="Headings")
    body: NumberToken = Field(description="Running text")


class FontGroup(Group):
    """What text styles are made of."""

    family: Families = Field(description="Fonts")
    weight: Weights = Field(description="Weights")
    size: Sizes = Field(description="Sizes")
    line_height: LineHeights = Field(description="Line heights")


class TypeGroup(Group):
    """Text styles."""

    caption: TypographyToken = Field(description="Captions and notes")
    body: TypographyToken = Field(description="Running text")
    lead: TypographyToken = Field(description="The first paragraph")
    subheading: TypographyToken = Field(description="Headings within a section")
    heading: TypographyToken = Field(description="Section headings")
    display: TypographyToken = Field(description="The title")


class SpaceGroup(Group):
    """Distances, multiples of one unit."""

    xs: DimensionToken = Field(description="1 unit")
    s: DimensionToken = Field(description="2 units")
    m: DimensionToken = Field(description="4 units")
    l: DimensionToken = Field(description="6 units")  # noqa: E741
    xl: DimensionToken = Field(description="8 units")
    xxl: DimensionToken = Field(description="16 units")


class LayoutGroup(Group):
    """The page's grid."""

    measure: NumberToken = Field(description="Signs in a line of running text")
    columns: NumberToken = Field(description="Columns on a wide screen")
    gutter: DimensionToken = Field(description="Between columns")
    page_width: DimensionToken = Field(description="The widest page")
    radius: DimensionToken = Field(description="Corners of boxes and buttons")


class Contrast(Part):
    """One pair of colours, measured."""

    text: Alias = Field(description="The colour in front")
    background: Alias = Field(description="The colour behind")
    criterion: Literal["1.4.3", "1.4.11"] = Field(description="The WCAG 2.2 success criterion")
    ratio: Annotated[float, Field(ge=1, le=21)] = Field(
        description="Contrast ratio to 1, cut off after two decimals"
    )
    required: Annotated[float, Field(ge=3, le=4.5)] = Field(
        description="What level AA asks of this pair: 4.5, or 3 for large text and what is no text"
    )
    passes: bool = Field(description="Whether it does")


class Extensions(Part):
    """What the format has no tokens for, under names of our own as it asks."""

    model_config = ConfigDict(alias_generator=lambda name: f"orch-dagster.{name}")

    contrast: tuple[Contrast, ...] = Field(description="Every pair of text and ground, measured")
    rules: tuple[str, ...] = Field(description="Rules of layout in words")


class DesignTokens(Group):
    """The article's tokens: a file that Style Dictionary, Figma or Penpot can read."""

    schema_: Literal["https://www.designtokens.org/schemas/2025.10/format.json"] = Field(
        description="The format's version"
    )
    color: ColorGroup = Field(description="The palette")
    font: FontGroup = Field(description="Families, weights, sizes, line heights")
    type: TypeGroup = Field(description="Text styles")
    space: SpaceGroup = Field(description="Distances")
    layout: LayoutGroup = Field(description="The grid")
    extensions_: Extensions = Field(description="Contrast and rules")
