"""One agent at work on whole articles: every library's prompts in order, in one window."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from orch_dagster.core.brief import Brief
from orch_dagster.core.budget import NO_LIMIT
from orch_dagster.core.episode import Status
from orch_dagster.core.ledger import Ledger, Record
from orch_dagster.library import Library
from orch_dagster.library_work import Desk, run_pass, write_draft
from orch_dagster.means import Means
from orch_dagster.shelf import DRAFT, Shelf, transcript_bytes
from orch_dagster.subject import subject_of
from tests.benchmarks.flat.window import EnoughError, OneWindow
from tests.fakes.memory_store import MemoryStore

PIPELINE = "content"


def work_through(
    libraries: Sequence[Library], briefs: Sequence[Brief], model: OneWindow
) -> Mapping[str, Status]:
    """Ask every prompt of every library about these articles, each quality pass once.

    The engine is the libraries' own, only the model behind it keeps one window. Gives the worst
    status by article, of those that were finished before the model had enough.
    """
    found: dict[str, Status] = {}
    try:
        for brief in briefs:
            found[brief.slug] = asyncio.run(_article(libraries, brief, model))
    except EnoughError:
        pass
    return found


async def _article(libraries: Sequence[Library], brief: Brief, model: OneWindow) -> Status:
    model.turn_to(subject_of(brief).fields)
    desk = Desk(Shelf(MemoryStore(), PIPELINE), model, Means(NO_LIMIT, None))
    desk.shelf.write_brief(brief)
    statuses = {await _library(desk, library, brief) for library in libraries}
    return next(status for status in reversed(Status) if status in statuses)


async def _library(desk: Desk, library: Library, brief: Brief) -> Status:
    ledger = Ledger(
        article=brief.slug,
        input=brief.fingerprint(),
        records={},
        missing=frozenset(),
        running=False,
        broken_runs=0,
    )
    drafted = await write_draft(desk, library, ledger)
    path = desk.shelf.path(library.name, DRAFT, article=brief.slug)
    desk.shelf.store.write(path, transcript_bytes(drafted.transcript))
    records: dict[str, Record] = {library.draft_step: drafted.record}
    passed = await run_pass(desk, library, replace(ledger, records=records))
    return passed.record.status
