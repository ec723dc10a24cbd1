"""Runs that are only entries in the list: queued, at work or ended elsewhere."""

import dagster as dg
from dagster._core.remote_origin import (
    ManagedGrpcPythonEnvCodeLocationOrigin,
    RemoteJobOrigin,
    RemoteRepositoryOrigin,
)
from dagster._core.types.loadable_target_origin import LoadableTargetOrigin

from tests.dagster_glue.studio import Studio


def create(studio: Studio, tags: dict[str, str], status: dg.DagsterRunStatus) -> dg.DagsterRun:
    """A run of the whole job in this status."""
    return studio.instance.create_run_for_job(
        job_def=studio.workbench.job,
        tags=tags,
        status=status,
        remote_job_origin=_origin(studio.declared.name),
    )


def _origin(job: str) -> RemoteJobOrigin:
    """Dagster asks it of every queued run."""
    target = LoadableTargetOrigin(module_name="orch_dagster.definitions")
    location = ManagedGrpcPythonEnvCodeLocationOrigin(target, "orch_dagster.definitions")
    return RemoteJobOrigin(RemoteRepositoryOrigin(location, "__repository__"), job)
