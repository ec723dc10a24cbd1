"""Help is quick, because nothing heavy is imported for it."""

import subprocess
import sys
from pathlib import Path

from tests.end_to_end.orch import Orch

_PROGRAM = """
import sys
from orch_dagster.cli.main import main
try:
    main(["--help"])
except SystemExit:
    pass
heavy = {"dagster", "openai", "pydantic", "sqlalchemy", "jinja2", "assets", "resources"}
print("imported:", sorted(heavy & set(sys.modules)))
"""


def test_help_imports_nothing_heavy(empty: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        cwd=empty,
        env=Orch(empty).environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith("imported: []\n")
    for command in ("demo", "run", "add", "status", "rows", "show", "serve", "simulate", "check"):
        assert f"  {command} " in done.stdout


def test_a_wrong_call_ends_with_two(empty: Path) -> None:
    orch = Orch(empty)
    assert orch.run("--help").status == 0
    assert orch.run("nosuch").status == 2
    assert orch.run("run").status == 2
    assert list(empty.iterdir()) == []


def test_an_empty_folder_has_nothing_to_show(orch: Orch) -> None:
    done = orch.run("status")
    assert done.status == 0
    assert done.out == ""
    assert "No article is registered yet" in done.err
