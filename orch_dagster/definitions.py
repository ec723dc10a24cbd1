"""Where everything meets: pipelines, resources, executor."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import dagster as dg

from assets.content.pipeline import content_pipeline
from assets.translation.intake import SourceIntake
from assets.translation.pipeline import translation_pipeline
from orch_dagster.brief_intake import BriefIntake
from orch_dagster.executor import steps_at_once_executor
from orch_dagster.inbox import Inbox
from orch_dagster.inbox_sensor import inbox_sensor
from orch_dagster.intake import Intake
from orch_dagster.pipeline_definitions import pipeline_definitions
from orch_dagster.settings import INBOX, TRANSLATION_INBOX, Settings
from orch_dagster.step import MODEL, OFFLINE_MODEL, DeclaredPipeline
from resources.document_io import DocumentIOManager
from resources.inbox_folder import InboxFolder
from resources.model.client import Limits, ModelClient
from resources.model.offline import OfflineModel
from resources.output_store import OutputStore
from resources.publish.publisher import Publisher
from resources.row_database import RowDatabase
from resources.web.article_key import article_key
from resources.web.feeds import FeedReader
from resources.web.fetcher import WebFetcher


def resources() -> Mapping[str, Any]:
    """The outside world, as the environment sets it now."""
    settings = Settings.from_environment()
    store = OutputStore(settings.store)
    limits = Limits(settings.max_in_flight, settings.call_timeout_s)
    return {
        "store": store,
        "fetcher": WebFetcher(allow_private=settings.fetch_allow_private),
        "publisher": Publisher(
            settings.publish_url,
            webhook_url=settings.webhook_url,
            webhook_secret=settings.webhook_secret,
        ),
        "rows": RowDatabase(settings.database_url),
        "documents": DocumentIOManager(store),
        MODEL: model_client(limits),
        OFFLINE_MODEL: offline_model(limits, settings.store),
    }


def inbox_sensors(settings: Settings) -> tuple[dg.SensorDefinition, ...]:
    """A sensor for each inbox that is set."""
    feeds = FeedReader(allow_private=settings.fetch_allow_private)

    def watched(
        declared: DeclaredPipeline, intake: Intake, url: str, setting: str
    ) -> dg.SensorDefinition:
        folder = InboxFolder(url, setting=setting)
        return inbox_sensor(declared, Inbox(folder, intake, feeds, settings.feed_minutes))

    content, translation = content_pipeline().declared, translation_pipeline()
    both = (
        (content, BriefIntake(), settings.inbox, INBOX),
        (translation, SourceIntake(article_key), settings.translation_inbox, TRANSLATION_INBOX),
    )
    return tuple(
        watched(declared, intake, url, setting) for declared, intake, url, setting in both if url
    )


@cache
def model_client(limits: Limits) -> ModelClient:
    """The process's one model client: one loop, one pool of connections, one limit."""
    return ModelClient(limits)


@cache
def offline_model(limits: Limits, store: str) -> OfflineModel:
    """The process's one offline model: what is asked together in it goes into one batch."""
    return OfflineModel(model_client(limits), OutputStore(store))


@dg.definitions
def defs() -> dg.Definitions:
    """All that Dagster loads."""
    # Data versions of outputs are beta, checks of partitions are a preview: both are tested here.
    warnings.filterwarnings("ignore", category=dg.BetaWarning)
    warnings.filterwarnings("ignore", category=dg.PreviewWarning)
    settings = Settings.from_environment()
    pipelines = [
        pipeline_definitions(
            replace(declared, budget=settings.budget),
            articles_per_run=settings.articles_per_run or 1,
            night=settings.night,
        )
        for declared in (content_pipeline().declared, translation_pipeline())
    ]
    return dg.Definitions.merge(
        *pipelines,
        dg.Definitions(
            sensors=inbox_sensors(settings),
            resources=resources(),
            executor=steps_at_once_executor,
        ),
    )
