"""Imports run `assets -> orch_dagster <- resources`; the core imports none of them."""

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE = ROOT / "orch_dagster" / "core"
PACKAGES = ("assets", "orch_dagster", "resources")

FORBIDDEN = {
    "dagster": "import dagster as dg",
    "openai": "from openai import OpenAI",
    "resources": "from resources.output_store import OutputStore",
    "assets": "import assets.content",
    "pathlib": "from pathlib import Path",
    "os": "import os",
    "random": "from random import random",
    "time": "import time",
    "datetime.datetime.now": "from datetime import datetime\n\nNOW = datetime.now()",
}


def test_ruff_finds_nothing_in_the_core() -> None:
    assert _ruff(CORE) == []


@pytest.mark.parametrize("name", FORBIDDEN)
def test_ruff_refuses_in_the_core_what_is_not_pure(name: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    core = tmp_path / "orch_dagster" / "core"
    core.mkdir(parents=True)
    shutil.copy(CORE / "ruff.toml", core)
    (core / "impure.py").write_text(f"{FORBIDDEN[name]}\n", encoding="utf-8")
    assert "TID251" in _ruff(core)


def test_the_engine_imports_neither_pipelines_nor_the_outside_world() -> None:
    for file in (ROOT / "orch_dagster").rglob("*.py"):
        if file.name == "definitions.py" or file.parent.name == "cli":
            continue
        assert not {"assets", "resources", "tests"} & _imported(file), file


def test_the_core_imports_only_itself() -> None:
    for file in CORE.rglob("*.py"):
        ours = {name for name in _modules(file) if name.split(".")[0] in (*PACKAGES, "tests")}
        assert all(name.startswith("orch_dagster.core") for name in ours), file


def test_the_outside_world_knows_no_pipeline() -> None:
    for file in (ROOT / "resources").rglob("*.py"):
        assert not {"assets", "tests"} & _imported(file), file


def test_pipelines_reach_for_nothing_outside() -> None:
    for file in (ROOT / "assets").rglob("*.py"):
        assert not {"resources", "tests"} & _imported(file), file


@pytest.mark.parametrize("name", PACKAGES)
def test_the_packages_that_are_imported_are_ours(name: str) -> None:
    file = import_module(name).__file__
    assert file is not None
    assert Path(file).parent == ROOT / name


def _ruff(folder: Path) -> list[str]:
    """The codes that ruff finds in a folder."""
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--output-format=json", "--no-cache", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    return [found["code"] for found in json.loads(done.stdout)]


def _imported(file: Path) -> set[str]:
    return {name.split(".")[0] for name in _modules(file)}


def _modules(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module)):
                yield module
