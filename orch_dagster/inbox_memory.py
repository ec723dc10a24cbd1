"""Where the memory of an inbox lies: in Dagster's own records, beside what is registered.

Not in the sensor's cursor, which Dagster stores anew with every tick: at 5,000 files that would be
three quarters of a megabyte every 15 seconds. It is written when it has changed.
"""

import dagster as dg

from orch_dagster.core.inbox import Memory
from orch_dagster.step import DeclaredPipeline


def remembered(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, inbox: str
) -> Memory | None:
    """What is remembered of this inbox, or None where nothing is, or only of another folder."""
    key = _key(declared)
    text = instance.daemon_cursor_storage.get_cursor_values({key}).get(key)
    memory = Memory.model_validate_json(text) if text else None
    return memory if memory and memory.inbox == inbox else None


def remember(instance: dg.DagsterInstance, declared: DeclaredPipeline, memory: Memory) -> None:
    """Keep it in place of what was remembered before."""
    text = memory.model_dump_json(exclude_defaults=True)
    instance.daemon_cursor_storage.set_cursor_values({_key(declared): text})


def _key(declared: DeclaredPipeline) -> str:
    return f"orch/{declared.name}_inbox"
