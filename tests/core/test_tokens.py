"""What an episode costs in the orchestrator's context, counted with a real tokenizer."""

from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.core.episode import Episode, Flag
from tests.core.strategies import episodes
from tests.fakes.episodes import episode
from tests.fakes.pipelines import translation
from tests.tokens import tokens

WITHOUT_FLAGS, WITH_ALL = 48, 64

LIBRARIES = sorted(
    entry.name
    for entry in files("assets.content").iterdir()
    if entry.is_dir() and entry.joinpath("system.md").is_file()
)
NAMES = [
    *LIBRARIES,
    *(step.name for step in (*translation().steps, translation().finish)),
    "content_ops",
]
"""The libraries' names as they lie in the package, the steps' of the translation, the longest."""


def test_the_example_is_57_tokens_whole_and_44_in_decision_view():
    assert tokens(episode().wire()) == 57
    assert tokens(episode().decision_view()) == 44


def test_the_example_with_two_flags_is_53_tokens_in_decision_view():
    flags = ["use_variant_b", "footnote_requires_review"]
    assert tokens(episode(flags=flags).decision_view()) == 53


@given(episodes(st.sampled_from(NAMES)))
def test_a_decision_view_keeps_within_its_budget(found: Episode):
    cost = tokens(found.decision_view())
    assert cost <= WITH_ALL
    assert found.flags or cost <= WITHOUT_FLAGS


@pytest.mark.parametrize("name", NAMES)
def test_the_largest_episode_of_a_library_keeps_within_the_budget(name: str):
    figures = {"word_count": 999_999_999, "voice_consistency": 3.33, "coherence_score": 4.44}
    largest = episode(library=name, **figures)
    assert tokens(largest.decision_view()) <= WITHOUT_FLAGS
    flagged = episode(library=name, flags=list(Flag), **figures)
    assert tokens(flagged.decision_view()) <= WITH_ALL
