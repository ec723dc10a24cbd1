"""Transcripts: answers, attempts and costs that add up."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.core.episode import Status
from orch_dagster.model import Usage
from orch_dagster.shelf import transcript_bytes
from orch_dagster.transcript import Answer, Spent, Transcript

TOKENS = st.none() | st.integers(0, 10**6)
USAGES = st.builds(
    Usage,
    prompt_tokens=TOKENS,
    cached_tokens=TOKENS,
    completion_tokens=TOKENS,
    reasoning_tokens=TOKENS,
)
QUARTERS = st.integers(0, 400).map(lambda quarters: quarters / 4)
SPENDINGS = st.builds(
    Spent,
    usage=USAGES,
    cost_usd=st.none() | QUARTERS,
    latency_ms=st.integers(0, 10**6),
    calls=st.integers(0, 9),
    tries=st.integers(0, 9),
    waited_ms=st.integers(0, 10**6),
)


def answer(prompt: str, **changes: Any) -> Answer:
    fields = {
        "prompt": prompt,
        "fingerprint": "f",
        "text": "Snow.",
        "fault": None,
        "repaired": False,
        "model": "scripted-1",
        "spent": Spent(),
    }
    return Answer(**(fields | changes))


def transcript() -> Transcript:
    return Transcript(article="winter-service", library="notes", made_from={"brief": "b"})


@given(SPENDINGS, SPENDINGS, SPENDINGS)
def test_spending_adds_up_in_any_order(a: Spent, b: Spent, c: Spent):
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


@given(SPENDINGS)
def test_nothing_spent_changes_nothing_that_is_known(found: Spent):
    total = Spent() + found
    assert total.usage.total == found.usage.total
    assert (total.cost_usd, total.calls) == (found.cost_usd, found.calls)


@given(SPENDINGS)
def test_one_unknown_price_makes_the_sum_unknown(found: Spent):
    assert (found + Spent(cost_usd=None)).cost_usd is None


def test_unknown_tokens_stay_unknown_only_when_no_call_told_them():
    assert (Usage() + Usage()).prompt_tokens is None
    assert (Usage() + Usage(prompt_tokens=4)).prompt_tokens == 4


def test_a_later_answer_takes_the_place_of_an_earlier_one():
    found = transcript().with_answer(answer("lede"), spent=Spent(calls=1))
    found = found.with_answer(answer("lede", text="Rain."), spent=Spent(calls=1))
    assert [a.text for a in found.answers] == ["Rain."]
    assert (found.attempt("lede"), found.attempt("body"), found.spent.calls) == (3, 1, 2)


def test_a_transcript_comes_back_from_the_store():
    found = transcript().with_answer(answer("lede", text="Сніг"), spent=Spent(cost_usd=None))
    found = found.ended(Status.FAILED, "the server is gone")
    assert Transcript.model_validate_json(transcript_bytes(found)) == found


def test_a_fingerprint_is_of_texts_input_and_outcome_and_of_no_cost():
    found = transcript().with_answer(answer("lede"), spent=Spent())
    dearer = transcript().with_answer(answer("lede", model="other"), spent=Spent(calls=9))
    assert found.fingerprint() == dearer.fingerprint()
    others = [
        transcript().with_answer(answer("lede", text="Rain."), spent=Spent()),
        found.ended(Status.COMPLETE, None),
        found.model_copy(update={"made_from": {"brief": "c"}}),
    ]
    assert len({other.fingerprint() for other in [found, *others]}) == 4
