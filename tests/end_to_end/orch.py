"""The command line as its own process, in a folder of its own."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SMALL = ROOT / "tests" / "dagster_glue" / "libraries"

_SETTINGS = ("OPENAI_", "ORCH_", "DAGSTER_", "PYTHON")


@dataclass(frozen=True)
class Finished:
    """How a command ended and what it said."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


@dataclass(frozen=True)
class Orch:
    """`orch` in a folder, with these settings and no others, from this checkout or a copy of it."""

    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    project: Path = ROOT

    @property
    def command(self) -> str:
        """The script that installing the package made."""
        return str(Path(sys.executable).with_name("orch"))

    @property
    def environment(self) -> dict[str, str]:
        """The variables of this process without the settings that a person may have here."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(_SETTINGS)}
        return {
            **kept,
            "PYTHONPATH": str(self.project),
            "PYTHONUNBUFFERED": "1",
            "COLUMNS": "160",
            "NO_COLOR": "1",
            **self.settings,
        }

    def run(self, *words: str) -> Finished:
        """Run a command to its end."""
        return self._run(self.command, *words)

    def python(self, program: str) -> Finished:
        """Run a program under the same settings."""
        return self._run(sys.executable, "-c", program)

    def _run(self, *words: str) -> Finished:
        done = subprocess.run(
            words,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return Finished(done.returncode, done.stdout, done.stderr)

    def start(self, *words: str, log: Path | None = None) -> subprocess.Popen[str]:
        """Start a command; what it says goes to a file where one is given, else to pipes."""
        to = log.open("a", encoding="utf-8") if log else subprocess.PIPE
        try:
            return subprocess.Popen(
                [self.command, *words],
                cwd=self.folder,
                env=self.environment,
                stdout=to,
                stderr=subprocess.STDOUT if log else subprocess.PIPE,
                text=True,
            )
        finally:
            if log:
                to.close()  # type: ignore[union-attr]

    @property
    def store(self) -> Path:
        """Where documents lie by default."""
        return self.folder / ".orch" / "store" / "content"


def small_project(folder: Path) -> Path:
    """A copy of the checkout with the two small libraries of the tests, and no others."""
    quiet = shutil.ignore_patterns("__pycache__")
    for name in ("orch_dagster", "resources", "assets"):
        shutil.copytree(ROOT / name, folder / name, ignore=quiet)
    content = folder / "assets" / "content"
    for path in content.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
    for name in ("note", "card"):
        shutil.copytree(SMALL / name, content / name, ignore=quiet)
    return folder
