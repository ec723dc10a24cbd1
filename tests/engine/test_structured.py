"""Structured answers: nothing is coerced, and each fault is said in words."""

import json
from enum import StrEnum
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from orch_dagster.structured import parse_structured


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=2)]


class Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    count: int
    share: float
    sure: bool
    colour: Colour
    kind: Literal["a", "b"]
    parts: tuple[Part, ...]


GOOD = {
    "text": "Snow",
    "count": 3,
    "share": 0.5,
    "sure": True,
    "colour": "red",
    "kind": "a",
    "parts": [{"name": "salt"}],
}


def parse(value: object) -> BaseModel:
    return parse_structured(Answer, value if isinstance(value, str) else json.dumps(value))


def fault(value: object) -> str:
    with pytest.raises(ValueError, match=r".") as caught:
        parse(value)
    return str(caught.value)


def test_a_good_answer_is_an_instance_of_its_model():
    found = parse(GOOD)
    assert isinstance(found, Answer)
    assert (found.colour, found.parts) == (Colour.RED, (Part(name="salt"),))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", 7), ("text", None), ("text", ["Snow"]),
        ("count", "3"), ("count", 3.0), ("count", 3.5), ("count", True), ("count", None),
        ("share", "0.5"), ("share", True),
        ("sure", "true"), ("sure", 1), ("sure", 0),
        ("colour", "green"), ("colour", 1),
        ("kind", "c"),
        ("parts", {"name": "salt"}), ("parts", "salt"), ("parts", [{"name": "s"}]), ("parts", ["salt"]),
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_a_fault_that_names_the_field(field: str, value: object):
    assert fault(GOOD | {field: value}).startswith(field)


def test_a_whole_number_is_a_share_too():
    assert parse(GOOD | {"share": 1}).model_dump()["share"] == 1.0


def test_a_missing_and_an_unknown_field_are_both_told():
    told = fault({key: value for key, value in GOOD.items() if key != "kind"} | {"mood": "calm"})
    assert "kind: Field required" in told
    assert "mood: Extra inputs are not permitted" in told


def test_a_fault_deep_inside_is_told_with_its_place():
    assert fault(GOOD | {"parts": [{"name": "salt"}, {"name": "s"}]}).startswith("parts.1.name: ")


def test_at_most_eight_faults_are_told():
    assert fault(GOOD | {"parts": [{}] * 30}).count("Field required") == 8


WHOLE = json.dumps(GOOD)


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "null", "1", '"text"', "[]", f"[{WHOLE}]", "Here you are", WHOLE[:-1],
        f"{WHOLE} {WHOLE}", WHOLE.replace('"', "'"), WHOLE.replace("true", "True"),
        WHOLE + ",", "{}",
    ],
)  # fmt: skip
def test_what_is_not_the_one_object_is_a_fault_in_words(text: str):
    assert fault(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (WHOLE.replace("0.5", "NaN"), "NaN is no JSON number"),
        (WHOLE.replace("0.5", "Infinity"), "Infinity is no JSON number"),
        (WHOLE.replace("0.5", "1e999"), "the number 1e999 is too large"),
        (WHOLE.replace('{"text"', '{"count": 1, "text"'), "the key 'count' stands twice"),
        (WHOLE.replace('{"name"', '{"name": "x", "name"'), "the key 'name' stands twice"),
    ],
)
def test_what_json_does_not_hold_for_certain_is_a_fault(text: str, said: str):
    assert said in fault(text)


def test_nesting_without_end_is_a_fault_and_no_crash():
    assert fault('{"text": ' + "[" * 200_000)


def test_a_number_of_many_digits_is_a_fault_and_no_crash():
    assert fault(WHOLE.replace("3", "3" * 5_000))


def test_half_a_surrogate_pair_is_a_fault_and_no_crash():
    assert fault(WHOLE.replace("Snow", "\\ud83d"))
    assert fault(WHOLE.replace("Snow", "\ud83d"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.one_of(st.text(), JSON.map(json.dumps), st.text(alphabet='{}[]":,0truefalsn \\')))
def test_any_text_is_an_answer_or_a_fault_in_words(text: str):
    try:
        found = parse(text)
    except ValueError as error:
        assert str(error)
    else:
        assert isinstance(found, Answer)


@given(st.builds(Answer, parts=st.lists(st.builds(Part, name=st.text(min_size=2))).map(tuple)))
def test_an_answer_comes_back_from_its_json(answer: Answer):
    if answer.share == answer.share and abs(answer.share) != float("inf"):
        assert parse(answer.model_dump_json()) == answer
