"""A tenth library is one new folder: three assets, its gates, a row of ten."""

import shutil
from pathlib import Path

import dagster as dg
import pytest

from tests.dagster_glue.briefs import brief
from tests.dagster_glue.conftest import Open
from tests.dagster_glue.packages import load_package
from tests.dagster_glue.studio import STRONG

ASSETS = Path(__file__).parents[2] / "assets"


def test_a_folder_copied_under_a_new_name_is_a_tenth_library(
    studio: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(tmp_path)
    package = Path(shutil.copytree(ASSETS / "content", tmp_path / "ten_libraries"))
    shutil.copytree(package / "task", package / "press_kit")
    opened = studio(STRONG, package=load_package(package))
    keys = set(opened.definitions.resolve_asset_graph().get_all_asset_keys())
    assert {
        dg.AssetKey(["press_kit", kind]) for kind in ("draft", "deliverable", "episode")
    } <= keys
    checks = opened.definitions.resolve_asset_graph().asset_check_keys
    episode = dg.AssetKey(["press_kit", "episode"])
    assert {key.name for key in checks if key.asset_key == episode} == {
        "voice_consistency",
        "coherence_score",
    }
    opened.register(brief("cellar"))
    opened.drive("cellar")
    row = opened.metadata("row", "cellar")["row"]
    assert opened.faults == []
    assert len(row["libraries"]) == 10
    assert row["libraries"]["press_kit"]["deliverable"]["bytes"] > 0
