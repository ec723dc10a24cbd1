"""Several articles in one run: the same documents and the same versions as one by one."""

from collections.abc import Sequence
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.asset_graph_view.asset_graph_view import AssetGraphView
from dagster._core.definitions.data_version import CachingStaleStatusResolver, StaleStatus
from dagster._core.definitions.temporal_context import TemporalContext
from dagster._time import get_current_datetime

from orch_dagster.core.decision import State
from orch_dagster.library_pipeline import LibraryPipeline
from orch_dagster.pipeline_definitions import pipeline_definitions
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.conftest import Open
from tests.dagster_glue.packages import copied_libraries, edit, load_package
from tests.dagster_glue.studio import STRONG, Studio, weak
from tests.fakes.night import NIGHT

ARTICLES = ("a-first", "b-second", "c-third")

MADE = (
    "note/draft", "note/deliverable", "note/episode",
    "card/draft", "card/deliverable", "card/episode", "row",
)  # fmt: skip


@pytest.fixture
def chunk(studio: Open) -> Studio:
    """Three articles after one run; the second one's note is weak at first."""
    opened = studio({**weak("note", "1"), "match": "*/b-second/note/quality_pass#1"}, STRONG)
    opened.register(*map(brief, ARTICLES))
    run = opened.run_range(ARTICLES[0], ARTICLES[-1])
    assert run.status is dg.DagsterRunStatus.SUCCESS
    return opened


def test_one_run_makes_the_documents_of_every_article(chunk: Studio) -> None:
    for article in ARTICLES:
        for asset in MADE[:-1]:
            assert chunk.metadata(asset, article), (asset, article)
        assert chunk.file(f"content/note/deliverable/{article}.md").exists()
        assert chunk.file(f"content/card/deliverable/{article}.json").exists()
    assert chunk.file("content/row/a-first.json").exists()
    assert chunk.file("content/row/c-third.json").exists()
    assert not chunk.file("content/row/b-second.json").exists()
    assert chunk.asked() == dict.fromkeys(chunk.prompts(), 3)


def test_each_article_of_a_run_has_its_own_record(chunk: Studio) -> None:
    assert chunk.metadata("note/episode", "a-first")["voice_consistency"] == 4.6
    assert chunk.metadata("note/episode", "b-second")["voice_consistency"] == 3.1
    prints = {chunk.metadata("note/episode", a)["record"]["fingerprint"] for a in ARTICLES}
    assert len(prints) == 3
    for article in ARTICLES:
        record = chunk.metadata("note/episode", article)["record"]
        assert article in record["document"]["url"]


def test_an_article_whose_gate_failed_in_a_chunk_is_completed_alone(chunk: Studio) -> None:
    told = chunk.drive("b-second")
    assert told[0].state is State.REWORK
    assert told[-1].state is State.FINISHED
    assert len(chunk.drive("a-first")) == 1
    assert chunk.asked() == dict.fromkeys(chunk.prompts(), 3) | {"note/quality_pass": 4}


def test_after_a_chunk_every_asset_of_every_article_is_in_sync(chunk: Studio) -> None:
    chunk.drive("b-second")
    assert out_of_date(chunk, chunk.pipeline) == {}


def test_after_single_runs_every_asset_is_in_sync(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(*map(brief, ARTICLES))
    for article in ARTICLES:
        opened.drive(article)
    assert out_of_date(opened, opened.pipeline) == {}


def test_an_edited_prompt_shows_every_article_of_a_chunk_asout_of_date(
    chunk: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunk.drive("b-second")
    package = copied_libraries(tmp_path, "libraries_of_tomorrow", monkeypatch)
    edit(package / "note/prompts/02_text.md", "about 60", "about 70")
    edited = LibraryPipeline("content", load_package(package))
    assert out_of_date(chunk, edited) == {"note/draft": set(ARTICLES)}


def test_an_edited_quality_pass_leaves_the_drafts_in_sync(
    chunk: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunk.drive("b-second")
    package = copied_libraries(tmp_path, "libraries_of_the_week", monkeypatch)
    edit(package / "note/prompts/03_quality_pass.md", "Found:", "Code found:")
    edited = LibraryPipeline("content", load_package(package))
    found = out_of_date(chunk, edited)
    assert found == {"note/deliverable": set(ARTICLES), "note/episode": set(ARTICLES)}


def test_a_changed_brief_shows_its_own_drafts_asout_of_date(chunk: Studio) -> None:
    chunk.drive("b-second")
    chunk.register(brief("a-first", title="Another title"))
    found = out_of_date(chunk, chunk.pipeline)
    assert found == {"note/draft": {"a-first"}, "card/draft": {"a-first"}}


def test_a_changed_brief_shows_after_a_run_of_its_own_too(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(*map(brief, ARTICLES))
    for article in ARTICLES:
        opened.drive(article)
    opened.register(brief("b-second", title="Another title"))
    found = out_of_date(opened, opened.pipeline)
    assert found == {"note/draft": {"b-second"}, "card/draft": {"b-second"}}


def test_one_article_without_a_brief_in_the_store_does_not_spoil_the_others(
    studio: Open,
) -> None:
    opened = studio(STRONG)
    opened.register(*map(brief, ARTICLES))
    opened.file("content/brief/b-second.json").unlink()
    run = opened.run_range(ARTICLES[0], ARTICLES[-1])
    assert run.status is dg.DagsterRunStatus.SUCCESS
    assert opened.file("content/row/a-first.json").exists()
    assert opened.file("content/row/c-third.json").exists()
    assert opened.metadata("note/draft", "b-second")["status"] == "failed"
    assert "no brief in the store" in opened.metadata("note/draft", "b-second")["failure"]


def test_a_deliverable_of_a_chunk_can_be_loaded_by_hand(chunk: Studio) -> None:
    value = chunk.definitions.load_asset_value(
        ["note", "deliverable"], partition_key="c-third", instance=chunk.instance
    )
    assert value == chunk.file("content/note/deliverable/c-third.md").read_bytes()


def out_of_date(
    opened: Studio, pipeline: LibraryPipeline, articles: Sequence[str] = ARTICLES
) -> dict[str, set[str]]:
    """By asset, the articles that Dagster shows as out of date or missing under these prompts."""
    outside = dg.Definitions(resources=opened.definitions.resources)
    graph = dg.Definitions.merge(
        pipeline_definitions(pipeline.declared, articles_per_run=1, night=NIGHT), outside
    ).resolve_asset_graph()
    view = AssetGraphView(
        temporal_context=TemporalContext(effective_dt=get_current_datetime(), last_event_id=None),
        instance=opened.instance,
        asset_graph=graph,
    )
    resolver = CachingStaleStatusResolver(opened.instance, graph, view)
    found: dict[str, set[str]] = {}
    for asset in MADE:
        key = dg.AssetKey.from_user_string(asset)
        stale = {a for a in articles if resolver.get_status(key, a) is not StaleStatus.FRESH}
        if stale:
            found[asset] = stale
    return found
