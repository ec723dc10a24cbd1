"""The lineage that people see."""

import dagster as dg
import pytest

from assets.content.pipeline import content_pipeline
from orch_dagster import definitions
from orch_dagster.library import Library

BRIEF, ROW = dg.AssetKey("brief"), dg.AssetKey("row")


@pytest.fixture(scope="module")
def defs(tmp_path_factory: pytest.TempPathFactory) -> dg.Definitions:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DAGSTER_HOME", str(tmp_path_factory.mktemp("home")))
        environment.delenv("ORCH_STORE", raising=False)
        return definitions.defs()


@pytest.fixture(scope="module")
def graph(defs: dg.Definitions):
    return defs.resolve_asset_graph()


def _libraries() -> tuple[Library, ...]:
    return content_pipeline().libraries


def _below(graph, key: dg.AssetKey) -> set[dg.AssetKey]:
    found = {key}
    for child in graph.get(key).child_keys:
        found |= _below(graph, child)
    return found


def test_there_are_three_assets_a_library_the_row_and_the_brief(graph) -> None:
    expected = {BRIEF, ROW} | {
        dg.AssetKey([library.name, kind])
        for library in _libraries()
        for kind in ("draft", "deliverable", "episode")
    }
    assert _below(graph, BRIEF) == expected


def test_a_row_hangs_on_episodes_only(graph) -> None:
    assert graph.get(ROW).parent_keys == {
        dg.AssetKey([library.name, "episode"]) for library in _libraries()
    }


def test_libraries_do_not_hang_on_each_other(graph) -> None:
    for library in _libraries():
        draft = dg.AssetKey([library.name, "draft"])
        assert graph.get(draft).parent_keys == {BRIEF}
        for kind in ("deliverable", "episode"):
            assert graph.get(dg.AssetKey([library.name, kind])).parent_keys == {draft}


def test_every_asset_says_what_it_is_and_of_which_kind(graph) -> None:
    for key in _below(graph, BRIEF):
        node = graph.get(key)
        assert node.description, key
        assert any(tag.startswith("dagster/kind/") for tag in node.tags), key
        assert node.partitions_def == content_pipeline().declared.partitions, key


def test_assets_are_grouped_by_library(graph) -> None:
    for key in _below(graph, BRIEF):
        assert graph.get(key).group_name == key.path[0]


def test_everything_made_has_a_code_version_and_the_brief_is_not_made(graph) -> None:
    for key in _below(graph, BRIEF) - {BRIEF}:
        assert graph.get(key).is_materializable, key
        assert graph.get(key).code_version, key
    assert not graph.get(BRIEF).is_materializable


def test_the_chain_is_an_op_of_its_own_and_the_pass_makes_deliverable_and_episode(graph) -> None:
    for library in _libraries():
        draft, deliverable, episode = (
            graph.get(dg.AssetKey([library.name, kind])).assets_def.node_def.name
            for kind in ("draft", "deliverable", "episode")
        )
        assert draft != deliverable == episode


def test_each_gate_is_a_check_of_its_episode(defs: dg.Definitions) -> None:
    graph = defs.resolve_asset_graph()
    for library in _libraries():
        episode = dg.AssetKey([library.name, "episode"])
        names = {key.name for key in graph.get_check_keys_for_assets({episode})}
        assert names == {gate.score for gate in library.gates}


def test_the_job_covers_everything_but_the_brief(defs: dg.Definitions) -> None:
    job = defs.resolve_job_def("content")
    graph = defs.resolve_asset_graph()
    assert set(job.asset_layer.executable_asset_keys) == _below(graph, BRIEF) - {BRIEF}
    assert job.executor_def.name == "steps_at_once"
