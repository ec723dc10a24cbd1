"""What the note's prompts answer; a check refuses a note that says `broken`."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import Score5


class Outline(BaseModel):
    """Where the note goes."""

    thread: Annotated[str, Field(min_length=10, max_length=300)]
    points: Annotated[tuple[str, ...], Field(min_length=3, max_length=3)]


class Revision(BaseModel):
    """The repaired note with its scores."""

    deliverable: Annotated[str, Field(min_length=20, max_length=2000)]
    flags: tuple[Literal["footnote_requires_review"], ...]
    voice_consistency: Score5
    coherence_score: Score5


def compose(brief: Brief, answers: Mapping[str, Any]) -> str:
    """The draft as Markdown."""
    return f"# {brief.title}\n\n{answers['text']}\n"


def finish(brief: Brief, candidate: str, answers: Mapping[str, Any]) -> str:
    """The note with its description."""
    return f"{candidate}\n\n{answers['meta']}\n"


def check(brief: Brief, answers: Mapping[str, Any], candidate: str) -> list[str]:
    """What code finds wrong."""
    return ["the note says 'broken'"] if "broken" in candidate else []
