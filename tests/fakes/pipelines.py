"""Pipelines of the two shapes that the engine serves."""

from orch_dagster.core.gate import minimum
from orch_dagster.core.pipeline import INPUT, Pipeline, Step

CONTENT_GATES = (minimum("voice_consistency", 4.0), minimum("coherence_score", 4.0))


def plain_step(name: str, *needs: str) -> Step:
    """A step without gates."""
    return Step(name=name, needs=needs, gates=(), rework=())


def content_steps(library: str) -> tuple[Step, Step]:
    """A library's chain and its pass."""
    draft = f"{library}/draft"
    return (
        plain_step(draft, INPUT),
        Step(name=library, needs=(draft,), gates=CONTENT_GATES, rework=(library,)),
    )


def content(*libraries: str) -> Pipeline:
    """Libraries side by side, assembled into a row."""
    steps = tuple(step for library in libraries for step in content_steps(library))
    return Pipeline("content", "assembled", steps, plain_step("row", *libraries))


def translation() -> Pipeline:
    """Six steps in a row, with a rework that goes through two of them."""
    review = Step(
        name="review",
        needs=("translate", "polish"),
        gates=(minimum("score", 8),),
        rework=("polish", "review"),
    )
    return Pipeline(
        "translation",
        "published",
        (
            plain_step("fetch", INPUT),
            plain_step("categorize", "fetch"),
            plain_step("translate", "fetch"),
            plain_step("polish", "translate"),
            review,
        ),
        plain_step("publish", "categorize", "polish", "review"),
        unattended=True,
    )
