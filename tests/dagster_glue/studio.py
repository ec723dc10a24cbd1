"""A studio: two small libraries on a real instance, a real store and a simulator over HTTP."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import dagster as dg
import pytest
from dagster._core.definitions.job_base import InMemoryJob
from dagster._core.execution.api import execute_run_iterator
from dagster._core.storage.tags import (
    ASSET_PARTITION_RANGE_END_TAG,
    ASSET_PARTITION_RANGE_START_TAG,
)

from orch_dagster.brief_intake import brief_entry
from orch_dagster.core.brief import Brief
from orch_dagster.core.budget import Budget
from orch_dagster.core.decision import Decision
from orch_dagster.core.ledger import Ledger
from orch_dagster.definitions import resources
from orch_dagster.drive import Ears, Workbench, drive, look
from orch_dagster.enrolment import Enrolment
from orch_dagster.event_log import newest
from orch_dagster.library_pipeline import LibraryPipeline
from orch_dagster.pipeline_definitions import pipeline_definitions
from orch_dagster.report import article_report
from orch_dagster.step import DeclaredPipeline
from resources.model.client import Limits, ModelClient
from resources.model.offline import OfflineModel
from resources.output_store import OutputStore
from resources.simulator.log import read_log
from resources.simulator.script import parse_script
from resources.simulator.server import running_simulator
from resources.simulator.settings import SimulatorSettings
from tests.fakes.night import NIGHT
from tests.model.desks import QUICK

STRONG: dict[str, Any] = {
    "match": "*/quality_pass#*",
    "set": {"voice_consistency": 4.6, "coherence_score": 4.4, "flags": []},
}
"""The rule under which every quality pass gives scores above the gates."""


def weak(library: str, attempt: str = "*", score: float = 3.1) -> dict[str, Any]:
    """The rule under which a library's quality pass gives a low score."""
    return {
        "match": f"*/{library}/quality_pass#{attempt}",
        "set": {"voice_consistency": score, "coherence_score": 4.4, "flags": []},
    }


