"""The row as a Dagster asset: it depends on episodes only, and so does its making."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import dagster as dg

from orch_dagster.core.decision import decide, finish_of
from orch_dagster.core.episode import Status
from orch_dagster.core.ledger import Document, Record
from orch_dagster.core.row import Row, assemble
from orch_dagster.declared import DeclaredPipeline, Location
from orch_dagster.event_log import APPROVED_TAG, read_ledgers, record_metadata
from orch_dagster.library_assets import DOCUMENTS
from orch_dagster.materialize import Made, optional_outputs
from orch_dagster.shelf import ROW
from orch_dagster.store import Store

KEY = dg.AssetKey(ROW)


class RowTable(Protocol):
    """Where other tools look rows up: one line an article."""

    def upsert(self, row: Row) -> None:
        """Put the row there, in place of an earlier one of the same article."""
        ...


def row_asset(declared: DeclaredPipeline, episodes: tuple[dg.AssetKey, ...]) -> dg.AssetsDefinition:
    """The row of one pipeline's articles; left out where an article's gates have not passed."""
    where = declared.locations[KEY]

    @dg.multi_asset(
        name="assemble_row",
        specs=[
            dg.AssetSpec(
                KEY,
                deps=episodes,
                skippable=True,
                description="The assembled result of one article: references to the deliverables, "
                "scores, flags, cost. It is made from episodes; no deliverable is opened.",
                group_name="row",
                code_version="1",
                kinds={"json"},
                metadata=where.metadata(),
            ).with_io_manager_key(DOCUMENTS)
        ],
        partitions_def=declared.partitions,
        required_resource_keys={"store", "rows"},
    )
    def assemble_row(context: dg.AssetExecutionContext) -> Iterator[Any]:
        store: Store = context.resources.store
        table: RowTable = context.resources.rows
        rows: dict[str, Made] = {}
        ledgers = read_ledgers(
            context.instance,
            declared,
            context.partition_keys,
            own_run=context.run.run_id,
            missing={},
        )
        for article, ledger in ledgers.items():
            decision = decide(declared.pipeline, ledger)
            context.log.info(f"{article}: {decision.state}; {'; '.join(decision.reasons)}")
            if finish := finish_of(declared.pipeline, ledger):
                ended = ledger.current(declared.pipeline.finish)
                approved = APPROVED_TAG in context.run.tags or bool(ended and ended.approved)
                row = assemble(declared.pipeline, ledger, finish, approved=approved)
                table.upsert(row)
                rows[article] = _made(store.describe, where, row)
        yield from optional_outputs(context, store, where, KEY, rows)

    return assemble_row


def _made(describe: Callable[[str, bytes], Document], where: Location, row: Row) -> Made:
    data = (row.model_dump_json(indent=2) + "\n").encode()
    document = describe(where.path(row.article), data)
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
    return Made(data, record.fingerprint, metadata)
