"""How answers become a nurture sequence: composed, revised, checked."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.content.crm.models import (
    NurtureSequence,
    Plan,
    Variant,
    accept,
    check,
    compose,
    revise,
    show,
)
from tests.crm.answers import answers, body, brief, revision, step_revision

SEQUENCE = compose(brief(), answers())


def faults(step: int, **changes: Any) -> list[str]:
    steps = tuple(
        item.model_copy(update=changes) if item.step == step else item for item in SEQUENCE.steps
    )
    return check(brief(), answers(), SEQUENCE.model_copy(update={"steps": steps}))


def plan(*waits: int) -> Plan:
    steps = tuple(
        step.model_copy(update={"wait_days": wait})
        for step, wait in zip(answers()["plan"].steps, waits, strict=True)
    )
    return Plan(steps=steps)


def test_a_composed_sequence_is_sound():
    assert check(brief(), answers(), SEQUENCE) == []
    assert [step.delay_days for step in SEQUENCE.steps] == [0, 2, 7, 14, 24]
    assert SEQUENCE.forbidden == ("Never telephone a keeper.",)


def test_a_sequence_survives_its_own_json():
    assert NurtureSequence.model_validate_json(SEQUENCE.model_dump_json()) == SEQUENCE


def test_parts_find_their_step_by_number():
    bodies = answers()["bodies"]
    turned = bodies.model_copy(update={"bodies": bodies.bodies[::-1]})
    assert compose(brief(), answers(bodies=turned)) == SEQUENCE


def test_five_steps_are_due():
    short = SEQUENCE.model_copy(update={"steps": SEQUENCE.steps[:4]})
    assert check(brief(), answers(), short) == ["the sequence has steps [1, 2, 3, 4], not 1 to 5"]


def test_delays_rise():
    assert faults(3, delay_days=2) == ["step 3 goes out on day 2, not after step 2 on day 2"]


@given(st.integers(0, 30), st.lists(st.integers(1, 30), min_size=4, max_size=4))
def test_from_any_accepted_plan_the_delays_rise(first: int, waits: list[int]):
    planned = plan(first, *waits)
    assert accept("plan", planned, answers()) == []
    steps = compose(brief(), answers(plan=planned)).steps
    assert all(a.delay_days < b.delay_days for a, b in pairwise(steps))


def test_only_the_first_step_may_go_out_at_once():
    assert accept("plan", plan(0, 0, 1, 1, 1), answers()) == [
        "step 2 waits 0 days, so it would go out together with the one before"
    ]


def test_subjects_and_bodies_differ():
    assert "two default subjects are the same: 'the frame in october'" in faults(
        1, subject="The frame in October!"
    )
    assert any("two bodies are the same" in text for text in faults(1, body=body("frame")))


def test_the_subjects_of_one_audience_differ():
    variants = SEQUENCE.steps[0].variants
    same = variants.primary.model_copy(update={"subject": "Your frame"})
    found = faults(1, variants=variants.model_copy(update={"primary": same}))
    assert found == ["two primary subjects are the same: 'your frame'"]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"subject": "a" * 61}, "step 2: the subject has 61 characters, at most 60 are allowed"),
        ({"subject": "One\nTwo"}, "step 2: the subject must stand on one line"),
        ({"subject": "Hi [First name]"}, "step 2: the subject holds '[First name]'"),
        ({"subject": " "}, "step 2: the subject is empty"),
        ({"preview": "a" * 111}, "step 2: the preview has 111 characters, at most 110"),
        ({"preview": "See www.a.example for more"}, "step 2: the preview holds 'www.'"),
    ],
)
def test_subject_and_preview_are_short_single_lines(changes: dict[str, Any], fault: str):
    assert any(fault in found for found in faults(2, **changes))


@pytest.mark.parametrize(
    ("preview", "repeats"),
    [
        ("The frame in October", True),
        ("the frame in october - and more besides", True),
        ("October is when the frame tells", False),
    ],
)
def test_a_preview_goes_on_where_the_subject_stops(preview: str, repeats: bool):
    fault = "step 2: the preview repeats the subject 'The frame in October'"
    assert (fault in faults(2, preview=preview)) == repeats
    lines = answers()["subjects"]
    changed = tuple(
        line.model_copy(update={"preview": preview}) if line.step == 2 else line
        for line in lines.lines
    )
    refused = accept("subjects", lines.model_copy(update={"lines": changed}), answers())
    assert refused == ([fault] if repeats else [])


def test_a_preview_does_not_repeat_an_audience_s_subject_either():
    segments = answers()["segments"]
    changed = segments.variants[0].model_copy(update={"primary_subject": "What 1 of us saw"})
    found = accept(
        "segments",
        segments.model_copy(update={"variants": (changed, *segments.variants[1:])}),
        answers(),
    )
    assert found == ["step 1: the preview repeats the subject 'What 1 of us saw'"]


@pytest.mark.parametrize(
    ("addition", "fault"),
    [
        ("\n\n[Read on](https://a.example)", "holds a link"),
        ("\n\n<https://a.example>", "holds a link"),
        ("\n\nhttps://a.example/more", "holds the address 'https://'"),
        ("\n\nWrite to us@a.example", "holds the address 'us@a.example'"),
        ("\n\n![A hive](hive.png)", "holds an image"),
        ("\n\n## More", "holds a heading"),
        ("\n\n<b>More</b>", "holds HTML"),
        ("\n\nDear {{ name }}", "holds the placeholder '{{'"),
        ("\n\n" + "a" * 1_400, "at most 1400 are allowed"),
    ],
)
def test_a_body_holds_no_second_way_on(addition: str, fault: str):
    found = faults(4, body=body("smoker") + addition)
    assert any(text.startswith("step 4: the body") and fault in text for text in found), found


def test_a_body_may_hold_a_list_and_emphasis():
    assert faults(4, body=body("smoker") + "\n\n- the *first*\n- the **second**") == []


def test_a_button_has_words_and_few():
    action = SEQUENCE.steps[0].call_to_action
    found = faults(1, call_to_action=action.model_copy(update={"label": "a" * 31}))
    assert found == ["step 1: the button has 31 characters, at most 30 are allowed"]


def test_both_audiences_have_a_door_of_their_own():
    variants = SEQUENCE.steps[0].variants
    found = faults(1, variants=variants.model_copy(update={"secondary": variants.primary}))
    assert found == [
        "step 1: both audiences get the same subject",
        "step 1: both audiences get the same opening",
    ]


@pytest.mark.parametrize(
    ("prompt", "field"), [("subjects", "lines"), ("bodies", "bodies"), ("segments", "variants")]
)
def test_an_answer_that_misses_a_step_is_refused(prompt: str, field: str):
    answer = answers()[prompt]
    items = getattr(answer, field)
    doubled = (items[0], items[0], *items[2:])
    found = accept(prompt, answer.model_copy(update={field: doubled}), answers())
    assert found == ["step 1 stands twice", "step 2 is missing"]


def test_a_pass_replaces_what_it_names_and_nothing_else():
    door = Variant(subject="At your stand", opening="You stood there and heard nothing at all.")
    revised = revise(
        SEQUENCE,
        revision(
            step_revision(2, subject="Frames, counted", button_label="Count them"),
            step_revision(5, body=body("queen"), secondary=door),
        ),
    )
    second, fifth = revised.steps[1], revised.steps[4]
    assert (second.subject, second.call_to_action.label) == ("Frames, counted", "Count them")
    assert second.call_to_action.target == SEQUENCE.steps[1].call_to_action.target
    assert second.body == SEQUENCE.steps[1].body
    assert fifth.variants.secondary == door
    assert fifth.variants.primary == SEQUENCE.steps[4].variants.primary
    assert revised.steps[2:4] == SEQUENCE.steps[2:4]
    assert check(brief(), answers(), revised) == []


def test_a_pass_without_repairs_changes_nothing():
    assert revise(SEQUENCE, revision()) == SEQUENCE


def test_a_pass_that_repairs_a_step_twice_is_refused():
    known = {**answers(), "candidate": SEQUENCE}
    twice = revision(step_revision(3), step_revision(3))
    assert accept("quality_pass", twice, known) == ["step 3 is repaired twice"]
    assert accept("quality_pass", revision(step_revision(3)), known) == []


def test_the_pass_sees_every_step_with_its_day():
    text = show(SEQUENCE)
    assert "[step 5] day 24, to not_converted" in text
    assert "Button: See the lid (read_article)" in text
