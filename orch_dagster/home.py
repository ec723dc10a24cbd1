"""The Dagster instance of the current folder, or of DAGSTER_HOME."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import dagster as dg

EVENTS_AT_ONCE = "100"


def prepare_home(home: Path) -> None:
    """Make the folder a Dagster home, with our instance settings where it has none yet."""
    with open_instance(home):
        pass


def open_instance(home: Path) -> dg.DagsterInstance:
    """The instance in this home; what the command line and the UI share."""
    home.mkdir(parents=True, exist_ok=True)
    os.environ["DAGSTER_HOME"] = str(home)
    # Events of several articles are stored together, here and in the processes that we start.
    os.environ.setdefault("DAGSTER_EVENT_BATCH_SIZE", EVENTS_AT_ONCE)
    with _alone_in(home):
        config = home / "dagster.yaml"
        if not config.exists():
            shipped = files("orch_dagster").joinpath("dagster.yaml")
            config.write_text(shipped.read_text("utf-8"), encoding="utf-8")
        return dg.DagsterInstance.get()


@contextmanager
def _alone_in(home: Path) -> Iterator[None]:
    """One process at a time: of two that make the same databases, one breaks."""
    with (home / "opening.lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
