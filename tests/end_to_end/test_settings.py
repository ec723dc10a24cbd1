"""Where settings come from, and what stands in the current folder does not matter."""

import shutil
from pathlib import Path

import pytest

from tests.dagster_glue.briefs import write_brief
from tests.dagster_glue.studio import STRONG
from tests.end_to_end.conftest import Serve
from tests.end_to_end.orch import Orch


@pytest.mark.slow
def test_a_file_named_env_is_read_and_overrides_nothing(orch: Orch, serve: Serve) -> None:
    server = serve(STRONG)
    (orch.folder / ".env").write_text(
        f"OPENAI_BASE_URL={server.base_url}\nORCH_MODEL=from-the-file\n", encoding="utf-8"
    )
    assert "'from-the-file'" in orch.run("check").out
    over = Orch(orch.folder, {"ORCH_MODEL": "from-outside"}, orch.project)
    assert "'from-outside'" in over.run("check").out


@pytest.mark.slow
def test_home_and_store_can_be_elsewhere(orch: Orch, serve: Serve, tmp_path: Path) -> None:
    settings = {
        **serve(STRONG).settings,
        "DAGSTER_HOME": str(tmp_path / "home"),
        "ORCH_STORE": (tmp_path / "documents").as_uri(),
    }
    elsewhere = Orch(orch.folder, settings, orch.project)
    path = write_brief(tmp_path, "cellar")
    assert elsewhere.run("run", str(path)).status == 0
    assert list(orch.folder.iterdir()) == []
    assert (tmp_path / "documents/content/row/cellar.json").exists()
    assert (tmp_path / "home/dagster.yaml").exists()
    assert not (tmp_path / "home/store").exists()


@pytest.mark.slow
def test_folders_of_the_same_name_do_not_get_in_the_way(orch: Orch, serve: Serve) -> None:
    for name in ("assets", "resources", "orch_dagster", "dagster"):
        (orch.folder / name).mkdir()
        (orch.folder / name / "__init__.py").write_text("raise SystemExit('not ours')\n", "utf-8")
    path = write_brief(orch.folder, "cellar")
    done = Orch(orch.folder, serve(STRONG).settings, orch.project).run("run", str(path))
    assert done.status == 0, done.err


def test_the_instance_settings_of_a_person_are_kept(orch: Orch) -> None:
    home = orch.folder / ".orch"
    home.mkdir()
    shutil.copy(orch.project / "orch_dagster" / "dagster.yaml", home)
    mine = (home / "dagster.yaml").read_text("utf-8") + "# mine\n"
    (home / "dagster.yaml").write_text(mine, encoding="utf-8")
    assert orch.run("status").status == 0
    assert (home / "dagster.yaml").read_text("utf-8") == mine


@pytest.mark.slow
def test_two_commands_may_be_the_first_at_once(orch: Orch) -> None:
    both = [orch.start("status"), orch.start("status")]
    ended = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], ended
