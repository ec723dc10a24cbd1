"""Steps as they are declared: the orchestrator's view, the documents, and the work itself."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import dagster as dg

from orch_dagster.core.budget import NO_LIMIT, Budget
from orch_dagster.core.ledger import Ledger, Record
from orch_dagster.core.pipeline import INPUT, Pipeline, Step
from orch_dagster.means import Means
from orch_dagster.model import Model
from orch_dagster.shelf import Shelf
from orch_dagster.store import document_path

MODEL, OFFLINE_MODEL = "model", "offline_model"
"""The resource keys of the language model that answers at once, and of the one that can wait."""

MODELS = frozenset({MODEL, OFFLINE_MODEL})
"""What a step with prompts needs: which of them it asks, its run says."""

BATCH_TAG = "orch/batch"
"""On runs: `true` where prompts are to be asked in batches, at half the price and some time later."""


@dataclass(frozen=True, slots=True)
class Location:
    """The folder below the store's root, and the suffix, of one asset's documents."""

    folder: str
    suffix: str

    def path(self, article: str) -> str:
        """Where the document of an article lies."""
        return document_path(*self.folder.split("/"), article=article, suffix=self.suffix)

    def metadata(self) -> dict[str, str]:
        """The asset's own metadata, by which the IO manager finds its documents."""
        return {"folder": self.folder, "suffix": self.suffix}


@dataclass(frozen=True, slots=True)
class DocumentSpec:
    """One asset of a step: a document an article has, or may lack (`optional`)."""

    key: dg.AssetKey
    location: Location
    deps: tuple[dg.AssetKey, ...]
    description: str
    group: str
    kinds: frozenset[str]
    code_version: str
    optional: bool


@dataclass(frozen=True, slots=True)
class Made:
    """One article's document of one asset, its fingerprint, and what is known of it."""

    data: bytes
    fingerprint: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Worked:
    """What a step's work on one article gave: documents by asset, and the record of it.

    Without a record nothing was due, and there are no documents.
    """

    documents: Mapping[dg.AssetKey, Made]
    record: Record | None


class StepError(Exception):
    """An article's step cannot be done; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What work is done with: the pipeline's documents, resources by key, tags and means of the run."""

    shelf: Shelf
    resources: Any
    tags: Mapping[str, str]
    means: Means

    @property
    def model(self) -> Model:
        """The language model that the run's tag asks for.

        Raises:
            StepError: the tag has another value than `true` or `false`.
        """
        match self.tags.get(BATCH_TAG, "false"):
            case "false":
                return getattr(self.resources, MODEL)
            case "true":
                return getattr(self.resources, OFFLINE_MODEL)
            case other:
                raise StepError(f"run tag {BATCH_TAG!r}: {other!r} is neither 'true' nor 'false'")


Work = Callable[[Bench, Ledger], Awaitable[Worked]]
"""One step on one article. An article's failure is its outcome, never an exception."""


@dataclass(frozen=True, slots=True)
class StepDeclaration:
    """A step of a pipeline. `record` is the asset whose materializations carry its record.

    `resources` are the keys of what its work needs beside the store.
    """

    step: Step
    documents: tuple[DocumentSpec, ...]
    record: dg.AssetKey
    resources: frozenset[str]
    work: Work

    @property
    def code_version(self) -> str:
        """The version of what makes the document that carries the record."""
        return next(one.code_version for one in self.documents if one.key == self.record)


@dataclass(frozen=True)
class DeclaredPipeline:
    """A pipeline as Dagster sees it; its job has its name, `input` stands for what is registered.

    `budget` is what an article may cost.
    """

    pipeline: Pipeline
    input: DocumentSpec
    steps: tuple[StepDeclaration, ...]
    budget: Budget = NO_LIMIT

    @property
    def name(self) -> str:
        """The pipeline's name, which is also its job's."""
        return self.pipeline.name

    @property
    def partitions(self) -> dg.DynamicPartitionsDefinition:
        """The articles."""
        return dg.DynamicPartitionsDefinition(name=self.articles)

    @property
    def articles(self) -> str:
        """The name of the partitions."""
        return f"{self.name}_articles"

    @property
    def records(self) -> Mapping[str, dg.AssetKey]:
        """By step, the asset whose materializations carry its record."""
        return {declared.step.name: declared.record for declared in self.steps}

    def documents(self, step: str) -> tuple[DocumentSpec, ...]:
        """The documents of one step."""
        return next(found.documents for found in self.steps if found.step.name == step)

    def selection(self, steps: tuple[str, ...]) -> tuple[dg.AssetKey, ...]:
        """The assets of a run that carries out these steps."""
        return tuple(document.key for step in steps for document in self.documents(step))

    def seen_by(self, step: str) -> tuple[str, ...]:
        """The steps whose records the op of a step reads: what it is made from, what it repairs.

        `INPUT` stands for what is registered. The finish decides on the article, so it sees all; so
        does every step where a budget is set, for what the others have cost.
        """
        if step == self.pipeline.finish.name or self.budget.is_set:
            return (INPUT, *self.records)
        repaired = [found for found in self.pipeline.steps if step in found.rework]
        own = next(found.step for found in self.steps if found.step.name == step)
        names = {step, *own.needs, *(found.name for found in repaired)}
        names |= {need for found in repaired for need in found.needs}
        return tuple(name for name in (INPUT, *self.records) if name in names)
