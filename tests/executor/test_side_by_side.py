"""Steps run at once, and each has its own loop, context, log and outputs."""

import time
import warnings

import dagster as dg
import pytest
from dagster._core.execution.api import execute_run_iterator

from tests.executor import jobs
from tests.executor.conftest import Run
from tests.executor.reading import steps_with

STEP_SUCCESS = dg.DagsterEventType.STEP_SUCCESS


@pytest.mark.parametrize("job", [jobs.two_that_meet, jobs.two_async_that_meet])
def test_steps_that_wait_for_each_other_both_finish(run: Run, job: dg.JobDefinition):
    with run(job) as result:
        assert result.success
        assert result.output_for_node("both") == "ab"


def test_each_thread_has_its_own_asset_context_and_sees_the_callers_context_variables(run: Run):
    token = jobs.trace.set("of the caller")
    try:
        result = run(jobs.reading_contexts)
    finally:
        jobs.trace.reset(token)
    said = {
        str(event.step_key): event.materialization.metadata["said"].value
        for event in result.all_events
        if event.is_step_materialization
    }
    assert said == {f"asset_{n}": f"asset_{n} of the caller" for n in range(8)}


def test_a_resource_is_initialised_once_for_the_run_and_torn_down_after_the_last_step(run: Run):
    jobs.counters.update(initialised=0, torn_down=0)
    assert run(jobs.sharing_a_resource).success
    assert jobs.counters == {"initialised": 1, "torn_down": 1}


def test_dynamic_outputs_fan_out_and_are_collected(run: Run):
    with run(jobs.fanned_out) as result:
        assert result.output_for_node("total") == 1 + 2 + 3


@pytest.fixture
def groups_of_three(monkeypatch: pytest.MonkeyPatch) -> jobs.Neighbours:
    neighbours = jobs.Neighbours(3)
    monkeypatch.setattr(jobs, "neighbours", neighbours)
    return neighbours


def test_dynamic_steps_are_not_lost_when_a_step_ends_before_its_events_are_read(
    instance: dg.DagsterInstance,
):
    dagster_run = instance.create_run_for_job(jobs.fanned_out)
    job = dg.reconstructable(jobs.fanned_out)
    for event in execute_run_iterator(job, dagster_run, instance):
        if event.step_key == "three" and event.is_successful_output:
            time.sleep(0.3)
    stored = instance.all_logs(dagster_run.run_id)
    ended = [e.step_key for e in stored if e.dagster_event_type == STEP_SUCCESS]
    assert sorted(map(str, ended)) == ["add_one[0]", "add_one[1]", "add_one[2]", "three", "total"]


def test_as_many_steps_as_the_limit_and_no_more_run_at_the_same_time(
    run: Run, groups_of_three: jobs.Neighbours
):
    result = run(jobs.counting_neighbours, config={"execution": {"config": {"limit": 3}}})
    assert result.success
    assert groups_of_three.most == 3


def test_steps_with_a_limited_tag_wait_for_each_other(run: Run, groups_of_three: jobs.Neighbours):
    limits = [{"key": "kind", "value": "counted", "limit": 3}]
    config = {"execution": {"config": {"tag_concurrency_limits": limits}}}
    assert run(jobs.counting_neighbours, config=config).success
    assert groups_of_three.most == 3


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused_in_words(instance: dg.DagsterInstance, run: Run, limit: int):
    result = run(jobs.counting_neighbours, config={"execution": {"config": {"limit": limit}}})
    assert not result.success
    (failure,) = [event for event in result.all_events if event.is_job_failure]
    assert f"limit must be at least 1, not {limit}" in str(failure.job_failure_data.error)


def test_thirty_two_steps_store_all_their_events_in_order(instance: dg.DagsterInstance, run: Run):
    result = run(jobs.thirty_two_at_once)
    assert result.success
    assert len(steps_with(result, STEP_SUCCESS)) == 32
    entries = instance.all_logs(result.run_id)
    for number in range(32):
        mine = [entry for entry in entries if entry.step_key == f"busy_{number}"]
        types = [entry.dagster_event_type for entry in mine if entry.is_dagster_event]
        assert types[0] == dg.DagsterEventType.STEP_START
        assert types[-1] == STEP_SUCCESS
        made = [
            entry.asset_materialization.metadata["number"].value
            for entry in mine
            if entry.asset_materialization
        ]
        assert made == [0, 1, 2]
        said = [entry.user_message for entry in mine if entry.user_message.startswith("line")]
        assert said == ["line 0", "line 1", "line 2"]


def test_every_log_line_is_kept_once_and_under_the_step_that_wrote_it(
    instance: dg.DagsterInstance, run: Run
):
    result = run(jobs.logging_side_by_side)
    entries = [e for e in instance.all_logs(result.run_id) if not e.is_dagster_event]
    python = [e for e in entries if e.user_message.startswith("python ")]
    context = [e for e in entries if e.user_message.startswith("context ")]
    assert len(python) == len(context) == 8 * 5
    assert all(e.user_message.split()[-1] == e.step_key for e in python + context)


def test_a_run_leaves_no_warning_filter_behind(run: Run):
    before = list(warnings.filters)
    run(jobs.reading_contexts)
    assert warnings.filters == before


def test_output_of_the_process_is_captured_once_for_all_steps(run: Run):
    result = run(jobs.fanned_out)
    (captured,) = [
        event
        for event in result.all_events
        if event.event_type == dg.DagsterEventType.LOGS_CAPTURED
    ]
    assert set(captured.logs_captured_data.step_keys or []) >= {"three"}
