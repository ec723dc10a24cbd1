"""The jobs that the tests of the executor run; by name, so that other processes can load them."""

import asyncio
import contextvars
import logging
import os
import threading
import time
from pathlib import Path

import dagster as dg

from orch_dagster.executor import steps_at_once_executor

meeting = threading.Barrier(2)
trace: contextvars.ContextVar[str] = contextvars.ContextVar("trace", default="unset")


class Notes(dg.ConfigurableResource):
    """A folder in which steps leave marks, across processes."""

    folder: str

    def write(self, name: str, text: str = "") -> None:
        (Path(self.folder) / name).write_text(text, encoding="utf-8")

    def exists(self, name: str) -> bool:
        return (Path(self.folder) / name).exists()


@dg.op
def meet_a() -> str:
    meeting.wait(timeout=30)
    return "a"


@dg.op
def meet_b() -> str:
    meeting.wait(timeout=30)
    return "b"


@dg.op
def both(a: str, b: str) -> str:
    return a + b


@dg.job(executor_def=steps_at_once_executor)
def two_that_meet():
    both(meet_a(), meet_b())


@dg.op
async def async_meet_a() -> str:
    await asyncio.to_thread(meeting.wait, 30)
    return "a"


@dg.op
async def async_meet_b():
    yield dg.AssetMaterialization("met")
    await asyncio.to_thread(meeting.wait, 30)
    yield dg.Output("b")


@dg.job(executor_def=steps_at_once_executor)
def two_async_that_meet():
    both(async_meet_a(), async_meet_b())


@dg.op(retry_policy=dg.RetryPolicy(max_retries=2, delay=1))
def succeeds_on_the_third_try(context: dg.OpExecutionContext) -> int:
    if context.retry_number < 2:
        raise RuntimeError(f"try {context.retry_number}")
    return context.retry_number


@dg.op
def first() -> int:
    return 1


@dg.op
def add_one(number: int) -> int:
    return number + 1


@dg.job(executor_def=steps_at_once_executor)
def retried_beside_a_chain():
    add_one(succeeds_on_the_third_try())
    add_one.alias("chain_2")(add_one.alias("chain_1")(first()))


@dg.op
def asks_for_a_retry(context: dg.OpExecutionContext) -> int:
    if context.retry_number < 3:
        raise dg.RetryRequested(max_retries=3)
    return context.retry_number


@dg.op(retry_policy=dg.RetryPolicy(max_retries=1))
def never_succeeds() -> int:
    raise RuntimeError("never")


@dg.job(executor_def=steps_at_once_executor)
def asks_for_retries():
    add_one(asks_for_a_retry())


@dg.job(executor_def=steps_at_once_executor)
def never_succeeding():
    add_one(never_succeeds())


@dg.op
def fails_while_the_other_runs() -> int:
    meeting.wait(timeout=30)
    raise ValueError("broken on purpose")


@dg.op
def goes_on() -> int:
    meeting.wait(timeout=30)
    time.sleep(0.5)
    return 1


@dg.job(executor_def=steps_at_once_executor)
def failing_beside_running():
    add_one.alias("after_failure")(fails_while_the_other_runs())
    add_one.alias("after_success")(goes_on())


@dg.op
def fails_intentionally() -> int:
    raise dg.Failure("no", metadata={"why": "because"}, allow_retries=False)


@dg.op
def fails_the_framework():
    yield "not an event"


@dg.op
def fails_past_exception() -> int:
    raise SystemExit(3)


@dg.job(executor_def=steps_at_once_executor)
def failing_in_every_way():
    fails_intentionally()
    fails_the_framework()
    fails_past_exception()
    fails_while_the_other_runs()
    goes_on()


@dg.op(out={"given": dg.Out(int), "withheld": dg.Out(int, is_required=False)})
def withholds_one():
    yield dg.Output(1, "given")


@dg.job(executor_def=steps_at_once_executor)
def skipping():
    given, withheld = withholds_one()
    add_one.alias("runs")(given)
    add_one.alias("below_skipped")(add_one.alias("skipped")(withheld))


