"""One agent on the two small libraries, with the log of what it asks."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openai

from orch_dagster.core.episode import Status
from orch_dagster.library import load_libraries
from resources.simulator.log import read_log
from tests.benchmarks.flat.agent import work_through
from tests.benchmarks.flat.window import OneWindow
from tests.dagster_glue import libraries
from tests.dagster_glue.briefs import brief

ARTICLES = ("cellar", "pantry")


@dataclass(frozen=True)
class Agent:
    """A client of a running simulator."""

    client: openai.OpenAI
    log: Path

    def work(self, *, steps: int | None) -> Mapping[str, Status]:
        """Both articles in one window; the status of those it came to the end of."""
        model = OneWindow(self.client, model="simulator", steps=steps)
        return work_through(load_libraries(libraries), [brief(slug) for slug in ARTICLES], model)

    def bodies(self) -> list[dict[str, Any]]:
        """The requests' bodies, in order."""
        return [r["body"] for r in read_log(self.log) if r["event"] == "asked"]
