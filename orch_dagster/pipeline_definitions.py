"""A declared pipeline as Dagster definitions: input, assets, job, orchestrator."""

import dagster as dg

from orch_dagster.executor import steps_at_once_executor
from orch_dagster.nightly import Night, nightly
from orch_dagster.orchestrator import orchestrator
from orch_dagster.step import DeclaredPipeline
from orch_dagster.step_assets import asset_spec, step_assets


def pipeline_definitions(
    declared: DeclaredPipeline, *, articles_per_run: int, night: Night
) -> dg.Definitions:
    """The pipeline's definitions; the resources that its steps name are still open.

    At most so many articles go into one run, of a backfill, the orchestrator or the schedule.
    """
    # Without a policy each run has the tag of its partition, by which the queue keeps two apart;
    # with one it would have a range of one.
    several = articles_per_run > 1
    policy = dg.BackfillPolicy.multi_run(articles_per_run) if several else None
    assets = [step_assets(declared, one, policy) for one in declared.steps]
    return dg.Definitions(
        assets=[
            asset_spec(declared.input).replace_attributes(partitions_def=declared.partitions),
            *assets,
        ],
        sensors=[orchestrator(declared, articles_per_run=articles_per_run)],
        schedules=[nightly(declared, night, articles_per_run=articles_per_run)],
        jobs=[
            dg.define_asset_job(
                declared.name,
                selection=dg.AssetSelection.assets(*assets),
                executor_def=steps_at_once_executor,
                description="Everything that is missing for an article, up to its end.",
                # One line a run on the terminal is enough: the events are in the UI.
                config={"loggers": {"console": {"config": {"log_level": "ERROR"}}}},
            )
        ],
    )
