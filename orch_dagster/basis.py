"""The basis: what an article's end was decided on, kept in the event of its end.

While each step's newest event is the one that the end was decided on, this one event tells all that
its own and theirs do. That is how thousands of finished articles are read: Dagster takes 0.2-0.4 ms
of CPU to unpack an event (1.13.28), and an article of the content pipeline has 20.
"""

from collections.abc import Mapping
from typing import Any, Self

import dagster as dg
from pydantic import BaseModel, ConfigDict

from orch_dagster.core.ledger import Ledger, Record

BASIS = "basis"
"""The metadata entry on the record of a pipeline's finish."""

_HEAD, _FOOT = "```json\n", "\n```"


class Basis(BaseModel):
    """One article as the event log tells it: its input, its records by step, and the events they are from.

    `events` has by step, the input's name among them, the event's storage id; those without a
    record too. `versions` has by step the version of the code and prompts that made it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    events: Mapping[str, int]
    versions: Mapping[str, str]
    input: str | None
    records: Mapping[str, Record]

    def without(self, step: str) -> Self:
        """The basis as it was before this step."""
        return self.model_copy(
            update={
                "events": {name: event for name, event in self.events.items() if name != step},
                "versions": {name: one for name, one in self.versions.items() if name != step},
                "records": {name: made for name, made in self.records.items() if name != step},
            }
        )

    def with_end(
        self, step: str, event: int, *, version: str | None, record: Record | None
    ) -> Self:
        """The basis with the end that it led to, where that has a record and a version."""
        return self.model_copy(
            update={
                "events": {**self.events, step: event},
                "versions": self.versions if version is None else {**self.versions, step: version},
                "records": self.records if record is None else {**self.records, step: record},
            }
        )

    def metadata(self) -> dict[str, Any]:
        """The basis as metadata of the event that it led to: about 17 KB in the content pipeline.

        It is text: Dagster unpacks JSON value by value, which takes nearly as long again as the
        rest of the event.
        """
        told = self.model_dump_json(exclude_defaults=True)
        return {BASIS: dg.MetadataValue.md(f"{_HEAD}{told}{_FOOT}")}


def read_basis(event: dg.AssetMaterialization) -> Basis | None:
    """The basis that an event carries; None where it carries none."""
    if BASIS not in event.metadata:
        return None
    told = str(event.metadata[BASIS].value)
    return Basis.model_validate_json(told.removeprefix(_HEAD).removesuffix(_FOOT))


def ledger_of(basis: Basis, article: str) -> Ledger:
    """The ledger on this basis alone: of runs and budgets it knows nothing."""
    return Ledger(
        article=article,
        input=basis.input,
        records=basis.records,
        missing=frozenset(),
        running=False,
        broken_runs=0,
    )
