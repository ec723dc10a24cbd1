"""Which server answers, with which models, by the environment."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from orch_dagster.model import Role
from orch_dagster.settings import SettingError
from resources.simulator.server import running_simulator
from resources.simulator.settings import SimulatorSettings

OPENAI = "https://api.openai.com/v1"

SIMULATOR_MODELS: Mapping[Role, str] = {
    "reasoning": "simulator-reasoning",
    "fast": "simulator-fast",
}

STAND_IN = SimulatorSettings(latency_ms=25, jitter=0.5)
"""The simulator inside the process: slow enough to be watched, quick enough for a demo."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A chat-completions server: where it is, the key it wants, the model of each role."""

    base_url: str
    key: str = field(repr=False)
    models: Mapping[Role, str]


def is_configured(env: Mapping[str, str] = os.environ) -> bool:
    """Whether a model server is set; without one the simulator stands in."""
    return bool(env.get("OPENAI_API_KEY") or env.get("OPENAI_BASE_URL"))


def model_names(env: Mapping[str, str] = os.environ) -> Mapping[Role, str]:
    """The model of each role.

    Raises:
        SettingError: a server is set, and no model for a role.
    """
    if not is_configured(env):
        return SIMULATOR_MODELS
    common = env.get("ORCH_MODEL", "").strip()
    names: dict[Role, str] = {}
    settings: dict[Role, str] = {"reasoning": "ORCH_MODEL_REASONING", "fast": "ORCH_MODEL_FAST"}
    for role, setting in settings.items():
        name = env.get(setting, "").strip() or common
        if not name:
            raise SettingError(f"{setting}: no model is set; set it, or ORCH_MODEL for both roles")
        names[role] = name
    return names


@contextmanager
def open_endpoint(env: Mapping[str, str] = os.environ) -> Iterator[Endpoint]:
    """The configured server, or a simulator that runs inside this process for the block.

    Raises:
        SettingError: a server is set, and no model for a role.
    """
    models = model_names(env)
    if is_configured(env):
        base_url = (env.get("OPENAI_BASE_URL") or OPENAI).rstrip("/")
        yield Endpoint(base_url, env.get("OPENAI_API_KEY") or "none", models)
        return
    with running_simulator(STAND_IN) as simulator:
        yield Endpoint(simulator.base_url, "none", models)
