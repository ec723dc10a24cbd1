"""Whole histories: the decision drives a world to its end, whatever happens on the way."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.core.decision import Finish, Rework, State, decide, steps_of
from orch_dagster.core.episode import Status
from orch_dagster.core.ledger import Ledger
from orch_dagster.core.pipeline import INPUT, RETRIES, SCORINGS, Pipeline
from tests.core.strategies import PIPELINES, ledgers
from tests.fakes.pipelines import content, translation
from tests.fakes.world import Outcome, World

MISHAPS = st.sampled_from(Outcome)
RARELY = st.sampled_from([Outcome.GOOD] * 5 + [*Outcome])
ENDED = (State.FINISHED, State.NEEDS_REVIEW)


def most_runs(pipeline: Pipeline, events: int) -> int:
    """The most runs that a history can take.

    What is made from a step with gates is made anew with each of its scorings. Each making may
    fail `RETRIES` times and one before; the end the same. Between two runs that bring something,
    `RETRIES` may die. An event (a new brief, a lost document, a person) lets all begin anew.
    """
    makings = SCORINGS ** sum(1 for step in pipeline.steps if step.gates)
    productive = (len(pipeline.steps) + 1) * makings * (RETRIES + 1)
    return (events + 1) * (productive + 1) * (RETRIES + 1)


def drive(world: World, most: int, between: Callable[[], None]) -> None:
    """Do what is decided until nothing is due; fails when that takes more than `most` runs."""
    for _ in range(most + 1):
        decision = decide(world.pipeline, world.ledger)
        assert decision == decide(world.pipeline, world.ledger)
        assert decide(world.pipeline, replace(world.ledger, running=True)).actions == ()
        if not decision.actions:
            return
        world.run(steps_of(world.pipeline, decision.actions))
        between()
    raise AssertionError(f"still not at an end after {most} runs")


def check_end(pipeline: Pipeline, end: Ledger) -> None:
    """Every step stands complete and ready, made from the brief of today all the way up."""
    for step in pipeline.steps:
        record = end.current(step)
        assert record is not None
        assert record.status is Status.COMPLETE
        assert record.episode is None or record.episode.assembly_ready
        for need in step.needs:
            stands = end.input if need == INPUT else end.records[need].fingerprint
            assert record.made_from[need] == stands


class Events:
    """A few things that happen to an article between its runs."""

    def __init__(self, world: World, data: st.DataObject, most: int) -> None:
        self.happened = 0
        self._world, self._data, self._left = world, data, most

    def maybe(self) -> None:
        if not self._left or not self._data.draw(st.booleans(), label="something happens"):
            return
        self._left -= 1
        self.happened += 1
        match self._data.draw(st.sampled_from(["brief", "loss", "person"])):
            case "brief":
                self._world.change_brief()
            case "loss":
                names = [step.name for step in self._world.pipeline.steps]
                self._world.lose(self._data.draw(st.sampled_from(names)))
            case _:
                self._world.ask_again()


@given(pipeline=PIPELINES, data=st.data())
def test_every_history_ends(pipeline: Pipeline, data: st.DataObject):
    outcomes = data.draw(st.sampled_from([MISHAPS, RARELY]))
    world = World(pipeline, lambda step: data.draw(outcomes, label=step))
    events = Events(world, data, most=3)
    drive(world, most_runs(pipeline, events=3), events.maybe)
    for end in world.ends:
        check_end(pipeline, end)
    most = SCORINGS * (events.happened + 1)
    assert all(made <= most for made in world.scorings.values())


@given(pipeline=PIPELINES, data=st.data())
def test_without_losses_an_input_is_scored_at_most_three_times(
    pipeline: Pipeline, data: st.DataObject
):
    kinds = st.sampled_from([outcome for outcome in Outcome if outcome is not Outcome.GOOD])
    world = World(pipeline, lambda step: data.draw(kinds, label=step))
    drive(world, most_runs(pipeline, events=0), lambda: None)
    assert all(made <= SCORINGS for made in world.scorings.values())


@given(pipeline=PIPELINES, data=st.data())
def test_any_state_comes_to_an_end(pipeline: Pipeline, data: st.DataObject):
    world = World(pipeline, lambda step: data.draw(RARELY, label=step))
    world.ledger = replace(data.draw(ledgers(pipeline)), running=False)
    drive(world, most_runs(pipeline, events=1), lambda: None)
    for end in world.ends:
        check_end(pipeline, end)


@given(PIPELINES)
def test_when_nothing_goes_wrong_one_run_makes_everything(pipeline: Pipeline):
    world = World(pipeline, lambda step: Outcome.GOOD)
    drive(world, 1, lambda: None)
    assert decide(pipeline, world.ledger).state is State.FINISHED
    assert len(world.ends) == 1
    assert set(world.scorings.values()) <= {1}


@given(PIPELINES)
def test_weak_for_ever_ends_below_the_threshold_after_three_scorings(pipeline: Pipeline):
    world = World(pipeline, lambda step: Outcome.WEAK)
    drive(world, most_runs(pipeline, events=0), lambda: None)
    gated = [step for step in pipeline.steps if step.gates]
    waits = bool(gated) and not pipeline.unattended
    expected = State.NEEDS_REVIEW if waits else State.FINISHED
    assert decide(pipeline, world.ledger).state is expected
    assert all(world.ledger.records[step.name].scorings == SCORINGS for step in gated)


def test_unready_for_ever_is_stuck_without_a_row():
    world = World(content("article", "seo"), lambda step: Outcome.UNREADY)
    drive(world, SCORINGS, lambda: None)
    assert decide(world.pipeline, world.ledger).state is State.STUCK
    assert world.ends == []
    assert set(world.scorings.values()) == {SCORINGS}


def test_a_step_that_always_fails_is_tried_four_times():
    tried: list[str] = []

    def fate(step: str) -> Outcome:
        tried.append(step)
        return Outcome.FAILED if step == "fetch" else Outcome.GOOD

    world = World(translation(), fate)
    drive(world, RETRIES + 1, lambda: None)
    assert tried.count("fetch") == RETRIES + 1
    assert decide(world.pipeline, world.ledger).state is State.STUCK


def test_runs_that_always_die_are_launched_four_times():
    world = World(content("article"), lambda step: Outcome.DIES)
    drive(world, RETRIES + 1, lambda: None)
    assert world.ledger.broken_runs == RETRIES + 1
    assert decide(world.pipeline, world.ledger).state is State.STUCK


def test_scorings_go_on_where_a_run_died_between_polish_and_review():
    fates = {"review": [Outcome.WEAK, Outcome.DIES, Outcome.WEAK, Outcome.WEAK]}

    def fate(step: str) -> Outcome:
        return fates[step].pop(0) if fates.get(step) else Outcome.GOOD

    world = World(translation(), fate)
    drive(world, 4, lambda: None)
    assert decide(world.pipeline, world.ledger).state is State.FINISHED
    assert world.ledger.records["review"].scorings == SCORINGS
    assert list(world.scorings.values()) == [SCORINGS]


@given(PIPELINES, st.data())
def test_a_rework_runs_what_repairs_and_what_lies_below_it_alone(
    pipeline: Pipeline, data: st.DataObject
):
    weak = [Outcome.GOOD, Outcome.GOOD, Outcome.WEAK]
    world = World(pipeline, lambda step: data.draw(st.sampled_from(weak)))
    while (decision := decide(pipeline, world.ledger)).actions:
        for action in decision.actions:
            if isinstance(action, Rework):
                assert steps_of(pipeline, (action,)) == pipeline.below(action.steps)
        world.run(steps_of(pipeline, decision.actions))


@given(PIPELINES, st.data())
def test_a_changed_brief_lets_no_earlier_episode_into_the_end(
    pipeline: Pipeline, data: st.DataObject
):
    world = World(pipeline, lambda step: Outcome.GOOD)
    drive(world, 1, lambda: None)
    before = world.ledger
    world.change_brief()
    [run] = [steps_of(pipeline, decide(pipeline, world.ledger).actions)]
    assert set(run) == set(pipeline.below([INPUT])) or not run
    drive(world, 1, lambda: None)
    for name in pipeline.below([INPUT]):
        assert world.ledger.records[name] != before.records[name]


@given(PIPELINES, st.data())
def test_a_person_who_asks_again_can_bring_every_stuck_article_to_its_end(
    pipeline: Pipeline, data: st.DataObject
):
    luck = {"bad": True}
    bad = st.sampled_from([Outcome.FAILED, Outcome.REFUSED, Outcome.BLIND, Outcome.DIES])
    world = World(pipeline, lambda step: data.draw(bad) if luck["bad"] else Outcome.GOOD)
    drive(world, most_runs(pipeline, events=0), lambda: None)
    assert decide(pipeline, world.ledger).state in (State.STUCK, State.REFUSED)
    luck["bad"] = False
    world.ask_again()
    drive(world, most_runs(pipeline, events=0), lambda: None)
    assert decide(pipeline, world.ledger).state in ENDED


@given(PIPELINES, st.data())
def test_the_end_is_made_once(pipeline: Pipeline, data: st.DataObject):
    world = World(pipeline, lambda step: data.draw(st.sampled_from([Outcome.GOOD, Outcome.WEAK])))
    drive(world, most_runs(pipeline, events=0), lambda: None)
    assert len(world.ends) == 1
    assert not any(isinstance(a, Finish) for a in decide(pipeline, world.ledger).actions)
