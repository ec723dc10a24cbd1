"""The sensor of an inbox: it registers; what is registered, the orchestrator runs."""

import time

import dagster as dg

from orch_dagster.core.inbox import Memory
from orch_dagster.enrolment import Enrolment
from orch_dagster.inbox import FolderError, Inbox, Look, Pace, look
from orch_dagster.inbox_memory import remember, remembered
from orch_dagster.step import DeclaredPipeline
from orch_dagster.store import Store

SECONDS_BETWEEN_LOOKS = 15

PACE = Pace()


def inbox_sensor(
    declared: DeclaredPipeline, inbox: Inbox, pace: Pace = PACE
) -> dg.SensorDefinition:
    """The sensor of one pipeline's inbox.

    Each sentence stands once in a tick's skip reason and in the log; `orch status` shows all that
    stand. A cursor that a person resets makes it look at everything anew.
    """
    url = inbox.folder.url

    @dg.sensor(
        name=f"{declared.name}_inbox",
        minimum_interval_seconds=SECONDS_BETWEEN_LOOKS,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description=f"Registers what is new or changed in {url}; it launches nothing itself.",
    )
    def watch(
        context: dg.SensorEvaluationContext, store: dg.ResourceParam[Store]
    ) -> dg.SensorResult | dg.SkipReason:
        before = remembered(context.instance, declared, url) if context.cursor else None
        memory = before or Memory.blank(url)
        enrolment = Enrolment(context.instance, declared, store)
        try:
            found = look(inbox, enrolment, memory, now=time.time(), pace=pace)
        except FolderError as error:
            return dg.SkipReason(str(error))
        if found.memory != before:
            remember(context.instance, declared, found.memory)
        for sentence in found.news:
            context.log.warning(sentence)
        return dg.SensorResult(skip_reason=dg.SkipReason(told(found)), cursor=url)

    return watch


def told(found: Look) -> str:
    """A look in words: what it did in one line, then a line for each new sentence."""
    done = f"registered {', '.join(found.enrolled)}" if found.enrolled else "nothing new"
    parts = [f"{done}; {found.files} files in the inbox"]
    if found.left:
        parts.append(f"{found.left} of them wait for the next look")
    standing = len(found.memory.faults()) - len(found.news)
    if standing > 0:
        parts.append(f"{standing} sentences about others stand ('orch status')")
    return "\n".join(["; ".join(parts), *found.news])
