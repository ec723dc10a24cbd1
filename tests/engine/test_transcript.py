"""Transcripts: answers, attempts and costs that add up."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.core.episode import Status
from orch_dagster.core.spending import Spending, Spent
from orch_dagster.shelf import transcript_bytes
from orch_dagster.transcript import Answer, Transcript
from tests.core.spendings import PROMPTS, SPENT


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


def test_a_later_answer_takes_the_place_of_an_earlier_one():
    found = transcript().with_answer(answer("lede", spent=Spent(calls=1)))
    found = found.with_answer(answer("lede", text="Rain.", spent=Spent(calls=1)))
    assert [a.text for a in found.answers] == ["Rain."]
    assert (found.attempt("lede"), found.attempt("body"), found.spent.calls) == (3, 1, 2)


def test_a_transcript_comes_back_from_the_store():
    found = transcript().with_answer(answer("lede", text="Сніг", spent=Spent(cost_usd=None)))
    found = found.ended(Status.FAILED, "the server is gone")
    assert Transcript.model_validate_json(transcript_bytes(found)) == found


def test_a_fingerprint_is_of_texts_input_and_outcome_and_of_no_cost():
    found = transcript().with_answer(answer("lede"))
    dearer = transcript().with_answer(answer("lede", model="other", spent=Spent(calls=9)))
    assert found.fingerprint() == dearer.fingerprint()
    others = [
        transcript().with_answer(answer("lede", text="Rain.")),
        found.ended(Status.COMPLETE, None),
        found.model_copy(update={"made_from": {"brief": "c"}}),
    ]
    assert len({other.fingerprint() for other in [found, *others]}) == 4


STEPS = st.lists(
    st.tuples(st.sampled_from(["answer", "repair", "loss", "scoring", "input"]), PROMPTS, SPENT)
)


def stepped(found: Transcript, kind: str, prompt: str, spent: Spent) -> Transcript:
    match kind:
        case "answer":
            return found.with_answer(answer(prompt, spent=spent))
        case "repair":
            faulty = answer(prompt, spent=spent, fault="too short")
            mended = answer(prompt, spent=spent + spent, repaired=True)
            return found.with_answer(faulty).with_answer(mended)
        case "loss":
            return found.with_loss(spent)
        case "scoring":
            return found.for_next_scoring()
        case _:
            return found.for_other_input()


def paid(kind: str, spent: Spent) -> Spent:
    match kind:
        case "scoring" | "input":
            return Spent()
        case "repair":
            return spent + spent
        case _:
            return spent


@given(STEPS)
def test_whatever_happens_every_dollar_stands_in_one_place(steps: list[tuple[str, str, Spent]]):
    found, whole, current = transcript(), Spent(), Spent()
    for kind, prompt, spent in steps:
        found = stepped(found, kind, prompt, spent)
        whole += paid(kind, spent)
        current = Spent() if kind == "input" else current + paid(kind, spent)
        assert found.spending.total == whole
        assert found.spent == current
    parts = (*found.spending.prompts.values(), found.spending.in_vain, found.spending.earlier)
    assert sum(parts, Spent()) == whole
    assert Transcript.model_validate_json(transcript_bytes(found)).spending == found.spending


def test_an_answer_that_was_replaced_was_in_vain_and_a_repaired_one_was_not():
    dollar = Spent(cost_usd=1.0, calls=1)
    replaced = transcript().with_answer(answer("lede", spent=dollar))
    replaced = replaced.with_answer(answer("lede", fingerprint="g", spent=dollar))
    assert replaced.spending == Spending(prompts={"lede": dollar}, in_vain=dollar)
    mended = stepped(transcript(), "repair", "lede", dollar)
    assert mended.spending == Spending(prompts={"lede": dollar + dollar})


def test_an_answer_that_cannot_be_used_was_in_vain():
    dollar = Spent(cost_usd=1.0, calls=1)
    spoilt = answer("lede", spent=dollar, fault="too short", repaired=True)
    assert transcript().with_answer(spoilt).spending == Spending(in_vain=dollar)


def test_the_answers_of_an_earlier_scoring_were_used():
    dollar = Spent(cost_usd=1.0, calls=1)
    found = transcript().with_answer(answer("quality_pass", spent=dollar)).for_next_scoring()
    found = found.with_answer(answer("quality_pass", fingerprint="g", spent=dollar))
    assert found.spending == Spending(prompts={"quality_pass": dollar + dollar})


def test_pieces_are_booked_on_their_prompt():
    dollar = Spent(cost_usd=1.0, calls=1)
    found = transcript()
    for number in (1, 2):
        found = found.with_answer(answer(f"piece_{number:02}", spent=dollar, part_of="piece"))
    assert found.spending == Spending(prompts={"piece": dollar + dollar})
