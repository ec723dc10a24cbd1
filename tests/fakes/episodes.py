"""Episodes that are valid until a test changes them."""

from typing import Any

from orch_dagster.core.episode import Episode, Status

EXAMPLE: dict[str, Any] = {
    "library": "article",
    "status": "complete",
    "word_count": 2643,
    "voice_consistency": 4.9,
    "coherence_score": 5.0,
    "meta_generated": True,
    "assembly_ready": True,
    "flags": [],
    "token_usage": 18420,
    "latency_ms": 94300,
}
"""The example of DESIGN 4.1."""


def episode(**changes: Any) -> Episode:
    """The design's example with some keys changed."""
    return Episode.model_validate(EXAMPLE | changes)


def scored(library: str, *, voice: float, ready: bool, flags: tuple[str, ...] = ()) -> Episode:
    """A complete episode whose coherence is beyond doubt."""
    return episode(
        library=library, voice_consistency=voice, assembly_ready=ready, flags=list(flags)
    )


def reviewed(step: str, score: int) -> Episode:
    """A complete episode of a translation's review."""
    return Episode(library=step, status=Status.COMPLETE, score=score, assembly_ready=True)


def plain(step: str) -> Episode:
    """A complete episode of a step that gives no score."""
    return Episode(library=step, status=Status.COMPLETE, assembly_ready=True)


def ended_badly(step: str, status: Status) -> Episode:
    """An episode of a step that failed or was refused."""
    return Episode(library=step, status=status, assembly_ready=False)
