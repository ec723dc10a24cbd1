"""The package of one article: its brief, where it stands, and what each library delivered."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

import dagster as dg

from orch_dagster.core.brief import Brief
from orch_dagster.core.decision import finish_of
from orch_dagster.core.episode import FLAG_EFFECTS, Flag, FlagEffect
from orch_dagster.core.ledger import Ledger
from orch_dagster.core.pipeline import Pipeline
from orch_dagster.event_log import read_ledgers
from orch_dagster.library import Library
from orch_dagster.report import article_report
from orch_dagster.shelf import DRAFT, PASS, Shelf
from orch_dagster.step import DeclaredPipeline
from orch_dagster.store import Store


class Assembled(Protocol):
    """A pipeline of libraries."""

    @property
    def declared(self) -> DeclaredPipeline: ...

    @property
    def libraries(self) -> tuple[Library, ...]: ...


@dataclass(frozen=True, slots=True)
class Part:
    """What one library gave: its report, its document, and what a reader must know of that.

    `report` is None where there is no current episode, `text` where the store has no document.
    """

    library: Library
    report: Mapping[str, Any] | None
    text: str | None
    path: str
    caveat: str | None

    @property
    def variant(self) -> str:
        """Which variant the row takes, `a` or `b`, where there are two."""
        flags = (Flag(name) for name in self.report["flags"]) if self.report else ()
        picked = any(FLAG_EFFECTS[flag] is FlagEffect.PICK_VARIANT_B for flag in flags)
        return "b" if picked else "a"


@dataclass(frozen=True, slots=True)
class Package:
    """All that is shown of one article; `models` are those that answered its prompts."""

    brief: Brief
    report: Mapping[str, Any]
    flags: tuple[Flag, ...]
    approved: bool
    parts: tuple[Part, ...]
    models: tuple[str, ...]


def read_package(
    instance: dg.DagsterInstance, pipeline: Assembled, store: Store, article: str
) -> Package:
    """The package as it stands now.

    Raises:
        DocumentError: the article's brief, or a transcript, is not there or not readable.
    """
    declared = pipeline.declared
    shelf = Shelf(store, declared.name)
    [ledger] = read_ledgers(instance, declared, [article], own_run=None, missing={}).values()
    report = article_report(declared.pipeline, ledger)
    finish = finish_of(declared.pipeline, ledger)
    ended = ledger.current(declared.pipeline.finish)
    return Package(
        brief=asyncio.run(shelf.brief(article)),
        report=report,
        flags=finish.flags if finish else tuple(Flag(name) for name in report["flags"]),
        approved=bool(ended and ended.approved),
        parts=read_parts(pipeline, store, ledger),
        models=asyncio.run(_models(shelf, pipeline.libraries, article)),
    )


def read_parts(pipeline: Assembled, store: Store, ledger: Ledger) -> tuple[Part, ...]:
    """What each library gave, in the order of the libraries."""
    shelf = Shelf(store, pipeline.declared.name)
    declared = pipeline.declared.pipeline
    reports = article_report(declared, ledger)["libraries"]
    outdated = _outdated(declared, ledger)
    parts: list[Part] = []
    for library in pipeline.libraries:
        path = shelf.deliverable_path(library, ledger.article)
        data = store.read(path)
        report = None if library.name in outdated else reports.get(library.name)
        parts.append(
            Part(
                library=library,
                report=report,
                text=None if data is None else data.decode("utf-8", "replace"),
                path=path,
                caveat=_caveat(report, data),
            )
        )
    return tuple(parts)


def _outdated(pipeline: Pipeline, ledger: Ledger) -> set[str]:
    """The steps whose record was made, perhaps by way of others, from what no longer stands."""
    found: set[str] = set()
    for step in pipeline.steps:
        if ledger.current(step) is None or found.intersection(step.needs):
            found.add(step.name)
    return found


def _caveat(report: Mapping[str, Any] | None, data: bytes | None) -> str | None:
    if report is None:
        earlier = "It was made from an earlier brief or draft and is not part of this package."
        return None if data is None else earlier
    if report["status"] != "complete":
        shown = "" if data is None else " What follows is an earlier result."
        return f"The newest attempt ended as {report['status']}.{shown}"
    if data is None:
        return "The document is no longer in the store."
    if report["sha256"] not in (None, sha256(data).hexdigest()):
        return "The document was changed after it was scored: the scores are of another text."
    return None


async def _models(shelf: Shelf, libraries: tuple[Library, ...], article: str) -> tuple[str, ...]:
    found = await asyncio.gather(
        *(
            shelf.transcript(library.name, folder, article)
            for library in libraries
            for folder in (DRAFT, PASS)
        )
    )
    return tuple(
        sorted({a.model for transcript in found if transcript for a in transcript.answers})
    )
