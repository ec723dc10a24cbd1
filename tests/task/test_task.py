"""How answers become a task list: composed, scheduled, revised, checked."""

from graphlib import CycleError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.content.task import schedule
from assets.content.task.models import Order, Role, TaskList, accept, check, compose, revise, show
from tests.task.answers import answers, brief, link, revision, task_revision

TASKS = compose(brief(), answers())


def faults(name: str, **changes: Any) -> list[str]:
    tasks = tuple(
        task.model_copy(update=changes) if task.id == name else task for task in TASKS.tasks
    )
    return check(brief(), answers(), TASKS.model_copy(update={"tasks": tasks}))


def offsets(tasks: TaskList) -> dict[str, int]:
    return {task.id: task.offset_days for task in tasks.tasks}


def test_a_composed_list_is_sound_and_counts_from_the_publication():
    assert check(brief(), answers(), TASKS) == []
    assert offsets(TASKS) == {
        "t01": -12, "t02": -11, "t03": -11, "t04": -4, "t05": -1, "t06": 0, "t07": 1,
    }  # fmt: skip


def test_approval_waits_for_all_before_it_and_publication_for_the_approval():
    needs = {task.id: task.depends_on for task in TASKS.tasks}
    assert needs["t05"] == ("t04",)
    assert needs["t06"] == ("t05",)
    assert needs["t07"] == ("t06",)
    alone = compose(brief(), answers(link(2)))
    assert {t.id: t.depends_on for t in alone.tasks}["t05"] == ("t01", "t02", "t03", "t04")


def test_a_list_survives_its_own_json():
    assert TaskList.model_validate_json(TASKS.model_dump_json()) == TASKS


@st.composite
def links(draw: st.DrawFn) -> tuple[Any, ...]:
    waiting = draw(st.sets(st.integers(1, 7)))
    return tuple(
        link(
            number,
            *draw(st.sets(st.integers(1, number - 1), max_size=3) if number > 1 else st.just(())),
            waiting=draw(st.integers(0, 30)),
        )
        for number in sorted(waiting)
    )


@given(links())
def test_whatever_the_accepted_links_the_list_is_sound(drawn: tuple[Any, ...]):
    known = answers(*drawn)
    assert accept("order", known["order"], known) == []
    assert check(brief(), known, compose(brief(), known)) == []


@pytest.mark.parametrize(
    ("drawn", "found"),
    [
        ((link(2, 1), link(2)), ["task 2 stands twice in the links"]),
        ((link(9),), ["there is no task 9, the last is 7"]),
        ((link(2, 3),), ["task 2 cannot wait for task 3: only for smaller numbers"]),
        ((link(2, 2),), ["task 2 cannot wait for task 2: only for smaller numbers"]),
    ],
)
def test_links_that_repeat_point_nowhere_or_point_forward_are_refused(
    drawn: tuple[Any, ...], found: list[str]
):
    assert accept("order", Order(links=drawn), answers()) == found


def test_a_dependency_that_is_no_task_is_found():
    assert faults("t02", depends_on=("t99",)) == ["t02 depends on 't99', which is no task"]


def test_a_cycle_is_found_and_named():
    found = faults("t01", depends_on=("t02",))
    assert any(text.startswith("tasks wait for each other: ") for text in found)


def test_a_task_that_begins_before_what_it_needs_has_ended_is_found():
    assert faults("t04", offset_days=-10) == ["t04 begins on day -10, before t03 has ended"]


def test_ids_that_stand_twice_are_found():
    assert "the id 't02' stands twice" in faults("t01", id="t02")


def test_an_unknown_role_is_found():
    assert faults("t01", role="wizard") == ["t01: role 'wizard' is unknown"]


@pytest.mark.parametrize(("name", "stage"), [("t05", "approval"), ("t06", "publication")])
def test_a_list_without_approval_or_publication_is_found(name: str, stage: str):
    found = faults(name, stage="after")
    assert f"there are 0 tasks of stage {stage!r}, one is due" in found


def test_a_publication_off_day_zero_and_work_due_before_it_that_comes_later_are_found():
    assert faults("t06", offset_days=1)[-1] == "t06 publishes on day +1, not on day 0"
    assert faults("t01", offset_days=3)[-1] == (
        "t01 ('Recount the losses') must be done before publication, it ends on day +4"
    )


def test_two_tasks_with_one_title_are_found():
    found = faults("t01", title="Ask the three members.")
    assert found == ["two tasks have the same title: 'ask the three members'"]


def test_a_pass_that_changes_hours_moves_what_waits_for_them():
    revised = revise(TASKS, revision(task_revision(3, effort_hours=20, role=Role.EDITOR)))
    third = revised.tasks[2]
    assert (third.days, third.role, third.title) == (4, "editor", "Draw the loss table")
    assert offsets(revised)["t01"] == -14
    assert check(brief(), answers(), revised) == []


def test_a_pass_replaces_words_and_nothing_else():
    new = task_revision(1, title="Count the cards", done="The sum agrees with the cards.")
    revised = revise(TASKS, revision(new))
    assert (revised.tasks[0].title, revised.tasks[0].done) == (new.title, new.done)
    assert revised.tasks[1:] == TASKS.tasks[1:]
    assert revise(TASKS, revision()) == TASKS


def test_a_pass_that_names_what_is_not_there_is_refused():
    known = {**answers(), "candidate": TASKS}
    assert accept("quality_pass", revision(task_revision(8)), known) == [
        "there is no task 8, the last is 7"
    ]
    assert accept("quality_pass", revision(task_revision(1), task_revision(1)), known) == [
        "task 1 is repaired twice"
    ]
    assert accept("quality_pass", revision(task_revision(1)), known) == []


@pytest.mark.parametrize(("hours", "count"), [(1, 1), (6, 1), (7, 2), (40, 7)])
def test_an_effort_takes_a_day_for_each_six_hours(hours: int, count: int):
    assert schedule.days(hours) == count


def test_a_schedule_of_tasks_that_wait_for_each_other_is_an_error():
    work = {
        name: schedule.Work(effort_hours=1, waiting_days=0, depends_on=(need,))
        for name, need in (("a", "b"), ("b", "a"))
    }
    with pytest.raises(CycleError):
        schedule.offsets(work, anchor="a")


def test_the_pass_sees_days_roles_and_what_is_waited_for():
    text = show(TASKS)
    assert "t04 -4 writer, 14 h, after t02 t03: Write the piece. Done: " in text
    assert "t01 -12 fact_checker, 5 h: Recount the losses." in text
