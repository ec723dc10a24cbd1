"""A pipeline of libraries side by side, assembled into a row."""

from types import ModuleType

import dagster as dg

from orch_dagster.core.pipeline import INPUT, Pipeline, Step
from orch_dagster.library import Library, load_libraries
from orch_dagster.library_steps import episode_key, library_steps
from orch_dagster.row_step import row_step
from orch_dagster.shelf import BRIEF, ROW
from orch_dagster.step import DeclaredPipeline, DocumentSpec, Location


class LibraryPipeline:
    """The libraries of one package, and the pipeline that they make."""

    def __init__(self, name: str, package: ModuleType) -> None:
        self.libraries = load_libraries(package)
        self.declared = declare(name, self.libraries)


def declare(name: str, libraries: tuple[Library, ...]) -> DeclaredPipeline:
    """Each library's two steps, then the row over all episodes."""
    pipeline = Pipeline(
        name=name,
        ended="assembled",
        steps=tuple(step for library in libraries for step in library.steps),
        finish=Step(name=ROW, needs=tuple(lib.name for lib in libraries), gates=(), rework=()),
    )
    brief = dg.AssetKey(INPUT)
    steps = [step for library in libraries for step in library_steps(name, library, brief)]
    episodes = tuple(episode_key(library) for library in libraries)
    return DeclaredPipeline(
        pipeline=pipeline,
        input=DocumentSpec(
            key=brief,
            location=Location(f"{name}/{BRIEF}", ".json"),
            deps=(),
            description="What an article is made from; registered with 'orch add', never computed.",
            group=BRIEF,
            kinds=frozenset({"json"}),
            code_version="1",
            optional=False,
        ),
        steps=(*steps, row_step(pipeline, episodes)),
    )
