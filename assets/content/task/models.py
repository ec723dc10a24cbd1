"""What the task prompts answer, and how their answers become one list of dated tasks."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from assets.content.task import schedule
from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import Score5

Answers = Mapping[str, Any]
"""Answers by prompt name, as instances of their models."""

BEFORE_MOST, AFTER_MOST = 10, 4
MOST = BEFORE_MOST + 2 + AFTER_MOST

Stage = Literal["before", "approval", "publication", "after"]


class Role(StrEnum):
    """Who does a task."""

    EDITOR = "editor"
    WRITER = "writer"
    FACT_CHECKER = "fact_checker"
    SUBJECT_EXPERT = "subject_expert"
    DESIGNER = "designer"
    PHOTO_EDITOR = "photo_editor"
    VIDEO_PRODUCER = "video_producer"
    SEO_SPECIALIST = "seo_specialist"
    SOCIAL_MANAGER = "social_manager"
    CRM_MANAGER = "crm_manager"
    WEB_PRODUCER = "web_producer"
    LEGAL_REVIEWER = "legal_reviewer"
    MANAGING_EDITOR = "managing_editor"


Line = Annotated[str, Field(min_length=10, max_length=240)]
Title = Annotated[str, Field(min_length=4, max_length=90)]
Effort = Annotated[int, Field(ge=1, le=40)]
TaskNumber = Annotated[int, Field(ge=1, le=MOST)]
Waiting = Annotated[int, Field(ge=0, le=30)]


class Answer(BaseModel):
    """What every answer and the deliverable have in common: frozen, no extra keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Scope(Answer):
    """What must be settled before the article may come out."""

    outcome: Line = Field(description="What can be seen from outside on the publication day")
    decider: Line = Field(description="The role that says yes, and to what")
    duties: Annotated[tuple[Line, ...], Field(min_length=2, max_length=6)] = Field(
        description="What this brief owes to people and facts, each with why"
    )
    risks: Annotated[tuple[Line, ...], Field(min_length=1, max_length=4)] = Field(
        description="What would make the brand correct or withdraw the article"
    )


class Work(Answer):
    """One task before it has a day."""

    title: Title = Field(description="The task's title: verb and thing")
    role: Role = Field(description="The one role that does it")
    effort_hours: Effort = Field(description="Hours of work, 1 to 40")
    done: Line = Field(description="When it is done, as a sentence that is true or false")


class Breakdown(Answer):
    """All tasks, in the order in which work would begin."""

    before: Annotated[tuple[Work, ...], Field(min_length=4, max_length=BEFORE_MOST)] = Field(
        description="Tasks that must be done before approval"
    )
    approval: Work = Field(description="The task in which somebody says yes")
    publication: Work = Field(description="The task that brings the article out")
    after: Annotated[tuple[Work, ...], Field(min_length=1, max_length=AFTER_MOST)] = Field(
        description="Tasks that follow the publication"
    )


class Link(Answer):
    """What one task waits for."""

    task_number: TaskNumber = Field(description="The task that waits")
    depends_on: Annotated[tuple[TaskNumber, ...], Field(max_length=6)] = Field(
        description="Numbers of earlier tasks whose result it uses; empty if none"
    )
    waiting_days: Waiting = Field(description="Days of waiting for others before it can begin")


class Order(Answer):
    """The dependencies, but for those that code sets."""

    links: Annotated[tuple[Link, ...], Field(max_length=MOST)] = Field(
        description="One for each task that waits, none twice; empty if none waits"
    )


class TaskRevision(Answer):
    """New words or hours for one task."""

    task_number: TaskNumber = Field(description="The task's number: 3 for t03")
    title: Title | None = Field(description="The new title, or null if it stays")
    role: Role | None = Field(description="The new role, or null")
    effort_hours: Effort | None = Field(description="The new effort, or null")
    done: Line | None = Field(description="The new definition of done, or null")


