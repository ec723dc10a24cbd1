"""Two articles on small libraries: orchestrated in a studio, or asked by one agent."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import openai
import pytest

from resources.simulator.script import parse_script
from resources.simulator.server import running_simulator
from resources.simulator.settings import SimulatorSettings
from tests.benchmarks.one_agent import Agent
from tests.dagster_glue import libraries
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.studio import STRONG, Studio, open_studio, weak


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    """In memory."""
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


@pytest.fixture
def studio(
    tmp_path: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Studio]:
    """Its articles are `cellar`, and `pantry` whose note is weak at first."""
    rules = [{**weak("note", "1"), "match": "*/pantry/note/quality_pass#1"}, STRONG]
    with open_studio(tmp_path, libraries, instance, monkeypatch, rules) as studio:
        studio.register(brief("cellar"), brief("pantry"))
        yield studio


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    """An agent without a task, and the log of what it asks."""
    log = tmp_path / "log.jsonl"
    settings = SimulatorSettings(script=parse_script([STRONG], source="rules"), log=log)
    with (
        running_simulator(settings) as simulator,
        openai.OpenAI(base_url=simulator.base_url, api_key="none", max_retries=0) as client,
    ):
        yield Agent(client, log)
