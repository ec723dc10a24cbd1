"""What the card's prompts answer."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import Score5


class Card(BaseModel):
    """The card."""

    line: Annotated[str, Field(min_length=3, max_length=2000)]


class Revision(BaseModel):
    """The repaired card with its scores."""

    deliverable: Card
    flags: tuple[Literal["footnote_requires_review"], ...]
    voice_consistency: Score5
    coherence_score: Score5


def compose(brief: Brief, answers: Mapping[str, Any]) -> Card:
    """The draft as a card."""
    return Card(line=answers["idea"])
