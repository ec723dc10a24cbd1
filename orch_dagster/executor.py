"""A Dagster executor: every ready step of a run at once, each in a thread of the run's own process.

Dagster has no public API for what an executor needs; everything imported below from `dagster._core` and
`dagster._utils`, and every attribute with a leading underscore, was read in Dagster 1.13.28. The behaviour follows
`dagster/_core/executor/in_process.py` where both can agree, and `multiprocess.py` where steps run side by side.

Limits: a thread cannot be interrupted, so a step that blocks in synchronous code outlives a terminated run by what is
left of its call. From then on it can store neither events nor outputs, and it does not keep the process from ending
(a job that it left in the thread pool of `asyncio` or `concurrent.futures` does). Each asynchronous step has an event
loop of its own: objects bound to a loop must not be shared between steps. What steps print lands in one log per run.
"""

import asyncio
import contextlib
import contextvars
import logging
import os
import queue
import sys
import threading
import time
import warnings
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any, cast

import dagster as dg
from dagster._core.errors import DagsterExecutionInterruptedError
from dagster._core.events import DagsterEvent, EngineEventData
from dagster._core.execution.api import ExecuteRunWithPlanIterable
from dagster._core.execution.compute_logs import create_compute_log_file_key
from dagster._core.execution.context.system import (
    PlanExecutionContext,
    PlanOrchestrationContext,
    StepExecutionContext,
)
from dagster._core.execution.context_creation_job import PlanExecutionContextManager
from dagster._core.execution.plan.active import ActiveExecution
from dagster._core.execution.plan.execute_plan import (
    _handle_compute_log_setup_error,
    _handle_compute_log_teardown_error,
    _trigger_hook,
    dagster_event_sequence_for_step,
)
from dagster._core.execution.plan.instance_concurrency_context import InstanceConcurrencyContext
from dagster._core.execution.plan.plan import ExecutionPlan
from dagster._core.execution.plan.step import ExecutionStep
from dagster._core.execution.retries import RetryMode, get_retries_config
from dagster._core.execution.tags import get_tag_concurrency_limits_config
from dagster._core.log_manager import DagsterLogHandler, DagsterLogManager
from dagster._utils.interrupts import pop_captured_interrupt

from orch_dagster.process import name_process
from orch_dagster.turn import wait_for_turn

TICK_S = 0.2
"""How long a termination request, or a slot freed by another run, may go unnoticed."""

GRACE_S = 0.75
"""How long a terminated run waits for its steps; the rest of two seconds goes to noticing and to the last events."""


class Attempt:
    """One try of one step in a thread of its own; a retry is a new attempt."""

    def __init__(self, context: StepExecutionContext, reports: "queue.SimpleQueue[Report]"):
        self.context = context
        self.step_key = context.step.key
        self.resolved = False
        self._reports = reports
        self._stopping = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._log = StepLogHandler.replace(context)
        self._thread = threading.Thread(
            # Like in-process steps, a step sees the context variables of whoever started the run.
            target=contextvars.copy_context().run,
            args=(self._work,),
            name=f"step {self.step_key}",
            daemon=True,
        )

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Asynchronous code gets a `CancelledError` where it waits; synchronous code ends at its next event."""
        self._stopping.set()
        loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop was closed in between
                loop.call_soon_threadsafe(_cancel_all_tasks, loop)

    def silence(self) -> None:
        """Nothing that the thread still does is stored from here on."""
        self._log.silenced = True

    def _work(self) -> None:
        speaking.set(self._log)
        error: BaseException | None = None
        try:
            with asyncio.Runner() as runner:
                self._loop = self.context._event_loop = runner.get_loop()
                self._execute()
        except BaseException as caught:  # every one is handed to the run's thread
            error = caught
        self._reports.put(Ended(self, error))

    def _execute(self) -> None:
        told: list[DagsterEvent] = []
        for event in self._step_events():
            told.append(event)
            self._reports.put(Told(self, event))
        for event in _trigger_hook(self.context, told):
            self._reports.put(Told(self, event))

    def _step_events(self) -> Iterator[DagsterEvent]:
        events = cast(
            Generator[DagsterEvent, None, None], dagster_event_sequence_for_step(self.context)
        )
        for event in events:
            yield event
            if self._stopping.is_set() and not _resolves(event):
                yield events.throw(DagsterExecutionInterruptedError())


@dataclass(frozen=True, slots=True)
class Told:
    """A step has stored an event."""

    attempt: Attempt
    event: DagsterEvent


@dataclass(frozen=True, slots=True)
class Ended:
    """An attempt's thread is done, hooks included; the error is one that Dagster did not turn into an event."""

    attempt: Attempt
    error: BaseException | None


Report = Told | Ended

speaking: contextvars.ContextVar["StepLogHandler | None"] = contextvars.ContextVar(
    "orch_dagster_speaking", default=None
)


