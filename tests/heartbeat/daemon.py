"""Dagster's daemon for one orchestrator: it ticks the sensor and carries out what is requested."""

import dagster as dg
from dagster._core.definitions.job_base import InMemoryJob
from dagster._core.execution.api import execute_run_iterator
from dagster._core.storage.tags import RUN_KEY_TAG, SENSOR_NAME_TAG

from tests.dagster_glue.studio import Studio

_BEATS_AT_MOST = 30


class Daemon:
    """One daemon. Runs are executed in this process, one after another, as they are requested."""

    def __init__(self, studio: Studio, definitions: dg.Definitions | None = None) -> None:
        self._studio = studio
        self._definitions = definitions or studio.definitions
        name = f"{studio.declared.name}_orchestrator"
        self.sensor = self._definitions.resolve_sensor_def(name)
        self.cursor: str | None = None

    def evaluate(self) -> dg.SensorResult:
        """One evaluation of the sensor; its cursor is not kept, as in a tick that was cut off."""
        context = dg.build_sensor_context(instance=self._studio.instance, cursor=self.cursor)
        result = self.sensor(context)
        assert isinstance(result, dg.SensorResult)
        return result

    def tick(self) -> list[dg.RunRequest]:
        """One whole tick: the cursor is kept, the requests are handed back."""
        result = self.evaluate()
        self.cursor = result.cursor
        return list(result.run_requests or ())

    def create(self, request: dg.RunRequest) -> dg.DagsterRun | None:
        """The run of a request, or None where its key has one: so Dagster does it."""
        instance = self._studio.instance
        tags = {SENSOR_NAME_TAG: self.sensor.name, RUN_KEY_TAG: str(request.run_key)}
        if instance.get_runs(dg.RunsFilter(tags=tags)):
            return None
        selection = frozenset(request.asset_selection or ())
        return instance.create_run_for_job(
            job_def=self._job.get_subset(asset_selection=selection),
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            tags={**request.tags, **tags},
            asset_selection=selection,
        )

    def execute(self, run: dg.DagsterRun) -> dg.DagsterRun:
        """Carry out a run; it as it has ended."""
        for _ in execute_run_iterator(InMemoryJob(self._job), run, self._studio.instance):
            pass
        ended = self._studio.instance.get_run_by_id(run.run_id)
        assert ended is not None
        return ended

    def beat(self) -> list[dg.DagsterRun]:
        """One tick and the runs that it launched, ended."""
        created = [run for request in self.tick() if (run := self.create(request)) is not None]
        return [self.execute(run) for run in created]

    def live(self) -> list[dg.DagsterRun]:
        """Beat until a beat launches nothing; all runs of it, oldest first."""
        runs: list[dg.DagsterRun] = []
        for _ in range(_BEATS_AT_MOST):
            launched = self.beat()
            if not launched:
                return runs
            runs += launched
        raise AssertionError(f"still runs after {_BEATS_AT_MOST} beats: {runs[-1].tags}")

    @property
    def _job(self) -> dg.JobDefinition:
        return self._definitions.resolve_job_def(self._studio.declared.name)
