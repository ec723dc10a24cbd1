"""A client on a server that the test writes, or on a scripted simulator."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any, Protocol

import pytest

from resources.model.client import Limits, ModelClient
from resources.simulator.script import parse_script
from resources.simulator.server import RunningSimulator, running_simulator
from resources.simulator.settings import SimulatorSettings
from tests.model.raw_server import Answer, RawServer, running_server

KEY = "sk-test-0a1b2c3d4e5f"
SETTINGS = (
    "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "ORCH_MODEL",
    "ORCH_MODEL_REASONING", "ORCH_MODEL_FAST", "ORCH_TEMPERATURE",
)  # fmt: skip

LIMITS = Limits(in_flight=64, call_timeout_s=30, first_pause_s=0.01)


class Raw(Protocol):
    """A client, and the server that answers it so."""

    def __call__(
        self, answer: Answer, limits: Limits = LIMITS, **settings: str
    ) -> tuple[ModelClient, RawServer]: ...


class Simulated(Protocol):
    """A client, and the simulator that plays `rules` to it."""

    def __call__(
        self, *rules: dict[str, Any], limits: Limits = LIMITS, **settings: Any
    ) -> tuple[ModelClient, RunningSimulator]: ...


@pytest.fixture(autouse=True)
def configured(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key and a model, and nothing of the machine's own."""
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ORCH_MODEL", "a-model")


@pytest.fixture
def raw(monkeypatch: pytest.MonkeyPatch) -> Iterator[Raw]:
    with ExitStack() as stack:

        def made(
            answer: Answer, limits: Limits = LIMITS, **settings: str
        ) -> tuple[ModelClient, RawServer]:
            server = stack.enter_context(running_server(answer))
            for name, value in {"OPENAI_BASE_URL": server.base_url, **settings}.items():
                monkeypatch.setenv(name, value)
            return stack.enter_context(closing(ModelClient(limits))), server

        yield made


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> Iterator[Simulated]:
    with ExitStack() as stack:

        def made(
            *rules: dict[str, Any], limits: Limits = LIMITS, **settings: Any
        ) -> tuple[ModelClient, RunningSimulator]:
            script = parse_script(list(rules), source="script")
            running = stack.enter_context(
                running_simulator(SimulatorSettings(script=script, **settings))
            )
            monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
            return stack.enter_context(closing(ModelClient(limits))), running

        yield made