class StepLogHandler(DagsterLogHandler):
    """Keeps apart what steps log through Python's own loggers at the same time.

    Dagster hangs one handler per running step on the same loggers, and the first one takes every record, whichever
    step logged it. A record without a step (from a thread that a step made by hand) is still taken by the first one.
    """

    silenced = False
    _run_thread = 0

    @classmethod
    def replace(cls, context: StepExecutionContext) -> "StepLogHandler":
        """Called in the run's thread, before the step starts; returns the handler that the step's log now has."""
        plain = context.log._dagster_handler
        handler = cls(plain.metadata, plain._loggers, plain._handlers)
        handler._run_thread = threading.get_ident()
        context._log_manager = DagsterLogManager(
            dagster_handler=handler,
            level=context.log.level,
            managed_loggers=context.log._managed_loggers,
        )
        return handler

    def filter(self, record: logging.LogRecord) -> bool:
        if self.silenced:
            return False
        speaker = speaking.get()
        nobody = speaker is None and threading.get_ident() != self._run_thread
        return (speaker is self or nobody) and super().filter(record)


class PoolSlots(InstanceConcurrencyContext):
    """Pool slots of a run whose steps all live in this process: none outlives the run, none waits without need."""

    def __exit__(self, *exc_info) -> None:
        for step_key in tuple(self._claims):
            self.free_step(step_key)
        super().__exit__(*exc_info)

    def free_step(self, step_key: str) -> None:
        held = step_key in self._claims
        super().free_step(step_key)
        if held:
            # Dagster asks again after 1 to 15 seconds; what we freed ourselves can be claimed at once.
            self._pending_timeouts.clear()
            self._pending_claim_counts.clear()


class Run:
    """The run's own thread: starts what is ready, takes reports, ends what must end."""

    def __init__(self, job_context: PlanExecutionContext, active: ActiveExecution, *, limit: int):
        self._job_context = job_context
        self._active = active
        self._limit = limit
        self._attempts: set[Attempt] = set()
        self._reports: queue.SimpleQueue[Report] = queue.SimpleQueue()

    def events(self) -> Iterator[DagsterEvent]:
        """Raises what a step raised past Dagster's own handling, and on interruption the error Dagster knows it by."""
        try:
            while self._attempts or not self._active.is_complete:
                yield from self._advance()
        except GeneratorExit:  # whoever reads the events has gone: there is nobody to tell
            self._stop_all()
            raise
        except BaseException as error:
            yield from self._end_early(error)
            raise
        finally:
            for attempt in self._attempts:
                attempt.silence()

    def _advance(self) -> Iterator[DagsterEvent]:
        if pop_captured_interrupt():
            raise DagsterExecutionInterruptedError
        for step in self._active.get_steps_to_execute(limit=self._limit - len(self._attempts)):
            self._start(step)
        yield from self._active.concurrency_event_iterator(self._job_context)
        yield from self._active.plan_events_iterator(self._job_context)
        if self._attempts or not self._active.is_complete:
            for report in self._take(self._patience()):
                yield from self._handle(report)

    def _start(self, step: ExecutionStep) -> None:
        known = self._active.get_known_state()
        # The set of ready outputs goes on growing here while the step's thread reads it.
        known = known._replace(ready_outputs=set(known.ready_outputs))
        attempt = Attempt(self._job_context.for_step(step, known), self._reports)
        self._attempts.add(attempt)
        attempt.start()

    def _patience(self) -> float:
        until_retry = self._active.sleep_interval()  # not above zero when it does not know
        return min(TICK_S, until_retry) if until_retry > 0 else TICK_S

    def _take(self, timeout: float) -> Iterator[Report]:
        with contextlib.suppress(queue.Empty):
            yield self._reports.get(timeout=timeout)
            while True:
                yield self._reports.get_nowait()

    def _handle(self, report: Report) -> Iterator[DagsterEvent]:
        match report:
            case Told(attempt, event):
                yield event
                self._active.handle_event(event)
                attempt.resolved = attempt.resolved or _resolves(event)
            case Ended(attempt, error):
                self._attempts.remove(attempt)
                if error is not None:
                    raise error
                if not attempt.resolved:
                    self._active.verify_complete(self._job_context, attempt.step_key)
                # What comes below dynamic outputs is in the plan only after this: without it,
                # the plan looks complete.
                yield from self._active.plan_events_iterator(self._job_context)

    def _stop_all(self) -> None:
        for attempt in self._attempts:
            attempt.stop()

    def _end_early(self, reason: BaseException) -> Iterator[DagsterEvent]:
        if not self._attempts:
            return
        self._stop_all()
        step_keys = sorted(attempt.step_key for attempt in self._attempts)
        yield DagsterEvent.engine_event(
            self._job_context,
            f"Stopping {len(step_keys)} running steps after {type(reason).__name__}",
            EngineEventData.interrupted(step_keys),
        )
        deadline = time.monotonic() + GRACE_S
        while self._attempts and time.monotonic() < deadline:
            for report in self._take(max(0.0, deadline - time.monotonic())):
                if isinstance(report, Told):
                    yield report.event
                else:  # an error here is the stop itself, and stored as the step's failure
                    self._attempts.remove(report.attempt)


