"""Briefs that are valid until a test changes them."""

from typing import Any

from orch_dagster.core.brief import Brief

TEXT_FIELDS = (
    "brand_identity", "brand_voice", "core_thesis", "primary_audience", "secondary_audience",
    "competitive_context", "visual_style", "seo_cluster", "crm_trigger",
)  # fmt: skip


def brief_fields(**changes: Any) -> dict[str, Any]:
    """The fields of a small valid brief, each text naming its field."""
    texts = {name: f"What the brief says of {name}." for name in TEXT_FIELDS}
    return {"slug": "winter-service", "title": "Winter service", **texts, "words": 300} | changes


def brief(**changes: Any) -> Brief:
    """A small valid brief."""
    return Brief.model_validate(brief_fields(**changes))