@dg.success_hook(required_resource_keys={"notes"})
def note_success(context: dg.HookContext) -> None:
    context.resources.notes.write(f"success-{context.op.name}", str(context.op_output_values))


@dg.failure_hook(required_resource_keys={"notes"})
def note_failure(context: dg.HookContext) -> None:
    context.resources.notes.write(f"failure-{context.op.name}", str(context.op_exception))


@dg.success_hook
def broken_hook(context: dg.HookContext) -> None:
    raise RuntimeError("a hook may not break the run")


@dg.op
def fails() -> int:
    raise ValueError("broken on purpose")


@dg.job(
    hooks={note_success, note_failure},
    resource_defs={"notes": Notes.configure_at_launch()},
    executor_def=steps_at_once_executor,
)
def hooked():
    add_one(first())
    fails()


@dg.job(hooks={broken_hook}, executor_def=steps_at_once_executor)
def with_a_broken_hook():
    add_one(first())


inside_pool = threading.Semaphore(1)


def _alone() -> int:
    if not inside_pool.acquire(blocking=False):
        raise RuntimeError("two steps in a pool of one")
    time.sleep(0.05)
    inside_pool.release()
    return 1


@dg.op(pool="one")
def pooled() -> int:
    return _alone()


@dg.op(pool="one", retry_policy=dg.RetryPolicy(max_retries=1))
def pooled_and_retried(context: dg.OpExecutionContext) -> int:
    if context.retry_number < 1:
        raise RuntimeError("once more")
    return _alone()


@dg.op(pool="one")
def pooled_and_fails() -> int:
    raise ValueError("broken on purpose")


@dg.job(executor_def=steps_at_once_executor)
def pool_of_one():
    for number in range(4):
        pooled.alias(f"pooled_{number}")()
    pooled_and_retried()


@dg.job(executor_def=steps_at_once_executor)
def pool_with_a_failure():
    pooled_and_fails()
    pooled.alias("pooled_a")()
    pooled.alias("pooled_b")()


@dg.op
def fails_in_the_first_run(notes: Notes, number: int) -> int:
    if not notes.exists("tried"):
        notes.write("tried")
        raise RuntimeError("the first run")
    return number + 10


@dg.job(resource_defs={"notes": Notes.configure_at_launch()}, executor_def=steps_at_once_executor)
def failing_once():
    add_one.alias("last")(fails_in_the_first_run(add_one(first())))


@dg.op(out=dg.DynamicOut(int))
def three():
    for number in range(3):
        yield dg.DynamicOutput(number, mapping_key=str(number))


@dg.op
def total(numbers: list[int]) -> int:
    return sum(numbers)


@dg.job(executor_def=steps_at_once_executor)
def fanned_out():
    total(three().map(add_one).collect())


counters = {"initialised": 0, "torn_down": 0}


@dg.resource
def counted(_):
    counters["initialised"] += 1
    yield counters
    counters["torn_down"] += 1


@dg.op(required_resource_keys={"counted"})
def uses_resource(context: dg.OpExecutionContext) -> bool:
    assert counters["torn_down"] == 0
    return context.resources.counted is counters


@dg.job(resource_defs={"counted": counted}, executor_def=steps_at_once_executor)
def sharing_a_resource():
    for number in range(8):
        uses_resource.alias(f"uses_{number}")()


def _asset_reading_its_context(number: int) -> dg.AssetsDefinition:
    @dg.asset(name=f"asset_{number}")
    async def reads_its_context() -> dg.MaterializeResult:
        before = dg.AssetExecutionContext.get().asset_key.to_user_string()
        await asyncio.sleep(0.05)
        after = dg.AssetExecutionContext.get().asset_key.to_user_string()
        assert before == after
        return dg.MaterializeResult(metadata={"said": f"{after} {trace.get()}"})

    return reads_its_context


