"""Drives articles to their end from the command line: the sensor's decisions, run in this process."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from dagster._core.types.loadable_target_origin import LoadableTargetOrigin
from dagster._core.utils import make_new_run_id

from orch_dagster.core.decision import Decision, decide, groups, renewal
from orch_dagster.core.ledger import Ledger
from orch_dagster.event_log import read_ledgers
from orch_dagster.process import bury_dead_runs, process_tag
from orch_dagster.runs import (
    APPROVED_TAG,
    PERSON_TAG,
    REASON_TAG,
    article_tags,
    articles_of,
    decision_tags,
    runs_at_work,
)
from orch_dagster.step import DeclaredPipeline
from orch_dagster.store import Store
from orch_dagster.verify import missing_steps

MODULE = "orch_dagster.definitions"
"""What the code location loads, and its name in the UI."""

Why = Mapping[str, str]
"""The tags that say why a run is made."""

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


@dataclass(frozen=True, slots=True)
class Ears:
    """Who hears what happens: `decided` each article's decisions, `broke` what broke a run."""

    decided: Callable[[str, Decision], None]
    broke: Callable[[str], None]


def drive(
    workbench: Workbench, articles: Sequence[str], *, at_once: int, ears: Ears
) -> dict[str, Ledger]:
    """Run what is due for these articles until nothing is; their ledgers as they then stand.

    At most `at_once` articles go into one run, those together for which the same steps are due. A
    person asked: earlier failures are forgiven, and documents that are gone from the store are
    noticed. A run that someone else has at work is waited for; one in the queue, for which there
    may be no daemon, waits for ours.
    """
    drive = _Drive(workbench, articles, at_once, ears)
    while drive.pending:
        due = drive.look()
        drive.execute(due)
        if drive.pending and not due:
            time.sleep(_LOOK_AGAIN_S)
    return {article: drive.ended[article] for article in dict.fromkeys(articles)}


class _Drive:
    """Articles on their way: `pending` have not ended, `asked` have had no run for the person yet."""

    def __init__(
        self, workbench: Workbench, articles: Sequence[str], at_once: int, ears: Ears
    ) -> None:
        self._workbench, self._at_once, self._ears = workbench, at_once, ears
        self.pending = list(dict.fromkeys(articles))
        self.asked = set(articles)
        self.ended: dict[str, Ledger] = {}

    def look(self) -> dict[str, Decision]:
        """What is due now, by article; those that have come to an end are put aside."""
        due: dict[str, Decision] = {}
        for article, ledger in look(self._workbench, self.pending).items():
            decision = self._decide(article, ledger)
            self._ears.decided(article, decision)
            if decision.actions:
                due[article] = decision
            elif not ledger.running:
                self.ended[article] = ledger
        self.pending = [article for article in self.pending if article not in self.ended]
        return due

    def _decide(self, article: str, ledger: Ledger) -> Decision:
        """A person's request forgives earlier failures, and renews what edited prompts outdate."""
        pipeline = self._workbench.declared.pipeline
        asked = article in self.asked
        return renewal(pipeline, ledger.forgiven()) if asked else decide(pipeline, ledger)

    def execute(self, due: Mapping[str, Decision]) -> None:
        """Carry out what is due. An article's own failure breaks no run: it is in its documents.

        Articles whose earlier failures the person's request forgives go apart from others.
        """
        by_person = {article: one for article, one in due.items() if article in self.asked}
        others = {article: one for article, one in due.items() if article not in self.asked}
        for some, tags in ((by_person, {PERSON_TAG: "true"}), (others, {})):
            for steps, group in groups(self._workbench.declared.pipeline, some, most=self._at_once):
                self._execute(tuple(group), steps, {**decision_tags(group), **tags})

    def _execute(self, articles: Sequence[str], steps: tuple[str, ...], why: Why) -> None:
        faults = _run(self._workbench, articles, steps, why)
        if faults is None:  # another run was there before: the request still stands
            return
        self.asked.difference_update(articles)
        for fault in faults:
            self._ears.broke(fault)


def approve(workbench: Workbench, article: str) -> Iterator[str]:
    """Lift the review of an article that waits for one; yields what was in the way, if anything."""
    finish = workbench.declared.pipeline.finish.name
    why = {APPROVED_TAG: "true", REASON_TAG: "a person approved it"}
    faults = _run(workbench, (article,), (finish,), why)
    yield from ("a run on it goes on; try again when it has ended",) if faults is None else faults


def look(workbench: Workbench, articles: Sequence[str]) -> dict[str, Ledger]:
    """The articles' ledgers, with the steps whose documents are gone from the store.

    Runs whose process was killed are buried first, so that they do not count as in flight.
    """
    instance, declared = workbench.instance, workbench.declared
    bury_dead_runs(instance)
    ledgers = read_ledgers(instance, declared, articles, own_run=None, missing={})
    missing = missing_steps(workbench.store, declared, ledgers.values())
    at_work = articles_of(
        instance, declared, [record.dagster_run for record in runs_at_work(instance, declared)]
    )
    return {
        article: replace(ledger, missing=missing[article], running=article in at_work)
        for article, ledger in ledgers.items()
    }


def _run(
    workbench: Workbench, articles: Sequence[str], steps: tuple[str, ...], why: Why
) -> tuple[str, ...] | None:
    """What broke a run of these steps, or None where another run was there before."""
    selection = frozenset(workbench.declared.selection(steps))
    instance, run_id = workbench.instance, make_new_run_id()
    run = instance.create_run_for_job(
        run_id=run_id,
        job_def=workbench.job.get_subset(asset_selection=selection),
        run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        tags={**workbench.tags, **article_tags(articles), **why, **process_tag(run_id)},
        asset_selection=selection,
        remote_job_origin=_origin(workbench.declared.name),
    )
    if not _is_first(workbench, frozenset(articles), run_id):
        instance.delete_run(run_id)
        return None
    whom = ", ".join(articles[:3]) + (f" and {len(articles) - 3} more" if articles[3:] else "")
    events = execute_run_iterator(InMemoryJob(workbench.job), run, instance)
    return tuple(f"{whom}: {fault}" for fault in _faults(events, run_id))


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


def _is_first(workbench: Workbench, articles: frozenset[str], run_id: str) -> bool:
    """Whether no run on one of these articles, seen now that ours is in the list, was there first.

    Two that start at once both see both, and agree on the older, unless one has begun already.
    """
    instance, declared = workbench.instance, workbench.declared
    others = [
        record
        for record in runs_at_work(instance, declared)
        if record.dagster_run.run_id != run_id
        and not articles.isdisjoint(articles_of(instance, declared, [record.dagster_run]))
    ]
    own = instance.get_run_record_by_id(run_id)
    return own is not None and all(
        other.dagster_run.status is dg.DagsterRunStatus.NOT_STARTED
        and (own.create_timestamp, run_id) < (other.create_timestamp, other.dagster_run.run_id)
        for other in others
    )


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
