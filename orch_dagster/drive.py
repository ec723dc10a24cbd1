"""Drives articles to their end from the command line: the sensor's decisions, run in this process."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import dagster as dg
from dagster._core.definitions.job_base import InMemoryJob
from dagster._core.execution.api import execute_run_iterator
from dagster._core.remote_origin import (
    ManagedGrpcPythonEnvCodeLocationOrigin,
    RemoteJobOrigin,
    RemoteRepositoryOrigin,
)
from dagster._core.storage.dagster_run import IN_PROGRESS_RUN_STATUSES
from dagster._core.storage.tags import PARTITION_NAME_TAG
from dagster._core.types.loadable_target_origin import LoadableTargetOrigin

from orch_dagster.core.decision import Decision, decide, steps_of
from orch_dagster.core.ledger import Ledger
from orch_dagster.event_log import APPROVED_TAG, PERSON_TAG, REASON_TAG, read_ledgers, run_tags
from orch_dagster.process import PROCESS_TAG, bury_dead_runs, this_process
from orch_dagster.step import DeclaredPipeline
from orch_dagster.store import Store
from orch_dagster.verify import missing_steps

MODULE = "orch_dagster.definitions"
"""What the code location loads, and its name in the UI."""

_LOOK_AGAIN_S = 1.0


@dataclass(frozen=True, slots=True)
class Workbench:
    """What driving needs: the instance, one pipeline of it with its job, the store."""

    instance: dg.DagsterInstance
    declared: DeclaredPipeline
    job: dg.JobDefinition
    store: Store


def drive(
    workbench: Workbench,
    article: str,
    *,
    tell: Callable[[Decision], None],
    complain: Callable[[str], None],
) -> Ledger:
    """Run what is due for one article until nothing is; the ledger as it then stands.

    A person asked: earlier failures are forgiven, and documents that are gone from the store are
    noticed. A run that someone else has in flight is waited for. `tell` hears each decision,
    `complain` what broke a run.
    """
    by_person = True
    while True:
        ledger = look(workbench, article)
        seen = ledger.forgiven() if by_person else ledger
        decision = decide(workbench.declared.pipeline, seen)
        tell(decision)
        if decision.actions:
            for fault in _execute(workbench, article, decision, by_person=by_person):
                complain(f"{article}: {fault}")
            by_person = False
        elif ledger.running:
            time.sleep(_LOOK_AGAIN_S)
        else:
            return ledger


def approve(workbench: Workbench, article: str) -> Iterator[str]:
    """Lift the review of an article that waits for one; yields what broke the run, if anything."""
    finish = workbench.declared.pipeline.finish.name
    selection = frozenset(workbench.declared.selection((finish,)))
    tags = {
        PARTITION_NAME_TAG: article,
        PROCESS_TAG: this_process(),
        APPROVED_TAG: "true",
        REASON_TAG: "a person approved it",
    }
    yield from _run(workbench, article, selection, tags)


def look(workbench: Workbench, article: str) -> Ledger:
    """The article's ledger, with the steps whose documents are gone from the store.

    Runs whose process was killed are buried first, so that they do not count as in flight.
    """
    bury_dead_runs(workbench.instance)
    [ledger] = read_ledgers(
        workbench.instance, workbench.declared, [article], own_run=None, missing={}
    ).values()
    missing = missing_steps(workbench.store, workbench.declared, [ledger])
    return replace(ledger, missing=missing[article])


def _execute(
    workbench: Workbench, article: str, decision: Decision, *, by_person: bool
) -> Iterator[str]:
    """Carry out a decision in a run of this process, unless another run was there before.

    Yields what broke it. An article's own failure breaks no run: it is in its documents.
    """
    declared = workbench.declared
    selection = frozenset(declared.selection(steps_of(declared.pipeline, decision.actions)))
    tags = {
        **run_tags(article, decision),
        PROCESS_TAG: this_process(),
        **({PERSON_TAG: "true"} if by_person else {}),
    }
    yield from _run(workbench, article, selection, tags)


def _run(
    workbench: Workbench,
    article: str,
    selection: frozenset[dg.AssetKey],
    tags: Mapping[str, str],
) -> Iterator[str]:
    instance = workbench.instance
    run = instance.create_run_for_job(
        job_def=workbench.job.get_subset(asset_selection=selection),
        run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        tags=tags,
        asset_selection=selection,
        remote_job_origin=_origin(workbench.declared.name),
    )
    if not _is_first(workbench, article, run.run_id):
        instance.delete_run(run.run_id)
        return
    for event in execute_run_iterator(InMemoryJob(workbench.job), run, instance):
        if event.is_step_failure and (error := event.step_failure_data.error):
            cause = error.cause or error
            yield f"step {event.step_key!r} broke: {cause.message.strip()} (run {run.run_id})"


def _is_first(workbench: Workbench, article: str, run_id: str) -> bool:
    """Whether no run on this article, seen now that ours is in the list, was there before ours.

    Two that start at once both see both, and agree on the older. A queued run waits for ours.
    """
    records = workbench.instance.get_run_records(
        dg.RunsFilter(statuses=_HOLDING, tags={PARTITION_NAME_TAG: article})
    )
    ages = {r.dagster_run.run_id: (r.create_timestamp, r.dagster_run.run_id) for r in records}
    return all(age >= ages[run_id] for age in ages.values())


_HOLDING = [*IN_PROGRESS_RUN_STATUSES, dg.DagsterRunStatus.NOT_STARTED]


def _origin(job: str) -> RemoteJobOrigin:
    """The job as the UI knows it, so that it links the run to its assets and can run it again."""
    target = LoadableTargetOrigin(
        module_name=MODULE,
        executable_path=None,
        python_file=None,
        working_directory=None,
        attribute=None,
        package_name=None,
    )
    location = ManagedGrpcPythonEnvCodeLocationOrigin(target, MODULE)
    return RemoteJobOrigin(RemoteRepositoryOrigin(location, "__repository__"), job)
