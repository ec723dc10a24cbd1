"""The Dagster instance of the current folder, or of DAGSTER_HOME."""

import os
from importlib.resources import files
from pathlib import Path

import dagster as dg


def prepare_home(home: Path) -> None:
    """Make the folder a Dagster home, with our instance settings where it has none yet."""
    home.mkdir(parents=True, exist_ok=True)
    config = home / "dagster.yaml"
    if not config.exists():
        config.write_text(
            files("orch_dagster").joinpath("dagster.yaml").read_text("utf-8"), encoding="utf-8"
        )
    os.environ["DAGSTER_HOME"] = str(home)


def open_instance(home: Path) -> dg.DagsterInstance:
    """The instance in this home; what the command line and the UI share."""
    prepare_home(home)
    return dg.DagsterInstance.get()
