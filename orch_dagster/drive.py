"""Drives articles to their end from the command line: the sensor's decisions, run in this process."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import dagster as dg
from dagster._core.definitions.job_base import InMemoryJob
from dagster._core.events import RunFailureReason
from dagster._core.execution.api import execute_run_iterator
from dagster._core.remote_origin import (
    ManagedGrpcPythonEnvCodeLocationOrigin,
    RemoteJobOrigin,
    RemoteRepositoryOrigin,
)
from dagster._core.storage.tags import PARTITION_NAME_TAG
from dagster._core.types.loadable_target_origin import LoadableTargetOrigin
from dagster._core.utils import make_new_run_id

from orch_dagster.core.decision import Decision, decide, steps_of
from orch_dagster.core.ledger import Ledger
from orch_dagster.event_log import (
    APPROVED_TAG,
    PERSON_TAG,
    REASON_TAG,
    articles_of,
    read_ledgers,
    run_tags,
    runs_at_work,
)
from orch_dagster.process import bury_dead_runs, process_tag
from orch_dagster.step import DeclaredPipeline
from orch_dagster.store import Store
from orch_dagster.verify import missing_steps

MODULE = "orch_dagster.definitions"
"""What the code location loads, and its name in the UI."""

_LOOK_AGAIN_S = 1.0


@dataclass(frozen=True, slots=True)
class Workbench:
    """What driving needs: the instance, one pipeline of it with its job, the store.

    All runs carry `tags`.
    """

    instance: dg.DagsterInstance
    declared: DeclaredPipeline
    job: dg.JobDefinition
    store: Store
    tags: Mapping[str, str] = field(default_factory=dict)


def drive(
    workbench: Workbench,
    article: str,
    *,
    tell: Callable[[Decision], None],
    complain: Callable[[str], None],
) -> Ledger:
    """Run what is due for one article until nothing is; the ledger as it then stands.

    A person asked: earlier failures are forgiven, and documents that are gone from the store are
    noticed. A run that someone else has at work is waited for; one in the queue, for which there
    may be no daemon, waits for ours. `tell` hears each decision, `complain` what broke a run.
    """
    by_person = True
    while True:
        ledger = look(workbench, article)
        seen = ledger.forgiven() if by_person else ledger
        decision = decide(workbench.declared.pipeline, seen)
        tell(decision)
        if decision.actions:
            faults = _execute(workbench, article, decision, by_person=by_person)
            for fault in faults or ():
                complain(f"{article}: {fault}")
            by_person = by_person and faults is None
        elif ledger.running:
            time.sleep(_LOOK_AGAIN_S)
        else:
            return ledger


def approve(workbench: Workbench, article: str) -> Iterator[str]:
    """Lift the review of an article that waits for one; yields what was in the way, if anything."""
    finish = workbench.declared.pipeline.finish.name
    selection = frozenset(workbench.declared.selection((finish,)))
    tags = {
        PARTITION_NAME_TAG: article,
        APPROVED_TAG: "true",
        REASON_TAG: "a person approved it",
    }
    faults = _run(workbench, article, selection, tags)
    yield from ("a run on it goes on; try again when it has ended",) if faults is None else faults


def look(workbench: Workbench, article: str) -> Ledger:
    """The article's ledger, with the steps whose documents are gone from the store.

    Runs whose process was killed are buried first, so that they do not count as in flight.
    """
    bury_dead_runs(workbench.instance)
    [ledger] = read_ledgers(
        workbench.instance, workbench.declared, [article], own_run=None, missing={}
    ).values()
    missing = missing_steps(workbench.store, workbench.declared, [ledger])
    at_work = _others_at_work(workbench, article, own_run=None)
    return replace(ledger, missing=missing[article], running=bool(at_work))


def _execute(
    workbench: Workbench, article: str, decision: Decision, *, by_person: bool
) -> tuple[str, ...] | None:
    """Carry out a decision in a run of this process; what broke it, or None where it did not run.

    An article's own failure breaks no run: it is in its documents.
    """
    declared = workbench.declared
    selection = frozenset(declared.selection(steps_of(declared.pipeline, decision.actions)))
    tags = {**run_tags(article, decision), **({PERSON_TAG: "true"} if by_person else {})}
    return _run(workbench, article, selection, tags)


def _run(
    workbench: Workbench,
    article: str,
    selection: frozenset[dg.AssetKey],
    tags: Mapping[str, str],
) -> tuple[str, ...] | None:
    """What broke a run of these assets, or None where another run was there before."""
    instance, run_id = workbench.instance, make_new_run_id()
    run = instance.create_run_for_job(
        run_id=run_id,
        job_def=workbench.job.get_subset(asset_selection=selection),
        run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        tags={**workbench.tags, **tags, **process_tag(run_id)},
        asset_selection=selection,
        remote_job_origin=_origin(workbench.declared.name),
    )
    if not _is_first(workbench, article, run_id):
        instance.delete_run(run_id)
        return None
    return tuple(_faults(execute_run_iterator(InMemoryJob(workbench.job), run, instance), run_id))


def _faults(events: Iterator[dg.DagsterEvent], run_id: str) -> Iterator[str]:
    """Raises KeyboardInterrupt once the run has ended because of one: Dagster keeps it to itself."""
    for event in events:
        if event.is_step_failure and (error := event.step_failure_data.error):
            cause = error.cause or error
            yield f"step {event.step_key!r} broke: {cause.message.strip()} (run {run_id})"
        if event.is_job_failure and (
            event.job_failure_data.failure_reason is RunFailureReason.UNEXPECTED_TERMINATION
        ):
            raise KeyboardInterrupt


def _is_first(workbench: Workbench, article: str, run_id: str) -> bool:
    """Whether no run on this article, seen now that ours is in the list, was there before ours.

    Two that start at once both see both, and agree on the older, unless one has begun already.
    """
    others = _others_at_work(workbench, article, own_run=run_id)
    own = workbench.instance.get_run_record_by_id(run_id)
    return own is not None and all(
        other.dagster_run.status is dg.DagsterRunStatus.NOT_STARTED
        and (own.create_timestamp, run_id) < (other.create_timestamp, other.dagster_run.run_id)
        for other in others
    )


def _others_at_work(
    workbench: Workbench, article: str, *, own_run: str | None
) -> list[dg.RunRecord]:
    instance, declared = workbench.instance, workbench.declared
    return [
        record
        for record in runs_at_work(instance, declared)
        if record.dagster_run.run_id != own_run
        and article in articles_of(instance, declared, [record.dagster_run])
    ]


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
