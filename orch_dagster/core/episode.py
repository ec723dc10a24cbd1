"""The episode: the only record that crosses from a library to the orchestrator."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

Score5 = Annotated[
    float,
    Field(strict=True, ge=0, le=5, allow_inf_nan=False),
    AfterValidator(lambda value: round(value, 2)),
]
"""A content score, 0.0 to 5.0. Strict: `true`, `"4.5"` and NaN are no scores.

Two decimals are kept: sixteen of them would cost an episode more tokens than all its flags.
"""

Score10 = Annotated[int, Field(strict=True, ge=0, le=10)]
"""A review score, a whole number from 0 to 10."""

LibraryName = Annotated[
    str, StringConstraints(strict=True, pattern=r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$", max_length=24)
]
"""A library or step: short snake case, so that it costs an episode few tokens."""

Count = Annotated[int, Field(strict=True, ge=0, le=999_999_999)]


class Flag(StrEnum):
    """The closed list of words that tell assembly something; `FLAG_EFFECTS` says what each does."""

    USE_VARIANT_B = "use_variant_b"
    FOOTNOTE_REQUIRES_REVIEW = "footnote_requires_review"
    CHECK_FAILED = "check_failed"
    BELOW_THRESHOLD = "below_threshold"


class FlagEffect(StrEnum):
    """What a flag makes assembly do."""

    PICK_VARIANT_B = "the row references variant B of the deliverable"
    NEEDS_REVIEW = "the row waits for a person's approval"
    NOT_READY = "the deliverable broke a limit that code checks: it may not be assembled"


FLAG_EFFECTS = {
    Flag.USE_VARIANT_B: FlagEffect.PICK_VARIANT_B,
    Flag.FOOTNOTE_REQUIRES_REVIEW: FlagEffect.NEEDS_REVIEW,
    Flag.CHECK_FAILED: FlagEffect.NOT_READY,
    Flag.BELOW_THRESHOLD: FlagEffect.NEEDS_REVIEW,
}


class Status(StrEnum):
    """How a library's work ended."""

    COMPLETE = "complete"
    FAILED = "failed"
    REFUSED = "refused"


CONTENT_SCORES, REVIEW_SCORE = ("voice_consistency", "coherence_score"), "score"
SCORES = (*CONTENT_SCORES, REVIEW_SCORE)
HIGHEST = {"voice_consistency": 5, "coherence_score": 5, "score": 10}


class Episode(BaseModel):
    """What a library says of its finished work: no text of it can get in.

    Keys that do not apply are left out of the JSON; their order is the contract's.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    library: LibraryName
    status: Status
    word_count: Count = 0
    voice_consistency: Score5 | None = None
    coherence_score: Score5 | None = None
    score: Score10 | None = None
    meta_generated: Annotated[bool, Field(strict=True)] | None = None
    assembly_ready: Annotated[bool, Field(strict=True)]
    flags: tuple[Flag, ...] = ()
    token_usage: Count = 0
    latency_ms: Count = 0

    @model_validator(mode="after")
    def _status_and_scores_agree(self) -> Self:
        if self.status is not Status.COMPLETE and (self.scores or self.assembly_ready):
            raise ValueError(f"a {self.status.value!r} episode carries no score and is not ready")
        if (self.voice_consistency is None) != (self.coherence_score is None):
            raise ValueError("voice_consistency and coherence_score come together")
        if self.score is not None and self.voice_consistency is not None:
            raise ValueError(
                "an episode carries the two content scores or a review score, not both"
            )
        if len(set(self.flags)) != len(self.flags):
            raise ValueError("a flag stands twice")
        return self

    @property
    def scores(self) -> dict[str, float]:
        """The scores it carries, by name."""
        values = {name: getattr(self, name) for name in SCORES}
        return {name: float(value) for name, value in values.items() if value is not None}

    def wire(self) -> str:
        """The whole episode as flat JSON on one line."""
        return self.model_dump_json(exclude_none=True)

    def decision_view(self) -> str:
        """What the orchestrator decides on: the episode without tokens and latency."""
        return self.model_dump_json(exclude_none=True, exclude={"token_usage", "latency_ms"})


ScoreName = Literal["voice_consistency", "coherence_score", "score"]