class Revision(Answer):
    """What the quality pass replaces, and how good the list is then."""

    tasks: Annotated[tuple[TaskRevision, ...], Field(max_length=8)] = Field(
        description="Tasks to repair; empty if all stay"
    )
    flags: Annotated[tuple[str, ...], Field(max_length=0)] = Field(description="Always empty")
    voice_consistency: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")
    coherence_score: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")


class Task(Answer):
    """One task. All its days are working days, `offset_days` counted from the publication day.

    It begins on `offset_days` and is over when `offset_days + days` begins.
    """

    id: Annotated[str, Field(pattern=r"^t\d{2}$", examples=["t01", "t02", "t14"])]
    stage: Stage
    title: str
    role: Role
    offset_days: int
    days: Annotated[int, Field(ge=1)]
    effort_hours: Effort
    waiting_days: Waiting
    depends_on: tuple[str, ...]
    done: str


class TaskList(Answer):
    """The tasks of one article, in the order of their numbers."""

    outcome: str
    decider: str
    tasks: tuple[Task, ...]


def compose(brief: Brief, answers: Answers) -> TaskList:
    """The list from the chain's answers; ids, the fixed dependencies and all days are code's."""
    scope: Scope = answers["scope"]
    breakdown: Breakdown = answers["breakdown"]
    links = {link.task_number: link for link in answers["order"].links}
    staged = _staged(breakdown)
    needs = _needs([stage for stage, _ in staged], links)
    tasks = tuple(
        Task(
            id=_id(number),
            stage=stage,
            offset_days=0,
            days=schedule.days(work.effort_hours),
            waiting_days=links[number].waiting_days if number in links else 0,
            depends_on=tuple(_id(need) for need in needs[number]),
            **work.model_dump(),
        )
        for number, (stage, work) in enumerate(staged, start=1)
    )
    return TaskList(outcome=scope.outcome, decider=scope.decider, tasks=_scheduled(tasks))


def accept(prompt: str, answer: Any, answers: Answers) -> list[str]:
    """What is wrong with one answer in the light of earlier ones, each as a sentence."""
    match answer:
        case Order():
            return _link_faults(answer.links, of=len(_staged(answers["breakdown"])))
        case Revision():
            numbers = [item.task_number for item in answer.tasks]
            last = len(answers["candidate"].tasks)
            found = [f"there is no task {n}, the last is {last}" for n in numbers if n > last]
            return found + [f"task {n} is repaired twice" for n in _repeated(numbers)]
        case _:
            return []


def revise(candidate: TaskList, revision: Revision) -> TaskList:
    """The list with the replaced parts in it, and its days computed anew."""
    new = {_id(item.task_number): item for item in revision.tasks}
    tasks = tuple(_revised(task, new.get(task.id)) for task in candidate.tasks)
    return candidate.model_copy(update={"tasks": _scheduled(tasks)})


def show(candidate: TaskList) -> str:
    """The list as the quality pass sees it: one line for each task."""
    lines = [
        f"{task.id} {task.offset_days:+d} {task.role}, {task.effort_hours} h"
        + (f", after {' '.join(task.depends_on)}" if task.depends_on else "")
        + f": {task.title}. Done: {task.done}"
        for task in candidate.tasks
    ]
    return "\n".join([f"Outcome: {candidate.outcome}", *lines])


def check(brief: Brief, answers: Answers, candidate: TaskList) -> list[str]:
    """What code finds wrong with a list, each as a sentence naming what and where."""
    tasks = candidate.tasks
    known = {role.value for role in Role}
    return [
        *(f"the id {name!r} stands twice" for name in _repeated([task.id for task in tasks])),
        *(f"{task.id}: role {task.role!r} is unknown" for task in tasks if task.role not in known),
        *_dependency_faults(tasks),
        *_stage_faults(tasks),
        *(
            f"two tasks have the same title: {text!r}"
            for text in _repeated([_plain(task.title) for task in tasks])
        ),
    ]


