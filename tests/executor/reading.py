"""What the tests ask of an event log."""

import time
from collections.abc import Callable

import dagster as dg


def steps_with(result: dg.JobExecutionResult, event_type: dg.DagsterEventType) -> list[str]:
    """Step keys in the order of their events."""
    return [str(event.step_key) for event in result.all_events if event.event_type == event_type]


def stored_types(instance: dg.DagsterInstance, run_id: str, step_key: str) -> list[str]:
    entries = instance.all_logs(run_id)
    return [
        entry.dagster_event.event_type_value
        for entry in entries
        if entry.dagster_event and entry.step_key == step_key
    ]


def slots_in_use(instance: dg.DagsterInstance, pool: str) -> tuple[int, int]:
    """Claimed and pending ones."""
    info = instance.event_log_storage.get_concurrency_info(pool)
    return info.active_slot_count, info.pending_step_count


def wait_until(condition: Callable[[], bool], *, seconds: float) -> float:
    """How long it took; fails when it took longer."""
    started = time.monotonic()
    while not condition():
        assert time.monotonic() - started < seconds, f"not within {seconds} s"
        time.sleep(0.02)
    return time.monotonic() - started
