"""A translator's desk: the pipeline on a real instance, a real store and a simulator over HTTP."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.translation.intake import source_entry
from assets.translation.source import Source, source_of_file, source_of_url
from orch_dagster.core.decision import Decision
from orch_dagster.core.ledger import Ledger
from orch_dagster.definitions import resources
from orch_dagster.drive import Ears, Workbench, drive, look
from orch_dagster.enrolment import Enrolment
from orch_dagster.event_log import newest
from orch_dagster.pipeline_definitions import pipeline_definitions
from orch_dagster.report import article_report
from orch_dagster.step import DeclaredPipeline
from resources.model.client import Limits, ModelClient
from resources.output_store import OutputStore
from resources.publish.publisher import Publisher
from resources.simulator.log import read_log
from resources.simulator.script import parse_script
from resources.simulator.server import running_simulator
from resources.simulator.settings import SimulatorSettings
from tests.fakes.night import NIGHT

ARTICLE = "gauge"
CATEGORY: dict[str, Any] = {"match": "*/categorize/*", "set": {"category": "science"}}


def note(segment: int, fault: str = "the words say too much") -> dict[str, Any]:
    """A note of the reviewer."""
    return {"segment": segment, "fault": fault, "severity": "grammar"}


def reviewed(score: int, *notes: dict[str, Any], attempt: str = "*") -> dict[str, Any]:
    """The rule under which the reviewer gives a score and these notes."""
    values = {"score": score, "notes": list(notes)}
    return {"match": f"*/review/review#{attempt}", "set": values}


def segments(*texts: str) -> str:
    """A translator's answer with these texts, as JSON."""
    shown = [f'{{"id": {number}, "text": "{text}"}}' for number, text in enumerate(texts, 1)]
    return f'{{"segments": [{", ".join(shown)}]}}'


@dataclass(frozen=True)
class Desk:
    """One pipeline with all that it needs to run; `faults` collects what broke runs."""

    declared: DeclaredPipeline
    definitions: dg.Definitions
    instance: dg.DagsterInstance
    store: OutputStore
    folder: Path
    log: Path
    faults: list[str]

    @property
    def workbench(self) -> Workbench:
        """What driving needs."""
        job = self.definitions.resolve_job_def(self.declared.name)
        return Workbench(self.instance, self.declared, job, self.store)

    def hand_in(self, text: str, *, article: str = ARTICLE) -> None:
        """Register an article that came as a Markdown file."""
        self._register(source_of_file(article, f"{article}.md", text.encode()))

    def hand_in_address(self, url: str, *, article: str = ARTICLE) -> None:
        """Register an article that is to be fetched."""
        self._register(source_of_url(article, url))

    def _register(self, source: Source) -> None:
        Enrolment(self.instance, self.declared, self.store).enroll(source_entry(source))

    def drive(self, article: str = ARTICLE) -> list[Decision]:
        """Drive an article to its end; the decisions on the way, the last one included."""
        told: list[Decision] = []
        ears = Ears(lambda _, decision: told.append(decision), self.faults.append)
        drive(self.workbench, [article], at_once=1, ears=ears)
        return told

    def look(self, article: str = ARTICLE) -> Ledger:
        """Where an article stands, lost documents noticed."""
        return look(self.workbench, [article])[article]

    def report(self, article: str = ARTICLE) -> dict[str, Any]:
        """Where an article stands, as `--json` gives it."""
        return article_report(self.declared.pipeline, self.look(article))

    def file(self, document: str, article: str = ARTICLE) -> Path:
        """A document's file."""
        [found] = (self.folder / "store" / "translation" / document).glob(f"{article}.*")
        return found

    def text(self, document: str, article: str = ARTICLE) -> str:
        """A document's text."""
        return self.file(document, article).read_text("utf-8")

    def published(self) -> list[Path]:
        """The files that went out."""
        return sorted((self.folder / "published").glob("*.md"))

    def metadata(self, asset: str, article: str = ARTICLE) -> Mapping[str, Any]:
        """The metadata of an asset's newest materialization, as plain values."""
        event = newest(self.instance, dg.AssetKey(asset), [article])[article]
        return {name: value.value for name, value in event.metadata.items()}

    def asked(self) -> Counter[str]:
        """How often each prompt was asked, as `step/prompt` without the attempt."""
        return Counter(trace.split("/", 2)[2].split("#")[0] for trace in self.traces())

    def traces(self) -> list[str]:
        """The traces of all requests, in order."""
        return [record["trace"] for record in self.requests()]

    def requests(self) -> list[dict[str, Any]]:
        """The simulator's log of what it was asked."""
        return [record for record in read_log(self.log) if record["event"] == "asked"]

    def said(self, trace: str) -> str:
        """The last user message of the one request with this trace."""
        [found] = [record for record in self.requests() if record["trace"] == trace]
        return found["body"]["messages"][-1]["content"]


async def at_once(seconds: float) -> None:
    """A pause that takes no time."""


@contextmanager
def open_desk(
    folder: Path,
    declared: DeclaredPipeline,
    instance: dg.DagsterInstance,
    environment: pytest.MonkeyPatch,
    *,
    rules: Sequence[dict[str, Any]],
    webhook: str | None,
) -> Iterator[Desk]:
    """A desk in a folder, on a simulator that plays these rules."""
    log = folder / "log.jsonl"
    settings = SimulatorSettings(script=parse_script(rules, source="rules"), log=log)
    with running_simulator(settings) as simulator:
        environment.setenv("OPENAI_BASE_URL", simulator.base_url)
        environment.setenv("ORCH_MODEL", "simulator")
        environment.setenv("DAGSTER_HOME", str(folder))
        for name in ("ORCH_STORE", "ORCH_PUBLISH_URL", "ORCH_WEBHOOK_URL"):
            environment.delenv(name, raising=False)
        published = (folder / "published").as_uri()
        publisher = Publisher(published, webhook_url=webhook, webhook_secret=None, pause=at_once)
        with closing(ModelClient(Limits(in_flight=16, call_timeout_s=60))) as model:
            outside = dg.Definitions(
                resources={**resources(), "model": model, "publisher": publisher}
            )
            yield Desk(
                declared=declared,
                definitions=dg.Definitions.merge(
                    pipeline_definitions(declared, articles_per_run=1, night=NIGHT), outside
                ),
                instance=instance,
                store=OutputStore((folder / "store").as_uri()),
                folder=folder,
                log=log,
                faults=[],
            )
