"""The row as a step: it depends on episodes only, and so does its making."""

from typing import Protocol

import dagster as dg

from orch_dagster.core.decision import finish_of
from orch_dagster.core.episode import Status
from orch_dagster.core.ledger import Ledger, Record
from orch_dagster.core.pipeline import Pipeline
from orch_dagster.core.row import Row, assemble
from orch_dagster.event_log import record_metadata
from orch_dagster.runs import APPROVED_TAG
from orch_dagster.shelf import ROW
from orch_dagster.step import Bench, DocumentSpec, Location, Made, StepDeclaration, Worked

KEY = dg.AssetKey(ROW)

ROWS = "rows"
"""The resource key of the table of rows."""


class RowTable(Protocol):
    """Where other tools look rows up: one line an article."""

    def upsert(self, row: Row) -> None:
        """Put the row there, in place of an earlier one of the same article."""
        ...


def row_step(pipeline: Pipeline, episodes: tuple[dg.AssetKey, ...]) -> StepDeclaration:
    """The declaration of the row; an article whose gates have not passed has none yet."""
    document = DocumentSpec(
        key=KEY,
        location=Location(f"{pipeline.name}/{ROW}", ".json"),
        deps=episodes,
        description="The assembled result of one article: references to the deliverables, "
        "scores, flags, cost. It is made from episodes; no deliverable is opened.",
        group=ROW,
        kinds=frozenset({"json"}),
        code_version="1",
        optional=True,
    )

    async def work(bench: Bench, ledger: Ledger) -> Worked:
        finish = finish_of(pipeline, ledger)
        if finish is None:
            return Worked({}, None)
        ended = ledger.current(pipeline.finish)
        approved = APPROVED_TAG in bench.tags or bool(ended and ended.approved)
        row = assemble(pipeline, ledger, finish, approved=approved)
        bench.resources.rows.upsert(row)
        return _worked(bench, document, row)

    return StepDeclaration(
        step=pipeline.finish,
        documents=(document,),
        record=KEY,
        resources=frozenset({ROWS}),
        work=work,
    )


def _worked(bench: Bench, spec: DocumentSpec, row: Row) -> Worked:
    data = (row.model_dump_json(indent=2) + "\n").encode()
    document = bench.shelf.store.describe(spec.location.path(row.article), data)
    record = Record(
        fingerprint=document.sha256[:16],
        made_from=row.made_from,
        status=Status.COMPLETE,
        episode=None,
        scorings=0,
        failures=0,
        document=document,
        cost_usd=row.cost_usd,
        approved=row.approved,
    )
    metadata = record_metadata(record) | {
        "status": row.status,
        "decision": row.decision,
        "flags": ", ".join(row.flags) or "none",
        "libraries": len(row.libraries),
        "words": row.word_count,
        "tokens": row.tokens,
        "latency_ms": row.latency_ms,
        ROW: dg.MetadataValue.json(row.model_dump(mode="json")),
    }
    return Worked({KEY: Made(data, record.fingerprint, metadata)}, record)
