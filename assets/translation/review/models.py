"""What the reviewer answers."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from orch_dagster.core.episode import Score10


class Note(BaseModel):
    """One fault, and where it stands."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    segment: Annotated[int, Field(ge=1)] = Field(description="The number at the pair")
    fault: Annotated[str, Field(min_length=5, max_length=600)] = Field(
        description="The words at fault, and what is wrong with them"
    )
    severity: Literal["meaning", "terms", "grammar", "style"] = Field(
        description="The kind of fault, the gravest that fits"
    )


class Review(BaseModel):
    """The score, and the notes that carry it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: Score10 = Field(description="A whole number from 0 to 10, by the rubric")
    notes: Annotated[tuple[Note, ...], Field(max_length=40)] = Field(
        description="The faults, the gravest first"
    )
