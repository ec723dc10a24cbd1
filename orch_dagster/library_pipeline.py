"""A pipeline of libraries side by side, assembled into a row: its declaration and its assets."""

from types import ModuleType

import dagster as dg

from orch_dagster.core.pipeline import INPUT, Pipeline, Step
from orch_dagster.declared import DeclaredPipeline, Location
from orch_dagster.executor import steps_at_once_executor
from orch_dagster.library import Library, load_libraries
from orch_dagster.library_assets import (
    deliverable_key,
    draft_key,
    episode_key,
    library_assets,
)
from orch_dagster.orchestrator import orchestrator
from orch_dagster.row_asset import KEY as ROW_KEY
from orch_dagster.row_asset import row_asset
from orch_dagster.shelf import BRIEF, DELIVERABLE, DRAFT, EPISODE, ROW


class LibraryPipeline:
    """The libraries of one package as a pipeline: pure declaration, assets, job."""

    def __init__(self, name: str, package: ModuleType) -> None:
        self.libraries = load_libraries(package)
        self.declared = _declare(name, self.libraries)

    def definitions(self) -> dg.Definitions:
        """The assets and the job; the resources `store`, `model` and `documents` are still open."""
        episodes = tuple(episode_key(library) for library in self.libraries)
        assets = [
            asset for library in self.libraries for asset in library_assets(self.declared, library)
        ]
        row = row_asset(self.declared, episodes)
        return dg.Definitions(
            assets=[self._brief(), *assets, row],
            sensors=[orchestrator(self.declared)],
            jobs=[
                dg.define_asset_job(
                    self.declared.name,
                    selection=dg.AssetSelection.assets(*assets, row),
                    executor_def=steps_at_once_executor,
                    description="Everything that is missing for an article, up to its row.",
                )
            ],
        )

    def _brief(self) -> dg.AssetSpec:
        return dg.AssetSpec(
            self.declared.input,
            description="What an article is made from; registered with 'orch add', never computed.",
            group_name=BRIEF,
            kinds={"json"},
            metadata=self.declared.locations[self.declared.input].metadata(),
            partitions_def=self.declared.partitions,
        )


def _declare(name: str, libraries: tuple[Library, ...]) -> DeclaredPipeline:
    steps = tuple(step for library in libraries for step in library.steps)
    finish = Step(name=ROW, needs=tuple(lib.name for lib in libraries), gates=(), rework=())
    drafts = {library.draft_step: draft_key(library) for library in libraries}
    passes = {library.name: episode_key(library) for library in libraries}
    return DeclaredPipeline(
        pipeline=Pipeline(name=name, ended="assembled", steps=steps, finish=finish),
        input=dg.AssetKey(INPUT),
        records={**drafts, **passes, ROW: ROW_KEY},
        locations=_locations(name, libraries),
        documents={
            **{step: (key,) for step, key in drafts.items()},
            **{lib.name: (deliverable_key(lib), episode_key(lib)) for lib in libraries},
            ROW: (ROW_KEY,),
        },
    )


def _locations(name: str, libraries: tuple[Library, ...]) -> dict[dg.AssetKey, Location]:
    found = {
        dg.AssetKey(INPUT): Location(f"{name}/{BRIEF}", ".json"),
        ROW_KEY: Location(f"{name}/{ROW}", ".json"),
    }
    for library in libraries:
        folder = f"{name}/{library.name}"
        found[draft_key(library)] = Location(f"{folder}/{DRAFT}", ".json")
        found[deliverable_key(library)] = Location(f"{folder}/{DELIVERABLE}", library.suffix)
        found[episode_key(library)] = Location(f"{folder}/{EPISODE}", ".json")
    return found