@dataclass(frozen=True)
class StepsAtOnce(dg.Executor):
    limit: int
    retry_mode: RetryMode
    tag_concurrency_limits: list[dict] | None

    @property
    def retries(self) -> RetryMode:
        return self.retry_mode

    def execute(
        self, plan_context: PlanOrchestrationContext, execution_plan: ExecutionPlan
    ) -> Iterator[DagsterEvent]:
        started = time.monotonic()
        # The daemon does not know of a killed process either when it was killed with it.
        name_process(plan_context.instance, plan_context.dagster_run)
        yield from wait_for_turn(plan_context)
        yield _engine_event(plan_context, execution_plan, "Executing steps at once in one process")
        yield from ExecuteRunWithPlanIterable(
            execution_plan=plan_context.execution_plan,
            iterator=self._steps,
            execution_context_manager=PlanExecutionContextManager(
                job=plan_context.job,
                retry_mode=plan_context.retry_mode,
                execution_plan=plan_context.execution_plan,
                run_config=plan_context.run_config,
                dagster_run=plan_context.dagster_run,
                instance=plan_context.instance,
                raise_on_error=plan_context.raise_on_error,
                output_capture=plan_context.output_capture,
            ),
        )
        took = f"Finished steps in {time.monotonic() - started:.2f} s"
        yield _engine_event(plan_context, execution_plan, took)

    def _steps(
        self, job_context: PlanExecutionContext, execution_plan: ExecutionPlan
    ) -> Iterator[DagsterEvent]:
        with (
            # Dagster mutes warnings in every step, which is not thread-safe before Python 3.14: what
            # interleaved steps leave behind must not outlive the run.
            warnings.catch_warnings(),
            PoolSlots(job_context.instance, job_context.dagster_run) as slots,
            execution_plan.start(
                retry_mode=job_context.retry_mode,
                tag_concurrency_limits=self.tag_concurrency_limits,
                instance_concurrency_context=slots,
            ) as active,
        ):
            run = Run(job_context, active, limit=self.limit)
            yield from _with_captured_output(job_context, execution_plan, run.events())


@dg.executor(
    name="steps_at_once",
    config_schema=dg.Field(
        {
            "limit": dg.Field(
                int,
                default_value=32,
                description="How many steps may run at the same time. Must be at least 1.",
            ),
            "retries": get_retries_config(),
            "tag_concurrency_limits": get_tag_concurrency_limits_config(),
        },
        description="Execute every ready step at once, each in a thread of the run's process.",
    ),
)
def steps_at_once_executor(init_context: dg.InitExecutorContext) -> StepsAtOnce:
    """Configured like the executors that come with Dagster: `limit`, `retries`, `tag_concurrency_limits`.

    Raises `DagsterInvariantViolationError` when the limit is below 1; Dagster then fails the run with its text.
    """
    config = cast(dict[str, Any], init_context.executor_config)
    limit = config["limit"]
    if limit < 1:
        raise dg.DagsterInvariantViolationError(
            f"executor 'steps_at_once': limit must be at least 1, not {limit!r}"
        )
    (retries,) = config["retries"]
    return StepsAtOnce(limit, RetryMode(retries), config.get("tag_concurrency_limits"))


def _with_captured_output(
    job_context: PlanExecutionContext,
    execution_plan: ExecutionPlan,
    events: Iterator[DagsterEvent],
) -> Iterator[DagsterEvent]:
    """Stdout and stderr of the whole process are captured for all steps together, as in-process runs do."""
    manager = job_context.instance.compute_log_manager
    log_key = manager.build_log_key_for_run(job_context.run_id, create_compute_log_file_key())
    step_keys = [step.key for step in execution_plan.get_steps_to_execute_in_topo_order()]
    with contextlib.ExitStack() as capture:
        try:
            captured = capture.enter_context(manager.capture_logs(log_key))
            yield DagsterEvent.capture_logs(job_context, step_keys, log_key, captured)
        except Exception:
            yield from _handle_compute_log_setup_error(job_context, sys.exc_info())
        yield from events
        try:
            capture.close()
        except Exception:
            yield from _handle_compute_log_teardown_error(job_context, sys.exc_info())


def _engine_event(
    plan_context: PlanOrchestrationContext, execution_plan: ExecutionPlan, message: str
) -> DagsterEvent:
    return DagsterEvent.engine_event(
        plan_context,
        f"{message} (pid: {os.getpid()})",
        event_specific_data=EngineEventData.in_process(
            os.getpid(), execution_plan.step_keys_to_execute
        ),
    )


def _resolves(event: DagsterEvent) -> bool:
    """Whether the event is the last of its attempt."""
    return event.is_step_success or event.is_step_failure or event.is_step_up_for_retry


def _cancel_all_tasks(loop: asyncio.AbstractEventLoop) -> None:
    for task in asyncio.all_tasks(loop):
        task.cancel()
