"""A post: an inbox with its sensor, ticked by hand, on a real instance and a real store."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg
import yaml

from assets.content.pipeline import content_pipeline
from assets.translation.intake import SourceIntake
from assets.translation.pipeline import translation_pipeline
from orch_dagster.brief_intake import BriefIntake
from orch_dagster.core.inbox import Memory
from orch_dagster.enrolment import Enrolment
from orch_dagster.inbox import Inbox, Pace
from orch_dagster.inbox_memory import remembered
from orch_dagster.inbox_sensor import PACE, inbox_sensor
from orch_dagster.step import DeclaredPipeline
from resources.inbox_folder import InboxFolder
from resources.output_store import OutputStore
from resources.web.article_key import article_key
from resources.web.feeds import FeedReader
from tests.dagster_glue.briefs import brief_fields

LONG_AGO = 3_600.0


@dataclass
class Post:
    """An inbox, and what its sensor has left behind."""

    place: str
    declared: DeclaredPipeline
    inbox: Inbox
    instance: dg.DagsterInstance
    store: OutputStore
    pace: Pace = PACE
    cursor: str | None = None
    told: list[str] = field(default_factory=list)

    @property
    def enrolment(self) -> Enrolment:
        """Where articles are registered."""
        return Enrolment(self.instance, self.declared, self.store)

    def drop(self, name: str, text: str | bytes, *, age: float = LONG_AGO) -> None:
        """Put a file there, last changed so many seconds ago."""
        path = Path(self.place, name)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        changed = time.time() - age
        os.utime(path, (changed, changed))

    def drop_brief(self, name: str, *, slug: str | None = None, **changes: Any) -> None:
        """Put a whole brief there; its slug is its name unless it is given."""
        fields = brief_fields(slug or name) | changes
        self.drop(f"{name}.yaml", yaml.safe_dump(fields))

    def tick(self, *, keep: bool = True) -> str:
        """One tick of the sensor; what it says. A tick that is cut off keeps no cursor."""
        context = dg.build_sensor_context(
            instance=self.instance, cursor=self.cursor, resources={"store": self.store}
        )
        result = inbox_sensor(self.declared, self.inbox, self.pace)(context)
        if isinstance(result, dg.SkipReason):
            return result.skip_message or ""
        assert isinstance(result, dg.SensorResult)
        assert not result.run_requests
        if keep:
            self.cursor = result.cursor
        reason = result.skip_reason
        assert isinstance(reason, dg.SkipReason)
        self.told += (reason.skip_message or "").splitlines()[1:]
        return reason.skip_message or ""

    def articles(self) -> list[str]:
        """What is registered."""
        return sorted(self.instance.get_dynamic_partitions(self.declared.articles))

    def versions(self, article: str) -> int:
        """How often an article has been registered."""
        key = self.declared.input.key
        asked = dg.AssetRecordsFilter(asset_key=key, asset_partitions=[article])
        return len(self.instance.fetch_materializations(asked, limit=100).records)

    def memory(self) -> Memory:
        """What is remembered."""
        memory = remembered(self.instance, self.declared, self.inbox.folder.url)
        assert memory is not None
        return memory


@contextmanager
def open_post(
    folder: Path, pipeline: str, *, place: str | None = None, pace: Pace = PACE
) -> Iterator[Post]:
    """A post in a folder; its files lie in `inbox` there, or elsewhere on a URL."""
    (folder / "inbox").mkdir(exist_ok=True)
    place = place or str(folder / "inbox")
    content = pipeline == "content"
    inbox = Inbox(
        folder=InboxFolder(place, setting="ORCH_INBOX"),
        intake=BriefIntake() if content else SourceIntake(article_key),
        feeds=FeedReader(allow_private=True),
        feed_minutes=15,
    )
    with dg.DagsterInstance.ephemeral() as instance:
        yield Post(
            place=place,
            declared=content_pipeline().declared if content else translation_pipeline(),
            inbox=inbox,
            instance=instance,
            store=OutputStore((folder / "store").as_uri()),
            pace=pace,
        )
