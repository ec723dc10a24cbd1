"""Structured answers: the accepted wrappings give the instance back, and nothing else is taken."""

import json
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from orch_dagster.structured import parse_structured


class Scored(BaseModel):
    """What a quality pass gives."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: Annotated[float, Field(ge=0, le=5)]
    passes: Annotated[int, Field(ge=0, le=3)]
    notes: str
    tags: tuple[str, ...]


GOOD = Scored(score=4.5, passes=1, notes="Fine.", tags=("a",))

FEW = settings(deadline=None, max_examples=30)
MANY = settings(deadline=None, max_examples=200)

MARKS = ("```", "~~~", "<think>", "</think>", "{", "}", '"', "\\", "\n", "json", " ", "\ufeff")
TEXTS = st.text(max_size=20) | st.lists(st.sampled_from(MARKS), max_size=8).map("".join)
INSTANCES = st.builds(
    Scored,
    score=st.floats(0, 5),
    passes=st.integers(0, 3),
    notes=TEXTS,
    tags=st.lists(TEXTS, max_size=3).map(tuple),
)
PLAIN = ("{0}", " \n{0}\n", "\ufeff{0}")
FENCED = (
    "```json\n{0}\n```", "```\n{0}\n```", "~~~JSON\n{0}\n~~~", "```json {0} ```", "````json\n{0}\n````",
    "Sure! Here it is:\n\n```json\n{0}\n```\nI hope it helps.", "Here:\r\n```json\r\n{0}\r\n```\r\n",
    "It says {{name}}:\n```json\n{0}\n```", "  ```json\n  {0}\n  ```", "```json\n{0}",
)  # fmt: skip
THINKING = (
    "<think>\nHow about {{\"score\": 1}}?\n```json\n{{}}\n```\n</think>\n{0}", "<think></think>{0}",
    "A score of 4, I think.\n</think>\n\n{0}", "A score of 4.</think>\n{0}",
    "<reasoning>Hm.</reasoning>\n{0}", "[THINK]Hm.[/THINK]{0}", "\n<think>Hm.</think>\n\ufeff{0}",
    "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>{0}",
)  # fmt: skip


def dumped(instance: Scored, *, indent: int | None) -> str:
    return json.dumps(instance.model_dump(mode="json"), indent=indent, ensure_ascii=False)


@pytest.mark.parametrize("wrapping", [*PLAIN, *FENCED, *THINKING])
@FEW
@given(instance=INSTANCES, indent=st.sampled_from((None, 2)))
def test_an_accepted_wrapping_gives_the_instance_back(
    wrapping: str, instance: Scored, indent: int | None
) -> None:
    assert parse_structured(Scored, wrapping.format(dumped(instance, indent=indent))) == instance


@pytest.mark.parametrize("fence", FENCED)
@FEW
@given(instance=INSTANCES)
def test_a_fence_may_follow_a_thinking_block(fence: str, instance: Scored) -> None:
    text = "<think>Hm.</think>\n" + fence.format(dumped(instance, indent=None))
    assert parse_structured(Scored, text) == instance


@pytest.mark.parametrize(
    "spoiling",
    [
        "{0}{0}", "{0}\n{0}", "[{0}]", "{0} Done.", "Here it is: {0}", "{0},", "({0})",
        "```json\n{0}\n```\n```json\n{0}\n```", "{0}\n```json\n{0}\n```", "```json\n{0}\n```\n{0}",
        "```python\nprint(1)\n```\n```json\n{0}\n```", "<think>{0}", "<think>\n```json\n{0}\n```",
        "{0}</think>", "// no comment\n{0}", "{0} /* none */", "{{\"answer\": {0}}}",
    ],
)  # fmt: skip
@FEW
@given(instance=INSTANCES)
def test_a_wrapping_of_another_kind_is_not_taken(spoiling: str, instance: Scored) -> None:
    with pytest.raises(ValueError):
        parse_structured(Scored, spoiling.format(dumped(instance, indent=None)))


@MANY
@given(instance=INSTANCES)
def test_json_in_a_json_string_is_a_string(instance: Scored) -> None:
    with pytest.raises(ValueError):
        parse_structured(Scored, json.dumps(dumped(instance, indent=None)))


@MANY
@given(instance=INSTANCES, data=st.data())
def test_what_is_damaged_is_refused_or_says_what_it_says(instance: Scored, data: Any) -> None:
    text = dumped(instance, indent=None)
    at = data.draw(st.integers(0, len(text)))
    put = data.draw(
        st.sampled_from(("", "}", "{", '"', "'", ",", "0", "-", "e9", "NaN", "//", "\\"))
    )
    cut = data.draw(st.integers(0, 2))
    damaged = text[:at] + put + text[at + cut :]
    try:
        taken = parse_structured(Scored, damaged)
    except ValueError:
        return
    plain = damaged.strip().removeprefix("\ufeff")
    assert taken == Scored.model_validate_json(plain, strict=True)
    assert json.dumps(json.loads(plain))  # it is JSON, not something like it


@MANY
@given(text=st.text(alphabet=st.sampled_from('{}[]":,`~\n 01ae<>/think'), max_size=60))
def test_a_text_that_is_no_instance_gives_none(text: str) -> None:
    with pytest.raises(ValueError):
        parse_structured(Scored, text)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("score", '"4.5"'), ("score", "true"), ("score", "5.01"), ("score", "-0.1"), ("score", "NaN"),
        ("score", "Infinity"), ("score", "-Infinity"), ("score", "1e999"), ("score", "null"),
        ("score", "[4.5]"), ("score", "4,5"), ("passes", "1.0"), ("passes", "4"), ("passes", '"1"'),
        ("passes", "9" * 5000), ("notes", "5"), ("notes", "null"), ("tags", '"a"'), ("extra", "1"),
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_refused_and_never_made_to_fit(field: str, value: str) -> None:
    fields = {key: json.dumps(part) for key, part in GOOD.model_dump(mode="json").items()}
    text = ", ".join(f'"{key}": {part}' for key, part in (fields | {field: value}).items())
    with pytest.raises(ValueError):
        parse_structured(Scored, f"{{{text}}}")


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "null", "4.5", "{}", "{'score': 4.5}", '{"score": 4.5,}', "{score: 4.5}", "```", "{",
        '{"score": 4, "score": 4, "passes": 1, "notes": "", "tags": []}', "[" * 100_000,
        '{"a":' * 100_000, '{"score": 4, "passes": 1, "notes": "a\nb", "tags": []}',
    ],
)  # fmt: skip
def test_what_is_no_json_object_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_structured(Scored, text)
    assert "\n" not in str(caught.value)
    assert not isinstance(caught.value, ValidationError | UnicodeError)


def test_the_fault_names_the_field() -> None:
    text = dumped(GOOD, indent=None).replace("4.5", "7.5")
    with pytest.raises(ValueError, match=r"^score: .* less than or equal to 5"):
        parse_structured(Scored, text)


def test_a_key_that_stands_twice_is_named_also_inside() -> None:
    with pytest.raises(ValueError, match=r"the key 'a' stands twice"):
        parse_structured(Scored, '{"score": {"a": 1, "a": 2}}')