def reading_contexts() -> dg.JobDefinition:
    assets = [_asset_reading_its_context(number) for number in range(8)]
    job = dg.define_asset_job("reading_contexts", executor_def=steps_at_once_executor)
    return dg.Definitions(assets=assets, jobs=[job]).resolve_job_def("reading_contexts")


@dg.op
def logs_its_name(context: dg.OpExecutionContext) -> None:
    for _ in range(5):
        dg.get_dagster_logger().info(f"python {context.op_handle.name}")
        logging.getLogger("a_library").info(f"library {context.op_handle.name}")
        context.log.info(f"context {context.op_handle.name}")
        time.sleep(0.01)


@dg.job(executor_def=steps_at_once_executor)
def logging_side_by_side():
    for number in range(8):
        logs_its_name.alias(f"logs_{number}")()


@dg.op
async def busy_with_events(context: dg.OpExecutionContext):
    for number in range(3):
        context.log.info(f"line {number}")
        yield dg.AssetMaterialization(context.op_handle.name, metadata={"number": number})
    yield dg.Output(None)


@dg.job(executor_def=steps_at_once_executor)
def thirty_two_at_once():
    for number in range(32):
        busy_with_events.alias(f"busy_{number}")()


class Neighbours:
    """Steps that leave only in full groups, counted while they are there."""

    def __init__(self, group: int):
        self.barrier = threading.Barrier(group)
        self.lock = threading.Lock()
        self.now = 0
        self.most = 0

    def visit(self) -> None:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        self.barrier.wait(timeout=30)
        time.sleep(0.05)
        with self.lock:
            self.now -= 1


neighbours = Neighbours(1)


@dg.op(tags={"kind": "counted"})
def counts_neighbours() -> None:
    neighbours.visit()


@dg.job(executor_def=steps_at_once_executor)
def counting_neighbours():
    for number in range(6):
        counts_neighbours.alias(f"counts_{number}")()


@dg.op
async def waits_async(notes: Notes) -> int:
    notes.write("async-started", str(os.getpid()))
    try:
        await asyncio.sleep(600)
    except asyncio.CancelledError:
        notes.write("async-cancelled")
        raise
    return 1


@dg.op(pool="one")
def blocks_sync(context: dg.OpExecutionContext, notes: Notes) -> int:
    notes.write("sync-started", str(os.getpid()))
    time.sleep(5)
    context.log.info("said after the end")
    notes.write("sync-woke")
    return 1


@dg.op(out=dg.Out(io_manager_key="noting_io"))
def blocks_with_output(notes: Notes) -> int:
    notes.write("output-started")
    time.sleep(5)
    return 1


class NotingIO(dg.ConfigurableIOManager):
    folder: str

    def handle_output(self, context: dg.OutputContext, obj: object) -> None:
        (Path(self.folder) / "output-stored").write_text(str(obj), encoding="utf-8")

    def load_input(self, context: dg.InputContext) -> object:
        raise NotImplementedError


waiting_resources = {
    "notes": Notes.configure_at_launch(),
    "noting_io": NotingIO.configure_at_launch(),
}


@dg.job(resource_defs=waiting_resources, executor_def=steps_at_once_executor)
def waiting():
    add_one(waits_async())
    blocks_sync()
    blocks_with_output()


@dg.job(resource_defs={"notes": Notes.configure_at_launch()}, executor_def=steps_at_once_executor)
def waiting_async():
    add_one(waits_async())


@dg.op
async def fails_when_the_other_waits(notes: Notes) -> None:
    while not notes.exists("async-started"):
        await asyncio.sleep(0.02)
    raise ValueError("broken on purpose")


@dg.job(resource_defs={"notes": Notes.configure_at_launch()}, executor_def=steps_at_once_executor)
def failing_beside_waiting():
    fails_when_the_other_waits()
    waits_async()


@dg.op
def interrupts_itself() -> None:
    raise KeyboardInterrupt


@dg.job(executor_def=steps_at_once_executor)
def interrupted_by_a_step():
    interrupts_itself()


defs = dg.Definitions(jobs=[waiting, waiting_async])
