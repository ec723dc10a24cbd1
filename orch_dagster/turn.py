"""A run's turn: it begins to work when no run that was there before it works on the same article.

The run queue keeps runs of one partition apart. A backfill's run over a range, and a run that lists
its articles, share no tag with others, so the queue lets them pass; two runs on one article would
pay for the same prompts twice. So a run looks before its first step, and waits for those that
began before it: it then finds their answers, and asks for what is still missing.
"""

import time
from collections.abc import Iterator, Sequence

import dagster as dg
from dagster._core.errors import DagsterExecutionInterruptedError
from dagster._core.events import DagsterEvent, EngineEventData
from dagster._core.execution.context.system import PlanOrchestrationContext
from dagster._utils.interrupts import pop_captured_interrupt

from orch_dagster.process import bury_dead_runs
from orch_dagster.runs import all_runs_at_work, keys_of

LOOK_AGAIN_S = 0.5


def wait_for_turn(context: PlanOrchestrationContext) -> Iterator[DagsterEvent]:
    """Wait until it is this run's turn; the events that tell people what it waits for.

    Before the first step, so that a run that waits holds no slot of a pool of ops. No two wait for
    each other: of two that have begun, only the later one waits.

    Raises:
        DagsterExecutionInterruptedError: the run was terminated while it waited.
    """
    told: set[str] = set()
    while ahead := _ahead(context):
        for run_id, articles in ahead.items():
            if run_id not in told:
                told.add(run_id)
                yield _event(context, run_id, sorted(articles))
        time.sleep(LOOK_AGAIN_S)
        if pop_captured_interrupt():
            raise DagsterExecutionInterruptedError


def _ahead(context: PlanOrchestrationContext) -> dict[str, set[str]]:
    """By run, the articles of ours that it works on and that it came to before us.

    One that is being started may have begun already without our seeing it, so it counts too until
    it is known when it began.
    """
    instance, own_id = context.instance, context.run_id
    if len(all_runs_at_work(instance)) <= 1:  # only ours
        return {}
    bury_dead_runs(instance)
    records = all_runs_at_work(instance)
    own = next(record for record in records if record.dagster_run.run_id == own_id)
    ours = keys_of([own.dagster_run], lambda: _partitions(context))
    found: dict[str, set[str]] = {}
    for record in records:
        shared = ours & keys_of([record.dagster_run], lambda: _partitions(context))
        if record is not own and shared and _is_before(record, own):
            found[record.dagster_run.run_id] = shared
    return found


def _is_before(other: dg.RunRecord, own: dg.RunRecord) -> bool:
    if other.start_time is None or own.start_time is None:
        return other.start_time is None
    return (other.start_time, other.dagster_run.run_id) < (own.start_time, own.dagster_run.run_id)


def _partitions(context: PlanOrchestrationContext) -> Sequence[str]:
    """All partitions of the run's assets, in their order."""
    layer = context.job.get_definition().asset_layer
    for key in layer.executable_asset_keys:
        if (partitions := layer.get(key).partitions_def) is not None:
            return partitions.get_partition_keys(dynamic_partitions_store=context.instance)
    return ()


def _event(context: PlanOrchestrationContext, run_id: str, articles: Sequence[str]) -> DagsterEvent:
    names = ", ".join(articles[:3]) + (f" and {len(articles) - 3} more" if articles[3:] else "")
    return DagsterEvent.engine_event(
        context,
        f"Waits for run {run_id}, which is at work on {names} and began before",
        EngineEventData({"run": dg.MetadataValue.dagster_run(run_id)}),
    )
