"""From answers to tokens: sizes by ratio, distances by unit, contrast by measuring."""

from collections.abc import Mapping

from assets.content.design import contrast
from assets.content.design.answers import Colours, Layout, Names, Ratio, TypeScale
from assets.content.design.contrast import Role
from assets.content.design.tokens import (
    SCHEMA,
    ColorGroup,
    ColorToken,
    ColorValue,
    Contrast,
    DesignTokens,
    DimensionToken,
    DimensionValue,
    Extensions,
    Families,
    FontFamilyToken,
    FontGroup,
    FontWeightToken,
    LayoutGroup,
    LineHeights,
    NumberToken,
    Sizes,
    SpaceGroup,
    TypeGroup,
    TypographyToken,
    TypographyValue,
    Weights,
)

ROOT_PX = 16
"""Pixels of 1 rem where nobody has changed it."""

RATIOS: Mapping[Ratio, float] = {
    "major second": 1.125,
    "minor third": 1.2,
    "major third": 1.25,
    "perfect fourth": 4 / 3,
}
STEPS = {"caption": -1, "body": 0, "lead": 1, "subheading": 2, "heading": 3, "display": 5}
HEADINGS = ("subheading", "heading", "display")
UNITS = {"xs": 1, "s": 2, "m": 4, "l": 6, "xl": 8, "xxl": 16}

PURPOSES: Mapping[Role, str] = {
    "background": "the page",
    "surface": "boxes on the page (pull quote, table, note)",
    "text": "running text on background and surface",
    "text_muted": "captions, notes and dates on background and surface",
    "heading": "headings on background and surface",
    "link": "links in running text, underlined",
    "accent": "the ground of buttons and marks; no text colour",
    "on_accent": "text on accent",
    "focus": "the ring round what has the keyboard's focus",
}


def color_group(mood: str, colours: Colours, names: Names) -> ColorGroup:
    """The palette as tokens, each under the brand's name for it."""
    tokens = {
        role: color_token(role, getattr(colours, role), getattr(names, role)) for role in PURPOSES
    }
    return ColorGroup(description_=mood, **tokens)


def color_token(role: Role, colour: str, name: str) -> ColorToken:
    """One colour as a token."""
    return ColorToken(
        type_="color", value_=color_value(colour), description_=f"{name}: {PURPOSES[role]}"
    )


def color_value(colour: str) -> ColorValue:
    """A hex colour as the format wants it."""
    return ColorValue(color_space="srgb", components=contrast.components(colour), hex=colour)


def sizes_px(base_px: int, ratio: Ratio) -> dict[str, float]:
    """The size of each step in pixels."""
    return {step: base_px * RATIOS[ratio] ** power for step, power in STEPS.items()}


def font_group(scale: TypeScale) -> FontGroup:
    """What text styles are made of."""
    sizes = {
        step: DimensionToken(
            type_="dimension", value_=_rem(px), description_=f"{step}: {round(px, 1):g} px at 16 px"
        )
        for step, px in sizes_px(scale.base_px, scale.ratio).items()
    }
    return FontGroup(
        description_=scale.voice,
        family=Families(
            description_="Fonts, with the generic family that stands in for each",
            heading=_family(scale.heading_family, scale.heading_fallback, "headings"),
            body=_family(scale.body_family, scale.body_fallback, "running text"),
        ),
        weight=Weights(
            description_="Weights",
            heading=FontWeightToken(
                type_="fontWeight", value_=scale.heading_weight, description_="headings"
            ),
            body=FontWeightToken(
                type_="fontWeight", value_=scale.body_weight, description_="running text"
            ),
        ),
        size=Sizes(
            description_=f"Steps of a {scale.ratio}, {RATIOS[scale.ratio]:.3f}, from {scale.base_px} px",
            **sizes,
        ),
        line_height=LineHeights(
            description_="Multiples of the size",
            heading=_number(round(scale.heading_line_height, 2), "headings"),
            body=_number(round(scale.body_line_height, 2), "running text"),
        ),
    )


def type_group() -> TypeGroup:
    """The text styles, made of aliases only."""
    styles = {step: _style(step, "heading" if step in HEADINGS else "body") for step in STEPS}
    return TypeGroup(description_="Text styles; change the font tokens, not these", **styles)


