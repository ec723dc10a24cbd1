"""Pools of the instance hold inside one run, and no slot outlives it."""

import dagster as dg
import pytest

from tests.executor import jobs
from tests.executor.conftest import Run
from tests.executor.reading import slots_in_use, steps_with


@pytest.fixture(autouse=True)
def _pool_of_one(instance: dg.DagsterInstance) -> None:
    instance.event_log_storage.set_concurrency_slots("one", 1)


def test_steps_in_a_pool_of_one_run_one_after_another_and_the_run_ends(
    instance: dg.DagsterInstance, run: Run
):
    result = run(jobs.pool_of_one)
    assert result.success
    assert len(steps_with(result, dg.DagsterEventType.STEP_SUCCESS)) == 5
    assert slots_in_use(instance, "one") == (0, 0)


def test_a_slot_that_a_step_of_this_run_frees_is_taken_at_once(
    instance: dg.DagsterInstance, run: Run
):
    result = run(jobs.pool_of_one)
    ends = {}
    for entry in instance.all_logs(result.run_id):
        if entry.dagster_event_type == dg.DagsterEventType.STEP_SUCCESS:
            ends[entry.step_key] = entry.timestamp
    # Dagster's own back-off alone would take a second or more for every one that waits.
    assert max(ends.values()) - min(ends.values()) < 3


def test_a_failed_step_frees_its_slot(instance: dg.DagsterInstance, run: Run):
    result = run(jobs.pool_with_a_failure)
    assert sorted(steps_with(result, dg.DagsterEventType.STEP_SUCCESS)) == ["pooled_a", "pooled_b"]
    assert steps_with(result, dg.DagsterEventType.STEP_FAILURE) == ["pooled_and_fails"]
    assert slots_in_use(instance, "one") == (0, 0)


def test_an_error_that_ends_the_run_early_frees_every_slot(instance: dg.DagsterInstance, run: Run):
    with pytest.raises(ValueError, match="broken on purpose"):
        run(jobs.pool_with_a_failure, raise_on_error=True)
    assert slots_in_use(instance, "one") == (0, 0)
