"""Events of several articles, logged together: one transaction in place of one an event."""

from collections.abc import Sequence

import dagster as dg
from dagster._core.events import (
    DagsterEvent,
    DagsterEventBatchMetadata,
    DagsterEventType,
    StepMaterializationData,
    generate_event_batch_id,
)


def log_together(
    context: dg.AssetExecutionContext,
    events: Sequence[dg.AssetMaterialization | dg.AssetCheckEvaluation],
) -> None:
    """Log events of the step that asks, in this order.

    As `context.log_event` does it for one (Dagster 1.13.28). They are stored in batches where
    DAGSTER_EVENT_BATCH_SIZE is set, as `orch` sets it, and else one by one.
    """
    batch = generate_event_batch_id()
    step = context.op_execution_context._step_execution_context
    for number, event in enumerate(events, start=1):
        kind, data = _data(event)
        DagsterEvent.from_step(
            event_type=kind,
            step_context=step,
            event_specific_data=data,
            batch_metadata=DagsterEventBatchMetadata(batch, is_end=number == len(events)),
        )


def _data(
    event: dg.AssetMaterialization | dg.AssetCheckEvaluation,
) -> tuple[DagsterEventType, StepMaterializationData | dg.AssetCheckEvaluation]:
    match event:
        case dg.AssetMaterialization():
            return DagsterEventType.ASSET_MATERIALIZATION, StepMaterializationData(event)
        case dg.AssetCheckEvaluation():
            return DagsterEventType.ASSET_CHECK_EVALUATION, event
