"""A brief about an observatory, and answers that a sound chain could give to it."""

from typing import Any

from assets.content.design.answers import (
    ColourEdit,
    Colours,
    Layout,
    Names,
    Palette,
    Revision,
    TypeScale,
)
from assets.content.design.models import compose
from assets.content.design.tokens import DesignTokens
from orch_dagster.core.brief import Brief


def brief(**changes: Any) -> Brief:
    """A valid brief with a visual style."""
    return Brief.model_validate(
        {
            "slug": "open-dome",
            "title": "The dome is open",
            "brand_identity": "Vega House opens its dome to schools.",
            "brand_voice": "Hushed, exact, amused.",
            "core_thesis": "Children should see the sky before the screen.",
            "primary_audience": "Teachers reading at night on phones.",
            "secondary_audience": "Councils.",
            "competitive_context": "Planetariums show films.",
            "visual_style": "Night work, red torches, brass, chart paper. Never a galaxy picture.",
            "seo_cluster": "school observatory",
            "crm_trigger": "A class books.",
        }
        | changes
    )


def palette(**changes: str) -> Palette:
    """A palette that passes, but for the changes."""
    colours = {
        "background": "#faf7f2",
        "surface": "#f0e9dc",
        "text": "#1d1a26",
        "text_muted": "#55505f",
        "heading": "#5b3a12",
        "link": "#1f4f86",
        "accent": "#a3231f",
        "on_accent": "#ffffff",
        "focus": "#1f5fa8",
    }
    return Palette(
        mood="Taken from the dome at night and the paper charts in it.",
        colours=Colours(**(colours | changes)),
        names=Names(
            background="chart paper",
            surface="folded chart",
            text="dome dark",
            text_muted="dust",
            heading="worn brass",
            link="pole star",
            accent="torch red",
            on_accent="chalk",
            focus="Vega",
        ),
    )


def type_scale(**changes: Any) -> TypeScale:
    """A type scale that passes, but for the changes."""
    plain = {
        "voice": "Engraved capitals as on the instruments.",
        "heading_family": "Work Sans",
        "heading_fallback": "sans-serif",
        "body_family": "Literata",
        "body_fallback": "serif",
        "base_px": 18,
        "ratio": "minor third",
        "heading_weight": 700,
        "body_weight": 400,
        "heading_line_height": 1.2,
        "body_line_height": 1.6,
    }
    return TypeScale(**(plain | changes))


def layout(**changes: Any) -> Layout:
    """A layout, with the changes."""
    plain = {
        "idea": "One narrow column like a log book.",
        "unit_px": 8,
        "measure": 64,
        "columns": 12,
        "gutter": "m",
        "page_width_px": 1200,
        "radius_px": 2,
        "rules": (
            "Plates run the full page width.",
            "Torch red only on what can be pressed.",
            "Notes stand below the paragraph they belong to.",
        ),
    }
    return Layout(**(plain | changes))


def answers(**changes: Any) -> dict[str, Any]:
    """Every answer of the chain, by prompt name."""
    return {"palette": palette(), "type_scale": type_scale(), "layout": layout()} | changes


def tokens(**changes: Any) -> DesignTokens:
    """The tokens that the sound answers make, but for the changes."""
    return compose(brief(), answers(**changes))


def revision(
    *edits: ColourEdit, scale: TypeScale | None = None, page: Layout | None = None
) -> Revision:
    """The pass's answer with these edits and good scores."""
    return Revision(
        colours=edits,
        type_scale=scale,
        layout=page,
        flags=(),
        voice_consistency=4.4,
        coherence_score=4.5,
    )
