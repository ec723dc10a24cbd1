"""Records and ledgers, as the event log would give them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from orch_dagster.core.episode import Episode, Status
from orch_dagster.core.ledger import Document, Ledger, Record
from orch_dagster.core.pipeline import Pipeline, Step
from tests.fakes.episodes import ended_badly, plain, reviewed, scored

DOCUMENT = Document(url="memory://content/x.md", bytes=12, sha256="0" * 64)


def record(**changes: Any) -> Record:
    """A record of a step that ended well and was made from nothing."""
    fields = {
        "fingerprint": "f",
        "made_from": {},
        "status": Status.COMPLETE,
        "episode": None,
        "scorings": 1,
        "failures": 0,
        "document": DOCUMENT,
        "cost_usd": 0.5,
    }
    return Record(**(fields | changes))


def ledger(**changes: Any) -> Ledger:
    """The ledger of an article that was registered and nothing more."""
    fields = {
        "article": "winter-service",
        "input": "brief-1",
        "records": {},
        "missing": frozenset(),
        "running": False,
        "broken_runs": 0,
    }
    return Ledger(**(fields | changes))


def done(pipeline: Pipeline, **changes: Mapping[str, Any]) -> Ledger:
    """The ledger of an article whose every step stands, but for its end.

    `changes` are those to single records, by step; a slash in its name is written as two
    underscores.
    """
    found = ledger()
    for step in pipeline.steps:
        fields: dict[str, Any] = {
            "fingerprint": f"{step.name}-1",
            "made_from": {need: found.fingerprint(need) for need in step.needs},
            "episode": good_episode(step),
        }
        made = record(**(fields | dict(changes.get(step.name.replace("/", "__"), {}))))
        found = replace(found, records={**found.records, step.name: made})
    return found


def good_episode(step: Step) -> Episode | None:
    """An episode that passes all gates of a step; a draft has none."""
    return episode_with(step, good=True, ready=True)


def episode_with(step: Step, *, good: bool, ready: bool) -> Episode | None:
    """A complete episode of a step whose scores are over or under its gates."""
    if step.name.endswith("/draft"):
        return None
    if not step.gates:
        return plain(step.name)
    if step.gates[0].score == "score":
        return reviewed(step.name, 9 if good else 5)
    return scored(step.name, voice=4.5 if good else 3.5, ready=ready)


def bad_record(step: Step, status: Status, **changes: Any) -> Record:
    """A record of a step that failed or was refused."""
    episode = None if step.name.endswith("/draft") else ended_badly(step.name, status)
    return record(status=status, episode=episode, document=None, failures=1, **changes)


def finished(pipeline: Pipeline, found: Ledger) -> Ledger:
    """The ledger with the pipeline's last record in it."""
    made_from = {need: found.fingerprint(need) for need in pipeline.finish.needs}
    end = record(fingerprint="end-1", made_from=made_from)
    return replace(found, records={**found.records, pipeline.finish.name: end})
