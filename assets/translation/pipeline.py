"""The translation pipeline: six steps, six documents, one number that the orchestrator reads."""

from collections.abc import Iterable
from functools import cache
from importlib import import_module

import dagster as dg

from assets.translation.categorize.work import categorize
from assets.translation.fetch import fetch
from assets.translation.polish.work import polish
from assets.translation.publish import publish_step
from assets.translation.review.work import review
from assets.translation.source import SOURCE
from assets.translation.texts import CATEGORIZE, FETCH, POLISH, REVIEW, TRANSLATE
from assets.translation.translate.work import translate
from orch_dagster.core.gate import minimum
from orch_dagster.core.pipeline import INPUT, Pipeline, Step
from orch_dagster.document_step import DocumentStep, document_step
from orch_dagster.prompt_folder import PromptFolder, load_prompt_folder
from orch_dagster.step import DeclaredPipeline, DocumentSpec, Location

NAME = "translation"

PUBLISHED_AT = 8
"""The score of 10 from which a translation is published without another polish."""

SOURCE_KEY = dg.AssetKey("article_source")


def standard_steps() -> tuple[DocumentStep, ...]:
    """The five steps before publishing. Any of them can be another one with the same key."""
    return (
        DocumentStep(
            step=Step("fetch", needs=(INPUT,), gates=(), rework=()),
            key=FETCH,
            suffix=".md",
            description="The article as clean Markdown; its head says where it comes from.",
            work=fetch,
            folder=None,
            resources=frozenset({"fetcher"}),
            version="1",
        ),
        DocumentStep(
            step=Step("categorize", needs=("fetch",), gates=(), rework=()),
            key=CATEGORIZE,
            suffix=".json",
            description="One category of the configured list.",
            work=categorize,
            folder=_folder("categorize"),
            resources=frozenset(),
            version="1",
        ),
        DocumentStep(
            step=Step("translate", needs=("fetch",), gates=(), rework=()),
            key=TRANSLATE,
            suffix=".md",
            description="The article in the target language, its structure untouched.",
            work=translate,
            folder=_folder("translate"),
            resources=frozenset(),
            version="1",
        ),
        DocumentStep(
            step=Step("polish", needs=("translate",), gates=(), rework=()),
            key=POLISH,
            suffix=".md",
            description="The text with the review's notes met; not needed until a review asks.",
            work=polish,
            folder=_folder("polish"),
            resources=frozenset(),
            version="1",
        ),
        DocumentStep(
            step=Step(
                "review",
                needs=("translate", "polish"),
                gates=(minimum("score", PUBLISHED_AT),),
                rework=("polish", "review"),
            ),
            key=REVIEW,
            suffix=".json",
            description="A score from 0 to 10, and notes that only the polisher reads.",
            work=review,
            folder=_folder("review"),
            resources=frozenset(),
            version="1",
        ),
    )


def declare(steps: Iterable[DocumentStep], *, publish_needs: tuple[str, ...]) -> DeclaredPipeline:
    """The pipeline of these steps; publishing waits for what it needs, the review among them."""
    steps = tuple(steps)
    pipeline = Pipeline(
        name=NAME,
        ended="published",
        steps=tuple(one.step for one in steps),
        finish=Step("publish", needs=publish_needs, gates=(), rework=()),
        unattended=True,
    )
    inputs = {INPUT: SOURCE_KEY, **{one.step.name: one.asset() for one in steps}}
    declared = [
        document_step(NAME, one, inputs=inputs, scored=_scored(pipeline, one)) for one in steps
    ]
    return DeclaredPipeline(
        pipeline=pipeline,
        input=_source(),
        steps=(*declared, publish_step(pipeline, inputs, version="1")),
    )


@cache
def translation_pipeline() -> DeclaredPipeline:
    """The pipeline as shipped, declared once a process."""
    return declare(standard_steps(), publish_needs=("categorize", "polish", "review"))


def _scored(pipeline: Pipeline, one: DocumentStep) -> Step | None:
    """The step whose notes this one heeds: whose rework begins with it."""
    name = one.step.name
    return next(
        (other for other in pipeline.steps if name in other.rework and name != other.name), None
    )


def _source() -> DocumentSpec:
    return DocumentSpec(
        key=SOURCE_KEY,
        location=Location(f"{NAME}/{SOURCE}", ".json"),
        deps=(),
        description="What is to be translated: an address, or a file; registered, never computed.",
        group=NAME,
        kinds=frozenset({"json"}),
        code_version="1",
        optional=False,
    )


def _folder(name: str) -> PromptFolder:
    return load_prompt_folder(import_module(f"assets.translation.{name}"))
