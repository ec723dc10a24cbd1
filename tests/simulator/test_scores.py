"""Scores: about a third of the first ones are weak, and passes heal them."""

import pytest

from tests.simulator.briefs import block
from tests.simulator.chats import filled

_SCHEMA = {
    "type": "object",
    "properties": {
        "voice_consistency": {"type": "number", "minimum": 0, "maximum": 5},
        "coherence_score": {"type": "number"},
        "score": {"type": "integer", "minimum": 0, "maximum": 10},
    },
}


def _scores(number: int, attempt: int = 1, *, seed: int = 0) -> dict[str, float]:
    trace = f"content/a{number}/article/11_quality#{attempt}"
    return filled(_SCHEMA, block(), trace=trace, seed=seed)


def test_about_one_article_in_three_is_weak_at_first() -> None:
    firsts = [_scores(number) for number in range(300)]
    weak = [scores for scores in firsts if scores["voice_consistency"] < 4]
    assert 75 <= len(weak) <= 125
    assert all(3.2 <= s["voice_consistency"] <= 3.9 and 6 <= s["score"] <= 7 for s in weak)
    assert all(s["coherence_score"] < 4 for s in weak)
    strong = [scores for scores in firsts if scores not in weak]
    assert all(4.1 <= s["voice_consistency"] <= 5 and 8 <= s["score"] <= 10 for s in strong)


def test_two_scores_of_one_answer_differ_a_bit() -> None:
    firsts = [_scores(number) for number in range(60)]
    apart = [abs(s["voice_consistency"] - s["coherence_score"]) for s in firsts]
    assert max(apart) < 0.45
    assert sum(gap > 0 for gap in apart) > 30


def test_a_further_attempt_adds_six_tenths_of_five_up_to_the_maximum() -> None:
    for number in range(40):
        first, second, third = (_scores(number, attempt) for attempt in (1, 2, 3))
        for name in ("voice_consistency", "coherence_score"):
            assert second[name] == pytest.approx(min(5.0, first[name] + 0.6))
            assert third[name] >= 4.4 or third[name] == pytest.approx(first[name] + 1.2)
        assert first["score"] <= second["score"] <= third["score"] <= 10


def test_scores_depend_on_the_task_and_the_seed_but_not_on_the_wording() -> None:
    trace = "content/a/article/11_quality#1"
    one = filled(_SCHEMA, block(), trace=trace)
    assert one == filled(_SCHEMA, f"{block()}Other words.", trace=trace)
    assert len({_scores(3, seed=seed)["voice_consistency"] for seed in range(20)}) > 5


def test_without_a_trace_the_messages_decide() -> None:
    values = {filled(_SCHEMA, f"{block()}{n}")["voice_consistency"] for n in range(30)}
    assert len(values) > 5
