"""Opens what a command works with: settings, instance, a pipeline with its job and store."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import click
import dagster as dg
from dotenv import load_dotenv

from assets.content.pipeline import content_pipeline
from assets.translation.intake import SourceIntake
from assets.translation.pipeline import translation_pipeline
from orch_dagster.brief_intake import BriefIntake
from orch_dagster.cli.speaking import err
from orch_dagster.core.budget import Budget
from orch_dagster.drive import Workbench
from orch_dagster.home import open_instance
from orch_dagster.intake import Intake
from orch_dagster.library import Library
from orch_dagster.settings import INBOX, TRANSLATION_INBOX, Settings
from orch_dagster.step import DeclaredPipeline
from resources.inbox_folder import InboxFolder
from resources.model.endpoint import is_configured
from resources.output_store import OutputStore
from resources.web.article_key import article_key

SIMULATOR_NOTICE = (
    "No model is configured (OPENAI_BASE_URL or OPENAI_API_KEY): the built-in simulator stands in. "
    "It is no language model: its text is put together from the sentences that it is given, and its "
    "translations are transliterations."
)


PIPELINES = ("content", "translation")

pipeline_option = click.option(
    "--pipeline",
    "name",
    type=click.Choice(PIPELINES),
    default=PIPELINES[0],
    show_default=True,
    help="Which pipeline.",
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A pipeline, and its libraries where it has some."""

    declared: DeclaredPipeline
    libraries: tuple[Library, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A pipeline ready to be looked at or driven."""

    settings: Settings
    instance: dg.DagsterInstance
    pipeline: Chosen
    store: OutputStore

    def workbench(self, tags: Mapping[str, str] = MappingProxyType({})) -> Workbench:
        """What driving articles needs; only then are the definitions, and all they use, imported.

        Its runs carry these tags.
        """
        from orch_dagster import definitions

        job = definitions.defs().resolve_job_def(self.pipeline.declared.name)
        return Workbench(self.instance, self.pipeline.declared, job, self.store, tags)

    @property
    def inbox(self) -> InboxFolder | None:
        """The folder that is watched for this pipeline, if one is."""
        return inbox_folders(self.settings).get(self.pipeline.declared.name)

    def articles(self) -> tuple[str, ...]:
        """The registered articles, in the order of their registration."""
        return tuple(self.instance.get_dynamic_partitions(self.pipeline.declared.articles))

    def has(self, article: str) -> bool:
        """Whether this article is registered; the others are not looked at."""
        return self.instance.has_dynamic_partition(self.pipeline.declared.articles, article)


def load_settings() -> Settings:
    """The settings, a `.env` file in the current folder included; it overrides nothing."""
    load_dotenv(Path.cwd() / ".env")
    return Settings.from_environment()


def open_content() -> Opened:
    """The content pipeline on the instance that the settings name."""
    return open_pipeline(PIPELINES[0])


def open_pipeline(name: str) -> Opened:
    """A pipeline on the instance that the settings name."""
    settings = load_settings()
    return Opened(
        settings=settings,
        instance=open_instance(settings.home),
        pipeline=_chosen(name, settings.budget),
        store=OutputStore(settings.store),
    )


def _chosen(name: str, budget: Budget) -> Chosen:
    if name == "content":
        content = content_pipeline()
        return Chosen(replace(content.declared, budget=budget), content.libraries)
    return Chosen(replace(translation_pipeline(), budget=budget), ())


def inbox_folders(settings: Settings) -> dict[str, InboxFolder]:
    """By pipeline, the folders that are watched."""
    places = zip(
        PIPELINES,
        (settings.inbox, settings.translation_inbox),
        (INBOX, TRANSLATION_INBOX),
        strict=True,
    )
    return {name: InboxFolder(url, setting=setting) for name, url, setting in places if url}


def intake_of(name: str) -> Intake:
    """What a pipeline takes in."""
    return BriefIntake() if name == PIPELINES[0] else SourceIntake(article_key)


def say_if_simulated() -> None:
    """Tell people when no language model is going to answer."""
    if not is_configured():
        err.print(f"[yellow]{SIMULATOR_NOTICE}[/]")
