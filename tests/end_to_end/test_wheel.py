"""The built wheel, installed into an environment of its own, outside the checkout."""

import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.end_to_end.orch import ROOT

_UNSET = ("OPENAI_", "ORCH_", "DAGSTER_", "PYTHON")


def _run(words: list[str], folder: Path) -> str:
    environment: Mapping[str, str] = {
        name: value for name, value in os.environ.items() if not name.startswith(_UNSET)
    }
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    # The tools of the developers' environment build it: nothing is fetched for that.
    build = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    _run([sys.executable, *build], folder)
    [built] = folder.glob("*.whl")
    return built


@pytest.mark.slow
def test_the_wheel_holds_what_runs_and_no_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    tops = {name.split("/")[0] for name in names}
    assert {"orch_dagster", "assets", "resources"} <= tops
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "orch_dagster",
        "assets",
        "resources",
    }
    assert "orch_dagster/dagster.yaml" in names
    for folder in (ROOT / "assets", ROOT / "orch_dagster", ROOT / "resources"):
        for path in folder.rglob("*"):
            if path.suffix in (".py", ".md", ".yaml") and "__pycache__" not in path.parts:
                assert path.relative_to(ROOT).as_posix() in names


@pytest.mark.slow
def test_the_wheel_works_in_a_clean_environment(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / "bin"
    desk = tmp_path / "desk"
    desk.mkdir()
    _run([str(programs / "python"), "-m", "pip", "install", "--quiet", str(wheel)], desk)
    assert "demo" in _run([str(programs / "orch"), "--help"], desk)
    assert _run([str(programs / "orch"), "--version"], desk).startswith("orch")
    said = _run([str(programs / "orch"), "demo"], desk)
    assert "assembled" in said or "needs_review" in said
    [row] = (desk / ".orch" / "store" / "content" / "row").glob("*.json")
    assert row.stem in said
    [article] = (desk / ".orch" / "store" / "content" / "article" / "deliverable").glob("*.md")
    assert article.read_text("utf-8").count("\n## ") >= 3
    origin = "import assets, resources, orch_dagster as o; print(assets.__file__, o.__file__)"
    for path in _run([str(programs / "python"), "-c", origin], desk).split():
        assert Path(path).is_relative_to(tmp_path / "venv")
