"""Briefs of one's own making."""

from pathlib import Path
from typing import Any

import yaml

from orch_dagster.core.brief import Brief
from tests.simulator.briefs import FIELDS


def brief(slug: str, **changes: Any) -> Brief:
    """A whole brief of few words."""
    return Brief.model_validate(brief_fields(slug) | changes)


def brief_fields(slug: str) -> dict[str, Any]:
    """The fields of a whole brief of few words."""
    return {
        "slug": slug,
        "title": f"What a shared cellar keeps ({slug})",
        "brand_identity": "The cellar under the old dairy, run by the allotment society.",
        "secondary_audience": "Councils that own a cellar and do not know what to do with it.",
        "competitive_context": "Garden magazines write about freezers and canning.",
        "visual_style": "Crates, sand, slate; daylight from the door.",
        "crm_trigger": "Downloads the card with nine dates.",
        "words": 400,
        **FIELDS,
    }


def write_brief(folder: Path, name: str, **changes: Any) -> Path:
    """A brief as a YAML file; its slug is its name unless that is changed."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump(brief_fields(name) | changes), encoding="utf-8")
    return path
