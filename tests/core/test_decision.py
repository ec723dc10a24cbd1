"""The decision, state by state."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.core.decision import (
    Action,
    Decision,
    Finish,
    Retry,
    Rework,
    Run,
    State,
    decide,
    finish_of,
    flags_at_finish,
    steps_of,
)
from orch_dagster.core.episode import Flag, Status
from orch_dagster.core.ledger import Ledger
from orch_dagster.core.pipeline import INPUT, RETRIES, SCORINGS, Pipeline
from tests.core.strategies import PIPELINES, ledgers
from tests.fakes.episodes import ended_badly, episode, reviewed, scored
from tests.fakes.ledgers import done, finished, ledger
from tests.fakes.pipelines import content, translation

CONTENT = content("article", "seo")
TRANSLATION = translation()
FAILED = {"status": Status.FAILED, "episode": ended_badly("article", Status.FAILED)}
REFUSED = {"status": Status.REFUSED, "episode": ended_badly("article", Status.REFUSED)}
WEAK = scored("article", voice=3.5, ready=True)
UNREADY = scored("article", voice=4.5, ready=False, flags=("check_failed",))


def names(actions: tuple[Action, ...]) -> list[tuple[type, str]]:
    return [(type(action), action.step) for action in actions]


def of_article(**changes: object) -> Decision:
    return decide(CONTENT, done(CONTENT, article=changes))


def test_an_article_without_a_brief_is_new_and_nothing_is_done():
    assert decide(CONTENT, ledger(input=None)) == Decision(
        State.NEW, (), ("its input is not registered",)
    )


def test_a_new_article_runs_every_chain_at_once():
    decision = decide(CONTENT, ledger())
    assert decision.state is State.NEW
    assert names(decision.actions) == [(Run, "article/draft"), (Run, "seo/draft")]
    everything = (*(step.name for step in CONTENT.steps), "row")
    assert steps_of(CONTENT, decision.actions) == everything


def test_a_new_translation_runs_all_six_steps_in_one_run():
    decision = decide(TRANSLATION, ledger())
    assert names(decision.actions) == [(Run, "fetch")]
    assert len(steps_of(TRANSLATION, decision.actions)) == 6


def test_when_everything_is_ready_the_row_is_assembled_once():
    ready = done(CONTENT)
    decision = decide(CONTENT, ready)
    assert decision.state is State.RUNNING
    assert decision.actions == (Finish("row", (), "every gate passed"),)
    after = decide(CONTENT, finished(CONTENT, ready))
    assert (after.state, after.actions) == (State.FINISHED, ())


def test_a_failed_library_is_retried_alone():
    decision = of_article(**FAILED, failures=1)
    assert decision.state is State.RUNNING
    assert names(decision.actions) == [(Retry, "article")]
    assert steps_of(CONTENT, decision.actions) == ("article", "row")


@pytest.mark.parametrize("failures", range(1, RETRIES + 1))
def test_up_to_three_failures_are_retried(failures: int):
    [action] = of_article(**FAILED, failures=failures).actions
    assert action.reason == f"article: failed, retry {failures} of 3"


def test_the_fourth_failure_makes_the_article_stuck():
    decision = of_article(**FAILED, failures=RETRIES + 1)
    assert (decision.state, decision.actions) == (State.STUCK, ())
    assert decision.reasons == ("article: failed 4 times in a row",)


def test_a_refusal_is_never_retried():
    decision = of_article(**REFUSED, failures=1)
    assert (decision.state, decision.actions) == (State.REFUSED, ())


def test_stuck_weighs_more_than_refused():
    changes = {"article": REFUSED, "seo": FAILED | {"failures": 4}}
    decision = decide(CONTENT, done(CONTENT, **changes))
    assert decision.state is State.STUCK
    assert decision.reasons == ("article: the model refused", "seo: failed 4 times in a row")


def test_other_libraries_go_on_while_one_is_stuck():
    changes = {"article": FAILED | {"failures": 4}, "seo": FAILED | {"failures": 1}}
    decision = decide(CONTENT, done(CONTENT, **changes))
    assert names(decision.actions) == [(Retry, "seo")]
    assert decision.reasons[-1] == "article: failed 4 times in a row"


def test_what_needs_a_stuck_step_waits_however_far_below_it_is():
    failed = ledger(
        records={
            "fetch": done(TRANSLATION)
            .records["fetch"]
            .model_copy(update={"status": Status.FAILED, "failures": 4})
        }
    )
    assert decide(TRANSLATION, failed).actions == ()
    assert decide(TRANSLATION, failed).state is State.STUCK


def test_a_low_score_repeats_the_pass_and_the_row_alone():
    decision = of_article(episode=WEAK, scorings=1)
    assert decision.state is State.REWORK
    [action] = decision.actions
    assert action == Rework(
        "article",
        ("article",),
        2,
        "article: voice_consistency 3.5 is under 4; scoring 2 of 3",
    )
    assert steps_of(CONTENT, decision.actions) == ("article", "row")


def test_a_check_that_failed_repeats_the_pass_too():
    [action] = of_article(episode=UNREADY, scorings=1).actions
    assert action.reason == "article: a check by code failed; scoring 2 of 3"


def test_a_low_score_at_the_cap_is_assembled_below_the_threshold():
    low = done(CONTENT, article={"episode": WEAK, "scorings": SCORINGS})
    decision = decide(CONTENT, low)
    [action] = decision.actions
    assert isinstance(action, Finish)
    assert action.flags == (Flag.BELOW_THRESHOLD,)
    assert action.reason == "article: voice_consistency 3.5 stays under 4 after 3 scorings"
    after = decide(CONTENT, finished(CONTENT, low))
    assert (after.state, after.actions) == (State.NEEDS_REVIEW, ())


def test_an_article_that_is_not_ready_at_the_cap_is_stuck():
    decision = of_article(episode=UNREADY, scorings=SCORINGS)
    assert (decision.state, decision.actions) == (State.STUCK, ())
    assert decision.reasons == ("article: not ready after 3 scorings (a check by code failed)",)


def test_a_weak_translation_is_polished_then_reviewed_again():
    weak = done(TRANSLATION, review={"episode": reviewed("review", 6)})
    decision = decide(TRANSLATION, weak)
    [action] = decision.actions
    assert isinstance(action, Rework)
    assert (action.steps, action.scoring) == (("polish", "review"), 2)
    assert steps_of(TRANSLATION, decision.actions) == ("polish", "review", "publish")


def test_a_weak_translation_at_the_cap_is_published_with_a_note():
    weak = done(TRANSLATION, review={"episode": reviewed("review", 6), "scorings": 3})
    [action] = decide(TRANSLATION, weak).actions
    assert isinstance(action, Finish)
    assert action.reason == "review: score 6 stays under 8 after 3 scorings"
    assert action.flags == (Flag.BELOW_THRESHOLD,)
    assert decide(TRANSLATION, finished(TRANSLATION, weak)).state is State.FINISHED


def test_a_failure_that_came_before_its_input_was_known_counts_all_the_same():
    for failures in range(1, RETRIES + 1):
        [action] = of_article(**FAILED, failures=failures, made_from={}).actions
        assert isinstance(action, Retry)
    assert of_article(**FAILED, failures=RETRIES + 1, made_from={}).state is State.STUCK


@pytest.mark.parametrize("failures", range(1, RETRIES + 1))
def test_an_end_that_failed_is_tried_again_and_not_taken_for_an_end(failures: int):
    ended = finished(TRANSLATION, done(TRANSLATION))
    failed = ended.records["publish"].model_copy(
        update={"status": Status.FAILED, "failures": failures}
    )
    decision = decide(TRANSLATION, replace(ended, records={**ended.records, "publish": failed}))
    assert names(decision.actions) == [(Finish, "publish")]
    assert decision.reasons == (f"publish: failed, retry {failures} of 3",)


def test_an_end_that_failed_four_times_is_stuck():
    ended = finished(TRANSLATION, done(TRANSLATION))
    failed = ended.records["publish"].model_copy(update={"status": Status.FAILED, "failures": 4})
    decision = decide(TRANSLATION, replace(ended, records={**ended.records, "publish": failed}))
    assert (decision.state, decision.actions) == (State.STUCK, ())


def test_what_a_person_approved_waits_no_longer():
    flagged = done(CONTENT, article={"episode": episode(flags=["footnote_requires_review"])})
    ended = finished(CONTENT, flagged)
    assert decide(CONTENT, ended).state is State.NEEDS_REVIEW
    approved = ended.records["row"].model_copy(update={"approved": True})
    lifted = replace(ended, records={**ended.records, "row": approved})
    assert decide(CONTENT, lifted).state is State.FINISHED


def test_runs_that_die_are_given_up_after_three_more():
    assert decide(CONTENT, ledger(broken_runs=RETRIES)).actions
    decision = decide(CONTENT, ledger(broken_runs=RETRIES + 1))
    assert (decision.state, decision.actions) == (State.STUCK, ())
    assert decision.reasons == ("4 runs in a row ended before their work was done",)


def test_a_changed_brief_starts_the_article_afresh():
    ended = replace(finished(CONTENT, done(CONTENT)), input="brief-2")
    decision = decide(CONTENT, ended)
    assert names(decision.actions) == [(Run, "article/draft"), (Run, "seo/draft")]
    assert decision.reasons[0] == "article/draft: made from an input that no longer stands"


def test_a_lost_document_is_made_again_and_what_is_made_from_it():
    lost = replace(finished(CONTENT, done(CONTENT)), missing=frozenset({"seo"}))
    decision = decide(CONTENT, lost)
    assert decision.actions == (Run("seo", "seo: its document is gone from the store"),)
    assert steps_of(CONTENT, decision.actions) == ("seo", "row")


def test_a_lost_row_is_assembled_again():
    lost = replace(finished(CONTENT, done(CONTENT)), missing=frozenset({"row"}))
    assert names(decide(CONTENT, lost).actions) == [(Finish, "row")]


def test_the_flags_of_the_end_are_those_of_every_episode_without_doubles():
    flagged = episode(flags=["use_variant_b", "footnote_requires_review"])
    changes = {"article": {"episode": flagged}, "seo": {"episode": flagged}}
    assert flags_at_finish(CONTENT, done(CONTENT, **changes)) == (
        Flag.FOOTNOTE_REQUIRES_REVIEW,
        Flag.USE_VARIANT_B,
    )


def test_a_person_who_asks_again_gets_one_for_a_refusal_and_for_a_failure():
    stuck = done(CONTENT, article=FAILED | {"failures": 4}, seo=REFUSED)
    decision = decide(CONTENT, replace(stuck, broken_runs=9).forgiven())
    assert names(decision.actions) == [(Retry, "article"), (Retry, "seo")]


def test_forgiving_changes_nothing_that_stands():
    ready = finished(CONTENT, done(CONTENT))
    assert ready.forgiven() == ready


@st.composite
def situations(draw: st.DrawFn) -> tuple[Pipeline, Ledger]:
    pipeline = draw(PIPELINES)
    return pipeline, draw(ledgers(pipeline))


@given(situations())
def test_deciding_twice_gives_the_same(found: tuple[Pipeline, Ledger]):
    assert decide(*found) == decide(*found)


@given(situations())
def test_nothing_is_launched_while_a_run_is_in_flight(found: tuple[Pipeline, Ledger]):
    pipeline, state = found
    assert decide(pipeline, replace(state, running=True)).actions == ()


@given(situations())
def test_an_action_is_due_only_where_all_that_its_step_needs_stands(
    found: tuple[Pipeline, Ledger],
):
    pipeline, state = found
    steps = {step.name: step for step in (*pipeline.steps, pipeline.finish)}
    for action in decide(pipeline, state).actions:
        for need in steps[action.step].needs:
            if need != INPUT:
                current = state.current(steps[need])
                assert current is not None
                assert current.status is Status.COMPLETE


@given(situations())
def test_the_end_comes_only_when_every_step_stands_complete_and_ready(
    found: tuple[Pipeline, Ledger],
):
    pipeline, state = found
    for end in (*decide(pipeline, state).actions, finish_of(pipeline, state)):
        for step in pipeline.steps if isinstance(end, Finish) else ():
            record = state.current(step)
            assert record is not None
            assert record.status is Status.COMPLETE
            assert record.episode is None or record.episode.assembly_ready


@given(situations())
def test_each_decision_gives_its_reasons(found: tuple[Pipeline, Ledger]):
    decision = decide(*found)
    assert len(decision.reasons) >= max(1, len(decision.actions))


@given(situations())
def test_a_rework_is_numbered_after_the_last_scoring_and_within_the_cap(
    found: tuple[Pipeline, Ledger],
):
    pipeline, state = found
    for action in decide(pipeline, state).actions:
        if isinstance(action, Rework):
            assert state.records[action.step].scorings + 1 == action.scoring <= SCORINGS
            assert set(steps_of(pipeline, (action,))) == set(pipeline.below(action.steps))