def space_group(layout: Layout) -> SpaceGroup:
    """The distances."""
    tokens = {
        name: DimensionToken(
            type_="dimension",
            value_=_rem(layout.unit_px * units),
            description_=f"{units} x {layout.unit_px} px",
        )
        for name, units in UNITS.items()
    }
    return SpaceGroup(description_=f"Multiples of {layout.unit_px} px", **tokens)


def layout_group(layout: Layout) -> LayoutGroup:
    """The grid."""
    return LayoutGroup(
        description_=layout.idea,
        measure=_number(layout.measure, "signs in a line of running text (ch)"),
        columns=_number(layout.columns, "columns on a wide screen"),
        gutter=DimensionToken(
            type_="dimension", value_=f"{{space.{layout.gutter}}}", description_="between columns"
        ),
        page_width=DimensionToken(
            type_="dimension", value_=_px(layout.page_width_px), description_="the widest page"
        ),
        radius=DimensionToken(
            type_="dimension",
            value_=_px(layout.radius_px),
            description_="corners of boxes and buttons",
        ),
    )


def with_contrast(tokens: DesignTokens) -> DesignTokens:
    """The tokens with the contrast of every pair measured anew."""
    extensions = tokens.extensions_.model_copy(update={"contrast": contrasts(tokens)})
    return tokens.model_copy(update={"extensions_": extensions})


def contrasts(tokens: DesignTokens) -> tuple[Contrast, ...]:
    """The contrast of every pair, as the document gives it."""
    return tuple(
        Contrast(
            text=_alias(pair.front),
            background=_alias(pair.ground),
            criterion="1.4.11" if pair.front == "focus" else "1.4.3",
            ratio=pair.shown,
            required=pair.required,
            passes=pair.passes,
        )
        for pair in measures(tokens)
    )


def measures(tokens: DesignTokens) -> tuple[contrast.Measure, ...]:
    """Every pair of the document's colours, with what its headings' sizes ask for."""
    colours: dict[Role, str] = {role: getattr(tokens.color, role).value_.hex for role in PURPOSES}
    return contrast.measure(colours, large_headings=_large_headings(tokens))


def document(
    *,
    description: str,
    color: ColorGroup,
    font: FontGroup,
    layout: Layout,
) -> DesignTokens:
    """The whole document."""
    return with_contrast(
        DesignTokens(
            schema_=SCHEMA,
            description_=description,
            color=color,
            font=font,
            type=type_group(),
            space=space_group(layout),
            layout=layout_group(layout),
            extensions_=Extensions(contrast=(), rules=layout.rules),
        )
    )


def _large_headings(tokens: DesignTokens) -> bool:
    weight = tokens.font.weight.heading.value_
    sizes = [getattr(tokens.font.size, step).value_ for step in HEADINGS]
    return all(
        contrast.is_large(size.value * (ROOT_PX if size.unit == "rem" else 1), weight)
        for size in sizes
        if isinstance(size, DimensionValue)
    )


def _alias(role: Role) -> str:
    return f"{{color.{role.replace('_', '-')}}}"


def _rem(px: float) -> DimensionValue:
    return DimensionValue(value=round(px / ROOT_PX, 4), unit="rem")


def _px(px: float) -> DimensionValue:
    return DimensionValue(value=px, unit="px")


def _number(value: float, description: str) -> NumberToken:
    return NumberToken(type_="number", value_=value, description_=description)


def _family(name: str, fallback: str, description: str) -> FontFamilyToken:
    return FontFamilyToken(type_="fontFamily", value_=(name, fallback), description_=description)


def _style(step: str, family: str) -> TypographyToken:
    return TypographyToken(
        type_="typography",
        value_=TypographyValue(
            font_family=f"{{font.family.{family}}}",
            font_size=f"{{font.size.{step}}}",
            font_weight=f"{{font.weight.{family}}}",
            letter_spacing=DimensionValue(value=0, unit="rem"),
            line_height=f"{{font.line-height.{family}}}",
        ),
        description_=f"{step}, in the {family} font",
    )
