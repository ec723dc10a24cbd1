"""Gates: a minimum for one score."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.core.episode import Status
from orch_dagster.core.gate import minimum
from tests.fakes.episodes import ended_badly, episode, reviewed

TWO_DECIMALS = st.integers(0, 500).map(lambda hundredths: hundredths / 100)


@given(score=TWO_DECIMALS, least=TWO_DECIMALS)
def test_a_score_passes_when_it_is_the_minimum_or_more(score: float, least: float):
    gate = minimum("voice_consistency", least)
    assert gate.passes(episode(voice_consistency=score)) is (score >= least)


def test_an_episode_without_the_score_does_not_pass():
    assert not minimum("score", 0).passes(episode())
    assert not minimum("voice_consistency", 0).passes(reviewed("review", 10))
    assert not minimum("score", 0).passes(ended_badly("review", Status.FAILED))


@pytest.mark.parametrize("score", ["", "word_count", "Score", "assembly_ready"])
def test_a_gate_on_what_is_no_score_is_an_error_that_names_the_scores(score: str):
    with pytest.raises(ValueError, match=f"{score!r}: no such score, there are voice_consistency"):
        minimum(score, 4.0)


@pytest.mark.parametrize(
    ("score", "value"),
    [("voice_consistency", 5.1), ("score", 11), ("score", -1), ("coherence_score", float("nan"))],
)
def test_a_minimum_that_no_score_can_reach_is_an_error(score: str, value: float):
    with pytest.raises(ValueError, match="is not between 0 and"):
        minimum(score, value)


def test_a_gate_says_in_words_what_it_asks_for():
    assert minimum("score", 8).describe() == "score is at least 8"
    assert minimum("voice_consistency", 4.5).describe() == "voice_consistency is at least 4.5"
