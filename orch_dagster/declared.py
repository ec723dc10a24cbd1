"""A pipeline as Dagster sees it: the pure declaration, and where its records are kept."""

from collections.abc import Mapping
from dataclasses import dataclass

import dagster as dg

from orch_dagster.core.pipeline import Pipeline
from orch_dagster.store import document_path


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
class DeclaredPipeline:
    """`records` names the asset whose materializations carry each step's record.

    `documents` names all assets that a run of a step makes, `input` the asset that stands for
    the registered input, `locations` where each asset's documents lie in the store. The
    pipeline's job has its name; `partitions` are the articles.
    """

    pipeline: Pipeline
    input: dg.AssetKey
    records: Mapping[str, dg.AssetKey]
    documents: Mapping[str, tuple[dg.AssetKey, ...]]
    locations: Mapping[dg.AssetKey, Location]

    @property
    def name(self) -> str:
        """The pipeline's name, which is also its job's."""
        return self.pipeline.name

    @property
    def partitions(self) -> dg.DynamicPartitionsDefinition:
        """The articles."""
        return dg.DynamicPartitionsDefinition(name=f"{self.name}_articles")

    def selection(self, steps: tuple[str, ...]) -> tuple[dg.AssetKey, ...]:
        """The assets of a run that carries out these steps."""
        return tuple(key for step in steps for key in self.documents[step])
