"""A copy of the small libraries in a folder, as a package that can be edited."""

import shutil
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ORIGINAL = Path(__file__).parent / "libraries"


def copied_libraries(folder: Path, name: str, environment: pytest.MonkeyPatch) -> Path:
    """The folder of a copy; `load_package` imports it, after it was edited."""
    environment.syspath_prepend(folder)
    return Path(shutil.copytree(ORIGINAL, folder / name))


def load_package(package: Path) -> ModuleType:
    """The package in a folder, as it is now."""
    for name in [name for name in sys.modules if name.split(".")[0] == package.name]:
        del sys.modules[name]
    return import_module(package.name)


def edit(file: Path, old: str, new: str) -> None:
    """Replace a text in a file; it must be there."""
    text = file.read_text(encoding="utf-8")
    if old not in text:
        raise ValueError(f"{file.name} does not hold {old!r}")
    file.write_text(text.replace(old, new), encoding="utf-8")