@dataclass(frozen=True)
class Studio:
    """One pipeline with all that it needs to run; `faults` collects what broke runs."""

    pipeline: LibraryPipeline
    definitions: dg.Definitions
    instance: dg.DagsterInstance
    store: OutputStore
    folder: Path
    log: Path
    faults: list[str]
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def declared(self) -> DeclaredPipeline:
        """The pipeline as Dagster sees it."""
        return self.pipeline.declared

    @property
    def workbench(self) -> Workbench:
        """What driving needs."""
        job = self.definitions.resolve_job_def(self.declared.name)
        return Workbench(self.instance, self.declared, job, self.store, self.tags)

    def with_budget(self, budget: Budget) -> "Studio":
        """The same studio, in which an article may cost so much."""
        pipeline = copy(self.pipeline)
        pipeline.declared = replace(self.declared, budget=budget)
        ours = pipeline_definitions(pipeline.declared, articles_per_run=1, night=NIGHT)
        outside = dg.Definitions(resources=self.definitions.resources)
        return replace(self, pipeline=pipeline, definitions=dg.Definitions.merge(ours, outside))

    def register(self, *briefs: Brief) -> None:
        """Make briefs known."""
        enrolment = Enrolment(self.instance, self.declared, self.store)
        for brief in briefs:
            enrolment.enroll(brief_entry(brief))

    def drive(self, article: str) -> list[Decision]:
        """Drive an article to its end; the decisions on the way, the last one included."""
        told: list[Decision] = []
        self.drive_all(article, told=lambda _, decision: told.append(decision))
        return told

    def drive_all(
        self, *articles: str, at_once: int = 30, told: Callable[[str, Decision], None] | None = None
    ) -> dict[str, Ledger]:
        """Drive articles to their end, so many in a run; their ledgers as they then stand."""
        ears = Ears(decided=told or (lambda *_: None), broke=self.faults.append)
        return drive(self.workbench, articles, at_once=at_once, ears=ears)

    def run_range(self, first: str, last: str) -> dg.DagsterRun:
        """One run of the whole job over the articles from `first` to `last`."""
        job = self.workbench.job
        tags = {ASSET_PARTITION_RANGE_START_TAG: first, ASSET_PARTITION_RANGE_END_TAG: last}
        created = self.instance.create_run_for_job(job_def=job, tags=tags)
        for _ in execute_run_iterator(InMemoryJob(job), created, self.instance):
            pass
        run = self.instance.get_run_by_id(created.run_id)
        assert run is not None
        return run

    def events(self, run: dg.DagsterRun) -> list[dg.DagsterEvent]:
        """What Dagster stored of a run."""
        entries = self.instance.all_logs(run.run_id)
        return [entry.dagster_event for entry in entries if entry.dagster_event is not None]

    def report(self, article: str) -> dict[str, Any]:
        """Where an article stands, as `--json` gives it."""
        return article_report(self.declared.pipeline, look(self.workbench, [article])[article])

    def metadata(self, asset: str, article: str) -> Mapping[str, Any]:
        """The metadata of an asset's newest materialization, as plain values."""
        key = dg.AssetKey.from_user_string(asset)
        event = newest(self.instance, key, [article])[article]
        return {name: value.value for name, value in event.metadata.items()}

    def runs(self, article: str) -> list[dg.DagsterRun]:
        """The article's runs, oldest first."""
        runs = self.instance.get_runs(dg.RunsFilter(tags={"dagster/partition": article}))
        return list(reversed(runs))

    def selection(self, run: dg.DagsterRun) -> set[str]:
        """The assets that a run was asked for."""
        return {key.to_user_string() for key in run.asset_selection or ()}

    def asked(self) -> Counter[str]:
        """How often each prompt was asked, as `library/prompt` without the attempt."""
        return Counter(
            record["trace"].split("/", 2)[2].split("#")[0]
            for record in self.records()
            if record["event"] == "asked"
        )

    def records(self) -> tuple[dict[str, Any], ...]:
        """The simulator's log."""
        return read_log(self.log)

    def file(self, path: str) -> Path:
        """A document's file; `path` is the one below the store."""
        return self.folder / path

    def prompts(self) -> set[str]:
        """Every prompt there is, as `library/prompt`."""
        return {f"{lib.name}/{p.name}" for lib in self.pipeline.libraries for p in lib.prompts}


@contextmanager
def open_studio(
    folder: Path,
    package: ModuleType,
    instance: dg.DagsterInstance,
    environment: pytest.MonkeyPatch,
    rules: Sequence[dict[str, Any]],
) -> Iterator[Studio]:
    """A studio in a folder, on a simulator that plays these rules."""
    log = folder / "log.jsonl"
    settings = SimulatorSettings(script=parse_script(rules, source="rules"), log=log)
    pipeline = LibraryPipeline("content", package)
    with running_simulator(settings) as simulator:
        environment.setenv("OPENAI_BASE_URL", simulator.base_url)
        environment.setenv("ORCH_MODEL", "simulator")
        environment.setenv("DAGSTER_HOME", str(folder))
        environment.delenv("ORCH_STORE", raising=False)
        store = OutputStore((folder / "store").as_uri())
        with (
            closing(ModelClient(Limits(in_flight=16, call_timeout_s=60))) as model,
            closing(OfflineModel(model, store, QUICK)) as offline_model,
        ):
            models = {"model": model, "offline_model": offline_model}
            outside = dg.Definitions(resources={**resources(), **models})
            yield Studio(
                pipeline=pipeline,
                definitions=dg.Definitions.merge(
                    pipeline_definitions(pipeline.declared, articles_per_run=1, night=NIGHT),
                    outside,
                ),
                instance=instance,
                store=store,
                folder=folder / "store",
                log=log,
                faults=[],
            )
