"""A running simulator for the tests that speak HTTP."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Protocol

import pytest
from openai import OpenAI

from resources.simulator.script import parse_script
from resources.simulator.server import RunningSimulator, running_simulator
from resources.simulator.settings import SimulatorSettings


class Start(Protocol):
    """Starts a simulator that plays `rules`, and a client for it; both end with the test."""

    def __call__(
        self, *rules: dict[str, Any], **settings: Any
    ) -> tuple[RunningSimulator, OpenAI]: ...


@pytest.fixture
def start() -> Iterator[Start]:
    with ExitStack() as stack:

        def started(*rules: dict[str, Any], **settings: Any) -> tuple[RunningSimulator, OpenAI]:
            script = parse_script(list(rules), source="script")
            running = stack.enter_context(
                running_simulator(SimulatorSettings(script=script, **settings))
            )
            client = OpenAI(base_url=running.base_url, api_key="none", max_retries=0, timeout=10)
            return running, stack.enter_context(client)

        yield started
