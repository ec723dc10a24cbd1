"""JSON answers: valid for any schema, and shaped by names as a content team expects."""

import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker

from resources.simulator.answers import answer
from resources.simulator.place import Unanswerable
from tests.simulator.briefs import block
from tests.simulator.chats import chat, filled
from tests.simulator.schemas import SCHEMAS


@given(SCHEMAS, st.sampled_from([block(), "Say something.", ""]), st.integers(0, 3))
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_answer_is_valid_for_its_schema(schema: dict[str, Any], prompt: str, seed: int) -> None:
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema, format_checker=FormatChecker())
    value = filled(schema, prompt, seed=seed)
    assert [error.message for error in validator.iter_errors(value)] == []
    assert value == filled(schema, prompt, seed=seed)


@pytest.mark.parametrize(
    "items",
    [
        {"type": "string"},
        {"type": "string", "maxLength": 3},
        {"enum": ["a", "b", "c", "d", "e"]},
        {"type": "integer", "minimum": 1, "maximum": 5},
        {"type": "number", "minimum": 0, "maximum": 1},
        {"type": "object", "properties": {"n": {"type": "integer"}, "t": {"type": "string"}}},
        {"type": "string", "pattern": "^[a-z]{2}$"},
    ],
)
def test_unique_items_are_unique(items: dict[str, Any]) -> None:
    schema = {"type": "array", "items": items, "minItems": 5, "maxItems": 5, "uniqueItems": True}
    values = [json.dumps(value) for value in filled(schema, block())]
    assert len(set(values)) == len(values) == 5


def test_names_choose_the_shape_of_a_string() -> None:
    names = ("headline", "section_title", "role", "body", "keywords", "slug", "url", "remark")
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    value = filled(schema, block())
    for name in ("headline", "section_title", "role", "keywords"):
        assert 2 <= len(value[name].split()) <= 6
        assert value[name][-1] not in ".,;:!?"
    assert 1 <= len(re.findall(r"[.!?](?:\s|$)", value["body"])) <= 4
    assert value["remark"].endswith(".")
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", value["slug"])
    assert value["url"].startswith("https://example.com/")


def test_a_description_may_ask_for_words() -> None:
    text = {"type": "string", "description": "The hook, 20-30 words."}
    heading = {"type": "string", "description": "Exactly 4 words"}
    value = filled({"type": "object", "properties": {"hook": text, "heading": heading}}, block())
    assert 20 <= len(value["hook"].split()) <= 30
    assert len(value["heading"].split()) == 4


def test_integers_of_array_items_rise_and_enums_take_turns() -> None:
    item = {
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "delay_days": {"type": "integer", "minimum": 0, "maximum": 9},
            "platform": {"enum": ["x", "linkedin", "mastodon", "facebook", "threads"]},
            "day": {"type": "string", "format": "date"},
            "depends_on": {"type": "array", "items": {"type": "integer"}},
        },
    }
    value = filled({"type": "array", "items": item, "minItems": 5}, block())
    assert [step["id"] for step in value] == [1, 2, 3, 4, 5]
    assert [step["delay_days"] for step in value] == [0, 2, 4, 6, 8]
    assert len({step["platform"] for step in value}) == 5
    assert [step["day"] for step in value] == sorted({step["day"] for step in value})
    assert all(step["depends_on"] == [] for step in value)


def test_examples_are_picked_in_turn_inside_arrays() -> None:
    item = {
        "type": "object",
        "properties": {"role": {"type": "string", "examples": ["a", "b", "c"]}},
    }
    value = filled({"type": "array", "items": item, "minItems": 3}, block())
    assert [step["role"] for step in value] == ["a", "b", "c"]


def test_flags_are_empty_and_only_needs_and_requires_are_false() -> None:
    names = ("assembly_ready", "needs_review", "requires_footnote")
    properties: dict[str, Any] = {name: {"type": "boolean"} for name in names}
    properties["flags"] = {"type": "array", "items": {"enum": ["use_variant_b"]}}
    assert filled({"type": "object", "properties": properties}, block()) == {
        "assembly_ready": True,
        "needs_review": False,
        "requires_footnote": False,
        "flags": [],
    }


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"$ref": "#/$defs/gone"}, "'#/$defs/gone'"),
        ({"type": "string", "minLength": 5, "maxLength": 2}, "longer than it may be"),
        ({"type": "string", "pattern": "^a$", "minLength": 4}, "pattern"),
        ({"type": "integer", "minimum": 3, "maximum": 2}, "bounds"),
        ({"type": "shape"}, "'shape'"),
        ({"type": "object", "properties": {"a": False}, "required": ["a"]}, "no value at $.a"),
        ({"$ref": "#"}, "without end"),
    ],
)
def test_an_impossible_schema_is_refused_in_words(schema: dict[str, Any], said: str) -> None:
    with pytest.raises(Unanswerable, match=re.escape(said)):
        filled(schema, block())


def test_json_mode_gives_an_answer_or_fills_the_schema_of_the_prompt() -> None:
    form = {"type": "json_object"}
    plain = json.loads(answer(chat(block() + "50 words", response_format=form), seed=0))
    assert plain.keys() == {"answer"}
    fenced = '```json\n{"type": "object", "properties": {"title": {"type": "string"}}}\n```'
    asked = chat(f"{block()}Answer as JSON by this schema:\n{fenced}", response_format=form)
    assert json.loads(answer(asked, seed=0)).keys() == {"title"}


def test_a_larger_token_cap_and_another_model_leave_the_answer_as_it_is() -> None:
    first, second = (chat(block(), max_tokens=cap, model=f"m{cap}") for cap in (10, 9000))
    assert answer(first, seed=0) == answer(second, seed=0)
