"""The orchestrator reads episodes and nothing else, and always as little."""

import warnings
from functools import cache
from typing import Any

import dagster as dg
import pytest

from assets.content.pipeline import content_pipeline
from orch_dagster.core.ledger import Document
from orch_dagster.core.row import Row
from orch_dagster.definitions import defs
from orch_dagster.event_log import read_ledgers
from orch_dagster.heartbeat import beat
from orch_dagster.model import Ask, Reply
from orch_dagster.pipeline_definitions import pipeline_definitions
from orch_dagster.step import DeclaredPipeline
from orch_dagster.store import Store
from resources.document_io import DocumentIOManager
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.studio import STRONG, Studio, weak
from tests.fakes.night import NIGHT
from tests.heartbeat.conftest import Lab, OpenLab
from tests.heartbeat.daemon import Daemon
from tests.heartbeat.history import MODEL_ARTICLE, materialize_record, write_history

WITHOUT_FLAGS, WITH_ALL = 48, 64
"""Tokens of one episode's decision view, at most (DESIGN 7)."""


class Unreadable:
    """The store of a studio in which whatever a model wrote cannot be opened, looked for or replaced."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.written: list[str] = []

    def read(self, path: str) -> bytes | None:
        raise AssertionError(f"the orchestrator opened {path}")

    def exists(self, path: str) -> bool:
        raise AssertionError(f"the orchestrator looked for {path}")

    def write(self, path: str, data: bytes) -> Document:
        self.written.append(path)
        return self._store.write(path, data)

    def describe(self, path: str, data: bytes) -> Document:
        return self._store.describe(path, data)


class Silent:
    """A model that nobody may ask."""

    def settings(self, role: str) -> dict[str, str]:
        raise AssertionError(f"the orchestrator asks how the model for {role} is set")

    async def ask(self, ask: Ask) -> Reply:
        raise AssertionError(f"the orchestrator asked {ask.trace}")


def blind(lab: Lab) -> tuple[Daemon, Unreadable]:
    """A daemon whose runs have a store that nobody can read, and no model."""
    store = Unreadable(lab.studio.store)
    outside = {
        **(lab.studio.definitions.resources or {}),
        "store": store,
        "documents": DocumentIOManager(store),
        "model": Silent(),
    }
    definitions = dg.Definitions.merge(
        pipeline_definitions(lab.studio.declared, articles_per_run=1, night=NIGHT),
        dg.Definitions(resources=outside),
    )
    return Daemon(lab.studio, definitions), store


@pytest.mark.parametrize(
    ("rules", "status"), [([STRONG], "assembled"), ([weak("note"), STRONG], "needs_review")]
)
def test_rows_are_assembled_while_no_document_can_be_opened(
    lab: OpenLab, rules: list[dict[str, Any]], status: str
) -> None:
    opened = lab(*rules)
    opened.studio.register(brief("cellar"))
    opened.daemon.live()
    whole = _row(opened.studio)
    opened.studio.file("content/row/cellar.json").unlink()
    daemon, store = blind(opened)
    run = daemon.execute(_run_of_the_row(opened.studio))
    assert run.status is dg.DagsterRunStatus.SUCCESS
    assert store.written == ["content/row/cellar.json"]
    assert _row(opened.studio) == whole
    assert whole.status == status


def test_the_heartbeat_sends_an_article_on_while_no_document_can_be_opened(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    [request] = opened.daemon.tick()
    run = opened.daemon.create(
        dg.RunRequest(
            run_key=request.run_key,
            tags=request.tags,
            asset_selection=[k for k in request.asset_selection or () if k.path != ["row"]],
        )
    )
    assert run is not None
    opened.daemon.execute(run)
    daemon, store = blind(opened)
    [end] = daemon.live()
    assert opened.studio.selection(end) == {"row"}
    assert end.status is dg.DagsterRunStatus.SUCCESS
    assert store.written == ["content/row/cellar.json"]


def test_the_lineage_of_the_row_has_episodes_only() -> None:
    graph = defs().resolve_asset_graph()
    libraries = [library.name for library in content_pipeline().libraries]
    episodes = {dg.AssetKey([name, "episode"]) for name in libraries}
    assert graph.get(dg.AssetKey("row")).parent_keys == episodes
    for name in libraries:
        draft = dg.AssetKey([name, "draft"])
        assert graph.get(dg.AssetKey([name, "episode"])).parent_keys == {draft}


def test_the_orchestrators_context_is_the_same_at_step_1_and_at_step_1000(
    instance: dg.DagsterInstance,
) -> None:
    declared = content_pipeline().declared
    slugs = [f"article-{number:04}" for number in range(1_000)]
    write_history(instance, declared, brief(MODEL_ARTICLE), slugs)
    libraries = [step for step in declared.pipeline.steps if step.gates]
    first = _tokens(_read(instance, declared, slugs[0]))
    last = _tokens(_read(instance, declared, slugs[-1]))
    for _ in range(1_000):
        materialize_record(instance, declared, libraries[0], slugs[0])
    again = _tokens(_read(instance, declared, slugs[0]))
    assert first == last == again
    assert first <= WITHOUT_FLAGS * len(libraries)


def test_with_every_flag_set_the_context_keeps_within_its_budget(lab: OpenLab) -> None:
    rules = {
        "match": "*/quality_pass#*",
        "set": {**STRONG["set"], "flags": ["footnote_requires_review"], "voice_consistency": 3.33},
    }
    opened = lab(rules)
    opened.studio.register(brief("cellar"))
    opened.daemon.live()
    views = _read(opened.studio.instance, opened.studio.declared, "cellar")
    assert all("footnote_requires_review" in view for view in views)
    assert _tokens(views) <= WITH_ALL * len(views)


def test_what_a_beat_decides_on_holds_no_word_of_a_deliverable(lab: OpenLab) -> None:
    text = "Beetroot, celeriac and swede lie in damp sand."
    opened = lab(
        {"match": "*/note/quality_pass#*", "set": {**STRONG["set"], "deliverable": text}}, STRONG
    )
    opened.studio.register(brief("cellar"))
    opened.daemon.live()
    found = read_ledgers(
        opened.studio.instance, opened.studio.declared, ["cellar"], own_run=None, missing={}
    )
    assert "celeriac" in opened.studio.file("content/note/deliverable/cellar.md").read_text("utf-8")
    assert "celeriac" not in repr(found)
    assert "celeriac" not in repr(
        beat(opened.studio.instance, opened.studio.declared, None, articles_per_run=1)
    )
    assert "celeriac" not in opened.studio.file("content/row/cellar.json").read_text("utf-8")


def _read(instance: dg.DagsterInstance, declared: DeclaredPipeline, article: str) -> list[str]:
    """The decision views that a look at one article brings before the orchestrator."""
    [ledger] = read_ledgers(instance, declared, [article], own_run=None, missing={}).values()
    episodes = (record.episode for record in ledger.records.values())
    return [episode.decision_view() for episode in episodes if episode is not None]


def _tokens(views: list[str]) -> int:
    return sum(len(_encoding().encode(view)) for view in views)


@cache
def _encoding() -> Any:
    """The tokenizer; it reads its vocabulary by a function that warns of its age."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import bpe_openai

        return bpe_openai.get_encoding("o200k_base")


def _row(studio: Studio) -> Row:
    return Row.model_validate_json(studio.file("content/row/cellar.json").read_bytes())


def _run_of_the_row(studio: Studio) -> dg.DagsterRun:
    selection = frozenset({dg.AssetKey("row")})
    return studio.instance.create_run_for_job(
        job_def=studio.workbench.job.get_subset(asset_selection=selection),
        tags={"dagster/partition": "cellar"},
        asset_selection=selection,
    )