def _staged(breakdown: Breakdown) -> list[tuple[Stage, Work]]:
    return [
        *(("before", work) for work in breakdown.before),
        ("approval", breakdown.approval),
        ("publication", breakdown.publication),
        *(("after", work) for work in breakdown.after),
    ]


def _needs(stages: list[Stage], links: Mapping[int, Link]) -> dict[int, list[int]]:
    """What each task waits for: what the links say, and what its stage demands."""
    approval, publication = stages.index("approval") + 1, stages.index("publication") + 1
    needs = {
        number: set(links[number].depends_on if number in links else ())
        for number in range(1, len(stages) + 1)
    }
    used = set().union(*(needs[number] for number in range(1, approval)))
    needs[approval] |= set(range(1, approval)) - used
    needs[publication].add(approval)
    for number in range(publication + 1, len(stages) + 1):
        needs[number].add(publication)
    return {number: sorted(needed) for number, needed in needs.items()}


def _scheduled(tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    work = {
        task.id: schedule.Work(
            effort_hours=task.effort_hours,
            waiting_days=task.waiting_days,
            depends_on=task.depends_on,
        )
        for task in tasks
    }
    anchor = next(task.id for task in tasks if task.stage == "publication")
    begins = schedule.offsets(work, anchor=anchor)
    return tuple(task.model_copy(update={"offset_days": begins[task.id]}) for task in tasks)


def _revised(task: Task, new: TaskRevision | None) -> Task:
    if new is None:
        return task
    effort = new.effort_hours or task.effort_hours
    return task.model_copy(
        update={
            "title": new.title or task.title,
            "role": new.role or task.role,
            "effort_hours": effort,
            "days": schedule.days(effort),
            "done": new.done or task.done,
        }
    )


def _link_faults(links: Iterable[Link], *, of: int) -> list[str]:
    numbers = [link.task_number for link in links]
    found = [f"task {n} stands twice in the links" for n in _repeated(numbers)]
    found += [f"there is no task {n}, the last is {of}" for n in numbers if n > of]
    for link in links:
        found += [
            f"task {link.task_number} cannot wait for task {need}: only for smaller numbers"
            for need in link.depends_on
            if need >= link.task_number
        ]
    return found


def _dependency_faults(tasks: tuple[Task, ...]) -> list[str]:
    by_id = {task.id: task for task in tasks}
    found = [
        f"{task.id} depends on {need!r}, which is no task"
        for task in tasks
        for need in task.depends_on
        if need not in by_id
    ]
    try:
        TopologicalSorter({task.id: task.depends_on for task in tasks}).prepare()
    except CycleError as error:
        found.append(f"tasks wait for each other: {' -> '.join(error.args[1])}")
    return found + [
        f"{task.id} begins on day {task.offset_days:+d}, before {need} has ended"
        for task in tasks
        for need in task.depends_on
        if need in by_id and task.offset_days < by_id[need].offset_days + by_id[need].days
    ]


def _stage_faults(tasks: tuple[Task, ...]) -> list[str]:
    stages = [task.stage for task in tasks]
    found = [
        f"there are {stages.count(stage)} tasks of stage {stage!r}, one is due"
        for stage in ("approval", "publication")
        if stages.count(stage) != 1
    ]
    found += [
        f"{task.id} publishes on day {task.offset_days:+d}, not on day 0"
        for task in tasks
        if task.stage == "publication" and task.offset_days != 0
    ]
    return found + [
        f"{task.id} ({task.title!r}) must be done before publication, it ends on day "
        f"{task.offset_days + task.days:+d}"
        for task in tasks
        if task.stage in ("before", "approval") and task.offset_days + task.days > 0
    ]


def _id(number: int) -> str:
    return f"t{number:02}"


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _repeated(values: list[Any]) -> list[Any]:
    return sorted({value for value in values if values.count(value) > 1})
