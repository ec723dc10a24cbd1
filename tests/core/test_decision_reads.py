"""What the decision reads of an episode: its decision view, and nothing else."""

from dataclasses import replace
from typing import Any, ClassVar

from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.core.decision import decide, finish_of, flags_at_finish, steps_of
from orch_dagster.core.episode import Episode
from orch_dagster.core.ledger import Ledger, Record
from tests.core.strategies import PIPELINES, ledgers
from tests.fakes.ledgers import done
from tests.fakes.pipelines import content

FOR_PEOPLE = {"token_usage", "latency_ms"}


class WatchedEpisode(Episode):
    """An episode that notes which of its fields are asked for."""

    read: ClassVar[set[str]] = set()

    def __getattribute__(self, name: str) -> Any:
        if name in Episode.model_fields:
            WatchedEpisode.read.add(name)
        return super().__getattribute__(name)


def watched(ledger: Ledger) -> Ledger:
    return replace(ledger, records={name: _watched(r) for name, r in ledger.records.items()})


def _watched(record: Record) -> Record:
    if record.episode is None:
        return record
    episode = WatchedEpisode.model_validate(record.episode.model_dump())
    return record.model_copy(update={"episode": episode})


@given(st.data())
def test_a_decision_reads_no_field_that_the_decision_view_lacks(data: st.DataObject):
    pipeline = data.draw(PIPELINES)
    ledger = watched(data.draw(ledgers(pipeline)))
    WatchedEpisode.read.clear()
    decision = decide(pipeline, ledger)
    steps_of(pipeline, decision.actions)
    finish_of(pipeline, ledger)
    flags_at_finish(pipeline, ledger)
    assert not WatchedEpisode.read & FOR_PEOPLE


def test_a_decision_reads_the_scores_the_flags_and_the_readiness():
    pipeline = content("article")
    ledger = watched(done(pipeline))
    WatchedEpisode.read.clear()
    decide(pipeline, ledger)
    found = {"voice_consistency", "coherence_score", "flags", "assembly_ready"}
    assert found <= WatchedEpisode.read
