"""What the translator answers: a glossary once, then segments piece by piece."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Term(BaseModel):
    """One term or name, and how it is rendered everywhere."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: Annotated[str, Field(min_length=1, max_length=120)] = Field(
        description="The term as it stands in the text"
    )
    target: Annotated[str, Field(min_length=1, max_length=160)] = Field(
        description="The rendering as it will be printed, in its dictionary form"
    )
    note: Annotated[str, Field(max_length=200)] = Field(
        description="The sense, or the grammar it needs; empty if nothing"
    )


class Glossary(BaseModel):
    """How terms and names are rendered, and how readers are addressed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    terms: Annotated[tuple[Term, ...], Field(max_length=40)] = Field(
        description="Terms and names that must come out the same in every piece"
    )
    tone: Annotated[str, Field(max_length=300)] = Field(
        description="One sentence on address and tone"
    )


class Translated(BaseModel):
    """One segment in the target language."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[int, Field(ge=1)] = Field(description="The segment's id as given")
    text: Annotated[str, Field(min_length=1, max_length=20_000)] = Field(
        description="The segment's translation, on one line"
    )


class Segments(BaseModel):
    """The segments of a piece, in order."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    segments: Annotated[tuple[Translated, ...], Field(min_length=1, max_length=2_000)] = Field(
        description="One entry for each segment of the piece, in the same order"
    )
