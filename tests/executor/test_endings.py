"""Failures, retries, skips, hooks and re-execution, while other steps run."""

from pathlib import Path

import dagster as dg
import pytest

from tests.executor import jobs
from tests.executor.conftest import Run
from tests.executor.reading import steps_with, stored_types

STEP_START = dg.DagsterEventType.STEP_START
STEP_SUCCESS = dg.DagsterEventType.STEP_SUCCESS
STEP_FAILURE = dg.DagsterEventType.STEP_FAILURE
STEP_SKIPPED = dg.DagsterEventType.STEP_SKIPPED
STEP_UP_FOR_RETRY = dg.DagsterEventType.STEP_UP_FOR_RETRY
STEP_RESTARTED = dg.DagsterEventType.STEP_RESTARTED


def test_a_step_that_waits_for_its_retry_holds_nobody_up(run: Run):
    with run(jobs.retried_beside_a_chain) as result:
        assert result.success
        assert result.output_for_node("add_one") == 3
    assert len(steps_with(result, STEP_UP_FOR_RETRY)) == 2
    done = steps_with(result, STEP_SUCCESS)
    assert done.index("chain_2") < done.index("succeeds_on_the_third_try")


def test_a_retry_that_a_step_asks_for_starts_again_without_delay(run: Run):
    with run(jobs.asks_for_retries) as result:
        assert result.output_for_node("add_one") == 4
    assert steps_with(result, STEP_RESTARTED) == ["asks_for_a_retry"] * 3


def test_a_step_fails_when_its_retries_are_used_up(run: Run):
    result = run(jobs.never_succeeding)
    assert steps_with(result, STEP_UP_FOR_RETRY) == ["never_succeeds"]
    assert steps_with(result, STEP_FAILURE) == ["never_succeeds"]
    assert not result.success


def test_retries_can_be_disabled_in_the_run_config(run: Run):
    retries = {"execution": {"config": {"retries": {"disabled": {}}}}}
    result = run(jobs.never_succeeding, config=retries)
    assert steps_with(result, STEP_UP_FOR_RETRY) == []
    assert steps_with(result, STEP_FAILURE) == ["never_succeeds"]


def test_a_failing_step_leaves_the_others_alone_and_stops_what_is_below_it(
    instance: dg.DagsterInstance, run: Run
):
    result = run(jobs.failing_beside_running)
    assert steps_with(result, STEP_FAILURE) == ["fails_while_the_other_runs"]
    assert steps_with(result, STEP_SUCCESS) == ["goes_on", "after_success"]
    assert "after_failure" not in steps_with(result, STEP_START)
    stored = instance.get_run_by_id(result.run_id)
    assert stored and stored.status == dg.DagsterRunStatus.FAILURE


def test_several_steps_fail_at_once_each_with_its_own_error(run: Run):
    result = run(jobs.failing_in_every_way)
    errors = {
        str(event.step_key): event.step_failure_data
        for event in result.all_events
        if event.is_step_failure
    }
    assert steps_with(result, STEP_SUCCESS) == ["goes_on"]
    assert {
        key: str(data.error_source and data.error_source.value) for key, data in errors.items()
    } == {
        "fails_intentionally": "FRAMEWORK_ERROR",
        "fails_the_framework": "FRAMEWORK_ERROR",
        "fails_past_exception": "UNEXPECTED_ERROR",
        "fails_while_the_other_runs": "USER_CODE_ERROR",
    }
    intended = errors["fails_intentionally"].user_failure_data
    assert intended and intended.metadata["why"].value == "because"


def test_an_error_is_raised_to_the_caller_who_asked_for_it_and_running_steps_are_stopped(
    instance: dg.DagsterInstance, run: Run, notes: Path, notes_config: dict
):
    with pytest.raises(ValueError, match="broken on purpose"):
        run(jobs.failing_beside_waiting, config=notes_config, raise_on_error=True)
    (stored,) = instance.get_runs()
    assert stored.status == dg.DagsterRunStatus.FAILURE
    assert (notes / "async-cancelled").exists()
    assert stored_types(instance, stored.run_id, "waits_async")[-1] == "STEP_FAILURE"


def test_an_interrupt_that_a_step_raises_ends_the_run(instance: dg.DagsterInstance, run: Run):
    result = run(jobs.interrupted_by_a_step)
    assert not result.success
    (failure,) = [event for event in result.all_events if event.is_job_failure]
    assert "interrupted" in str(failure.message)


def test_below_a_skipped_optional_output_all_is_skipped_and_the_run_succeeds(run: Run):
    with run(jobs.skipping) as result:
        assert result.success
        assert result.output_for_node("runs") == 2
    assert steps_with(result, STEP_SKIPPED) == ["skipped", "below_skipped"]


def test_hooks_run_with_outputs_and_errors(run: Run, notes: Path, notes_config: dict):
    result = run(jobs.hooked, config=notes_config)
    assert not result.success
    assert {path.name: path.read_text() for path in notes.iterdir()} == {
        "success-first": "{'result': 1}",
        "success-add_one": "{'result': 2}",
        "failure-fails": "broken on purpose",
    }
    assert len(steps_with(result, dg.DagsterEventType.HOOK_COMPLETED)) == 3
    assert len(steps_with(result, dg.DagsterEventType.HOOK_SKIPPED)) == 3


def test_a_broken_hook_is_told_and_does_not_fail_the_run(run: Run):
    result = run(jobs.with_a_broken_hook)
    assert result.success
    assert len(steps_with(result, dg.DagsterEventType.HOOK_ERRORED)) == 2


def test_re_execution_from_failure_runs_only_what_is_missing(
    instance: dg.DagsterInstance, run: Run, notes_config: dict
):
    failed = run(jobs.failing_once, config=notes_config)
    assert not failed.success
    options = dg.ReexecutionOptions.from_failure(failed.run_id, instance)
    with run(jobs.failing_once, config=notes_config, reexecution_options=options) as again:
        assert again.output_for_node("last") == 13
    assert steps_with(again, STEP_START) == ["fails_in_the_first_run", "last"]


def test_re_execution_of_one_selected_step_reads_the_parents_outputs(
    run: Run, notes: Path, notes_config: dict
):
    (notes / "tried").touch()
    parent = run(jobs.failing_once, config=notes_config)
    options = dg.ReexecutionOptions(parent.run_id, step_selection=["last"])
    with run(jobs.failing_once, config=notes_config, reexecution_options=options) as again:
        assert again.output_for_node("last") == 13
    assert steps_with(again, STEP_START) == ["last"]
