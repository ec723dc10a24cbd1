"""Gates: a minimum for one score."""

from dataclasses import dataclass

from orch_dagster.core.episode import HIGHEST, SCORES, Episode


@dataclass(frozen=True, slots=True)
class Gate:
    """One score's minimum; a score that is exactly the minimum passes."""

    score: str
    minimum: float

    def __post_init__(self) -> None:
        if self.score not in SCORES:
            raise ValueError(
                f"gate on {self.score!r}: no such score, there are {', '.join(SCORES)}"
            )
        if not 0 <= self.minimum <= HIGHEST[self.score]:
            raise ValueError(
                f"gate on {self.score!r}: {self.minimum:g} is not between 0 and "
                f"{HIGHEST[self.score]}"
            )

    def passes(self, episode: Episode) -> bool:
        """Whether the episode carries this score and it is high enough."""
        value = episode.scores.get(self.score)
        return value is not None and value >= self.minimum

    def describe(self) -> str:
        """The gate in words, for a check's description."""
        return f"{self.score} is at least {self.minimum:g}"


def minimum(score: str, value: float) -> Gate:
    """The gate that asks for `value` or more of `score`."""
    return Gate(score=score, minimum=value)
