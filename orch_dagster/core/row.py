"""The row: the assembled result of one article; references and figures, never content."""

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

from orch_dagster.core.decision import Finish, needs_review
from orch_dagster.core.episode import FLAG_EFFECTS, Flag, FlagEffect
from orch_dagster.core.ledger import Document, Ledger, Record
from orch_dagster.core.pipeline import Pipeline


class LibraryResult(BaseModel):
    """What one library gave to the row; `variant` says which one counts where there are two."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    deliverable: Document | None
    variant: Literal["a", "b"]
    scores: Mapping[str, float]
    flags: tuple[Flag, ...]
    passes: int
    word_count: int
    tokens: int
    cost_usd: float | None
    latency_ms: int


class Row(BaseModel):
    """One article's result: by library what was delivered, how good it is and what it cost.

    `status` is `needs_review` while a flag waits for a person, and else the pipeline's word for
    an article that is done; `approved` that a person has lifted the review. `made_from` maps
    each step to the fingerprint it was assembled from. `cost_usd` is None where any price is
    unknown; `latency_ms` is the slowest library's, since they run side by side.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    article: str
    pipeline: str
    status: str
    approved: bool
    decision: str
    flags: tuple[Flag, ...]
    libraries: Mapping[str, LibraryResult]
    word_count: int
    tokens: int
    cost_usd: float | None
    latency_ms: int
    made_from: Mapping[str, str]


def assemble(pipeline: Pipeline, ledger: Ledger, finish: Finish, *, approved: bool) -> Row:
    """The row of an article whose decision is to finish.

    Raises:
        ValueError: a step has no current record; the decision would not have been to finish.
    """
    records: dict[str, Record] = {}
    for step in pipeline.steps:
        record = ledger.current(step)
        if record is None:
            raise ValueError(f"{ledger.article}: {step.name} has no current record")
        records[step.name] = record
    libraries = {
        name: _result(record) for name, record in records.items() if record.episode is not None
    }
    return Row(
        article=ledger.article,
        pipeline=pipeline.name,
        status="needs_review" if needs_review(finish.flags) and not approved else pipeline.ended,
        approved=approved,
        decision=finish.reason,
        flags=finish.flags,
        libraries=libraries,
        word_count=sum(result.word_count for result in libraries.values()),
        tokens=sum(result.tokens for result in libraries.values()),
        cost_usd=_sum_of_known([result.cost_usd for result in libraries.values()]),
        latency_ms=max((result.latency_ms for result in libraries.values()), default=0),
        made_from={need: records[need].fingerprint for need in pipeline.finish.needs},
    )


def _result(record: Record) -> LibraryResult:
    episode = record.episode
    if episode is None:
        raise ValueError("a record without an episode is no library's result")
    return LibraryResult(
        deliverable=record.document,
        variant="b" if _picks_variant_b(episode.flags) else "a",
        scores=episode.scores,
        flags=episode.flags,
        passes=record.scorings,
        word_count=episode.word_count,
        tokens=episode.token_usage,
        cost_usd=record.cost_usd,
        latency_ms=episode.latency_ms,
    )


def _picks_variant_b(flags: tuple[Flag, ...]) -> bool:
    return any(FLAG_EFFECTS[flag] is FlagEffect.PICK_VARIANT_B for flag in flags)


def _sum_of_known(costs: list[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None
