"""The orchestrator: a Dagster sensor that obeys the decision function."""

import dagster as dg

from orch_dagster.heartbeat import Cursor, beat
from orch_dagster.step import DeclaredPipeline

SECONDS_BETWEEN_BEATS = 10


def orchestrator(declared: DeclaredPipeline, *, articles_per_run: int) -> dg.SensorDefinition:
    """The sensor of one pipeline. It reads the event log and the runs, never a document.

    At most so many articles go into one run, those together for which the same steps are due.
    """

    @dg.sensor(
        name=f"{declared.name}_orchestrator",
        job_name=declared.name,
        minimum_interval_seconds=SECONDS_BETWEEN_BEATS,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Each heartbeat: are all episodes there, are the scores over the gates, "
        "which flags are set? It launches exactly what is missing.",
    )
    def heartbeat(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
        found = beat(
            context.instance,
            declared,
            Cursor.read(context.cursor),
            articles_per_run=articles_per_run,
        )
        for due in found.due:
            context.log.info(f"{', '.join(due.articles)}: {due.state}; {due.tags}")
        requests = [
            dg.RunRequest(run_key=due.key, asset_selection=list(due.selection), tags=due.tags)
            for due in found.due
        ]
        return dg.SensorResult(
            run_requests=requests,
            skip_reason=None
            if requests
            else dg.SkipReason(f"nothing is due; {found.looked_at} articles looked at"),
            cursor=found.cursor.model_dump_json(),
        )

    return heartbeat
