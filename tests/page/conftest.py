"""Libraries with something missing."""

import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from assets import content
from orch_dagster.library import Library, load_library
from orch_dagster.page.page import TEMPLATE


@pytest.fixture
def plain_social(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """The social library, copied, without its template."""
    package = "plain_social"
    source = Path(content.__path__[0]) / "social"
    shutil.copytree(source, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / package / TEMPLATE).unlink()
    monkeypatch.syspath_prepend(str(tmp_path))
    yield load_library(import_module(package))
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
