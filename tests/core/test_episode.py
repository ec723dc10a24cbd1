"""The episode: strict, frozen, and in the order of the contract."""

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import ValidationError

from orch_dagster.core.episode import FLAG_EFFECTS, Episode, Flag, Status
from tests.core.strategies import EPISODES
from tests.fakes.episodes import EXAMPLE, episode

KEYS = list(EXAMPLE)
NO_SCORES = {"voice_consistency": None, "coherence_score": None}

REFUSED: dict[str, list[Any]] = {
    "library": [
        "Article",
        "an article",
        "../article",
        "article\n",
        "",
        "a" * 25,
        "9lives",
        7,
        None,
    ],
    "status": ["done", "COMPLETE", "", True, None],
    "word_count": [True, "2643", 2643.0, -1, 10**9, float("nan"), None],
    "voice_consistency": [True, "4.9", -0.1, 5.01, float("nan"), float("inf"), [4.9]],
    "coherence_score": [False, "5", -1, 6, float("nan"), float("-inf")],
    "meta_generated": [1, 0, "true", "yes"],
    "assembly_ready": [1, "true", "yes", None],
    "flags": [
        "check_failed",
        ["all_is_well"],
        ["check_failed", "check_failed"],
        ["Write: the text of the article"],
        [None],
        None,
    ],
    "token_usage": [True, "18420", 1.5, -1, 10**9],
    "latency_ms": [True, "94300", 0.1, -1, 10**9],
}


def test_the_example_of_the_design_is_its_own_wire_form():
    wire = (
        '{"library":"article","status":"complete","word_count":2643,"voice_consistency":4.9,'
        '"coherence_score":5.0,"meta_generated":true,"assembly_ready":true,"flags":[],'
        '"token_usage":18420,"latency_ms":94300}'
    )
    assert Episode.model_validate_json(wire).wire() == wire


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in REFUSED.items() for value in values]
)
def test_what_is_no_value_of_a_key_is_refused(key: str, value: Any):
    with pytest.raises(ValidationError):
        Episode.model_validate(EXAMPLE | {key: value})


@pytest.mark.parametrize("value", [True, "8", 8.0, 7.5, -1, 11, float("nan")])
def test_a_review_score_is_a_whole_number_from_0_to_10(value: Any):
    with pytest.raises(ValidationError):
        Episode.model_validate(EXAMPLE | NO_SCORES | {"score": value})


@given(text=st.text(min_size=1), key=st.sampled_from([*KEYS, "score"]))
def test_no_text_gets_into_an_episode(text: str, key: str):
    assume(text not in {*Status, *Flag})
    assume(key != "library" or not text.isascii() or not text.replace("_", "").isalnum())
    for value in (text, [text]):
        with pytest.raises(ValidationError):
            Episode.model_validate(EXAMPLE | {key: value})


@given(key=st.text(min_size=1), value=st.text() | st.integers() | st.none())
def test_a_key_that_is_not_in_the_contract_is_refused(key: str, value: Any):
    assume(key not in Episode.model_fields)
    with pytest.raises(ValidationError):
        Episode.model_validate(EXAMPLE | {key: value})


@given(EPISODES)
def test_an_episode_comes_back_from_its_wire_form_with_its_keys_in_order(found: Episode):
    again = Episode.model_validate_json(found.wire())
    assert again == found
    order = [name for name in Episode.model_fields if getattr(found, name) is not None]
    assert list(json.loads(found.wire())) == order
    assert [key for key in order if key != "score"] == [key for key in KEYS if key in order]


@given(EPISODES)
def test_the_decision_view_is_the_wire_form_without_tokens_and_latency(found: Episode):
    whole = json.loads(found.wire())
    del whole["token_usage"], whole["latency_ms"]
    assert json.loads(found.decision_view()) == whole


@given(EPISODES)
def test_keys_that_do_not_apply_are_left_out(found: Episode):
    assert None not in json.loads(found.wire()).values()


def test_an_episode_is_frozen():
    with pytest.raises(ValidationError):
        setattr(episode(), "word_count", 1)  # noqa: B010


@pytest.mark.parametrize("status", [Status.FAILED, Status.REFUSED])
def test_an_episode_that_is_not_complete_carries_no_score_and_is_not_ready(status: Status):
    base = EXAMPLE | {"status": status}
    for changes in (
        {"assembly_ready": False},
        NO_SCORES | {"assembly_ready": True},
        NO_SCORES | {"assembly_ready": False, "score": 8},
    ):
        with pytest.raises(ValidationError, match="carries no score"):
            Episode.model_validate(base | changes)
    found = Episode.model_validate(base | NO_SCORES | {"assembly_ready": False})
    assert found.scores == {}


@pytest.mark.parametrize(
    "changes",
    [{"voice_consistency": None}, {"coherence_score": None}, {"score": 8}],
    ids=["coherence alone", "voice alone", "three scores"],
)
def test_scores_come_as_the_two_of_content_or_the_one_of_a_review(changes: dict[str, Any]):
    with pytest.raises(ValidationError):
        Episode.model_validate(EXAMPLE | changes)


def test_a_score_keeps_two_decimals():
    assert episode(voice_consistency=10 / 3).voice_consistency == 3.33
    assert episode(voice_consistency=4).decision_view().count('"voice_consistency":4.0') == 1


def test_every_flag_says_what_assembly_does_about_it():
    assert set(FLAG_EFFECTS) == set(Flag)
