"""What a pipeline may declare, and what lies below a step."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.core.gate import minimum
from orch_dagster.core.pipeline import INPUT, Pipeline, Step
from tests.core.strategies import PIPELINES
from tests.fakes.pipelines import content, plain_step, translation

GATES = (minimum("score", 8),)


def pipeline(*steps: Step, finish: Step | None = None) -> Pipeline:
    return Pipeline("letters", "sent", steps, finish or plain_step("send", steps[0].name))


def test_a_step_that_stands_twice_is_an_error():
    with pytest.raises(ValueError, match="pipeline 'letters': step 'write' stands twice"):
        pipeline(plain_step("write", INPUT), plain_step("write", INPUT))


@pytest.mark.parametrize("name", [INPUT, "send"])
def test_no_step_has_the_name_of_the_input_or_of_the_end(name: str):
    with pytest.raises(ValueError, match=f"step {name!r} stands twice"):
        pipeline(plain_step("write", INPUT), plain_step(name, INPUT))


@pytest.mark.parametrize("need", ["later", "write", "nowhere", ""])
def test_a_step_needs_only_what_an_earlier_step_makes(need: str):
    with pytest.raises(ValueError, match=f"step 'write' needs {need!r}, which no earlier step"):
        pipeline(plain_step("write", need), plain_step("later", INPUT))


def test_the_end_needs_only_steps_that_there_are():
    with pytest.raises(ValueError, match="step 'send' needs 'stamp'"):
        pipeline(plain_step("write", INPUT), finish=plain_step("send", "stamp"))


@pytest.mark.parametrize("name", ["nowhere", INPUT, "send"])
def test_a_rework_names_steps_before_the_end(name: str):
    weak = Step("write", (INPUT,), GATES, (name, "write"))
    with pytest.raises(ValueError, match=f"rework of 'write' names {name!r}, which is no step"):
        pipeline(weak)


@pytest.mark.parametrize("rework", [(), ("polish",), ("write", "polish")])
def test_a_step_with_gates_ends_its_rework_by_scoring_itself_anew(rework: tuple[str, ...]):
    polish = plain_step("polish", INPUT)
    with pytest.raises(ValueError, match="'write' has gates or rework, so its rework must end"):
        pipeline(polish, Step("write", (INPUT, "polish"), GATES, rework))


def test_a_step_needs_what_its_rework_is_made_from():
    review = Step("review", ("polish",), GATES, ("polish", "review"))
    with pytest.raises(ValueError, match="'review' is repaired from 'brief', so it must need it"):
        pipeline(plain_step("polish", INPUT), review)


def test_a_rework_names_all_that_it_makes_anew_of_what_its_step_needs():
    copy = plain_step("copy", "polish")
    review = Step("review", (INPUT, "polish", "copy"), GATES, ("polish", "review"))
    with pytest.raises(ValueError, match="rework of 'review' makes 'copy' anew, so it must name"):
        pipeline(plain_step("polish", INPUT), copy, review)


def test_below_a_library_lie_its_pass_and_the_row():
    found = content("article", "seo")
    assert found.below(["article/draft"]) == ("article/draft", "article", "row")
    assert found.below(["article"]) == ("article", "row")
    assert found.below(["row"]) == ("row",)
    assert found.below([]) == ()


def test_below_a_fetched_text_lies_everything():
    found = translation()
    assert found.below(["fetch"]) == (*(step.name for step in found.steps), "publish")
    assert found.below(["categorize"]) == ("categorize", "publish")
    assert found.below(["polish"]) == ("polish", "review", "publish")


@given(PIPELINES, st.data())
def test_what_lies_below_is_in_order_and_holds_all_that_is_made_from_it(
    found: Pipeline, data: st.DataObject
):
    steps = (*found.steps, found.finish)
    names = data.draw(st.sets(st.sampled_from([step.name for step in steps])))
    below = found.below(names)
    assert names <= set(below)
    assert list(below) == [step.name for step in steps if step.name in below]
    assert below == found.below(below)
    for step in steps:
        assert step.name in below or not set(step.needs) & set(below)
