"""Which server answers, with which models, by the environment."""

import base64
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit, urlunsplit

from orch_dagster.model import Role
from orch_dagster.settings import SettingError
from resources.secret import HIDDEN, hide
from resources.simulator.server import running_simulator
from resources.simulator.settings import SimulatorSettings

OPENAI = "https://api.openai.com/v1"

SIMULATOR_MODELS: Mapping[Role, str] = {
    "reasoning": "simulator-reasoning",
    "fast": "simulator-fast",
}

STAND_IN = SimulatorSettings(latency_ms=25, jitter=0.5)
"""The simulator inside the process: slow enough to be watched, quick enough for a demo."""

_COMPLETIONS = "/chat/completions"

_SURELY_SECRET = 16
"""Characters from which a secret cannot be a word that a model writes by itself."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A chat-completions server: where it is, what opens it, the model of each role.

    `base_url` can be shown: a name and password, or a query, that stood in it are kept apart.
    `options` are parameters of the requests that can be left out.
    """

    base_url: str
    models: Mapping[Role, str]
    options: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = field(default=None, repr=False)
    login: str | None = field(default=None, repr=False)
    query: Mapping[str, str] = field(default_factory=dict, repr=False)
    is_stand_in: bool = False

    @property
    def headers(self) -> dict[str, str]:
        """What opens the server where the address carried a name and password."""
        if self.login is None:
            return {}
        return {"Authorization": f"Basic {base64.b64encode(self.login.encode()).decode()}"}

    def hide(self, text: str) -> str:
        """The text with everything secret in it replaced: servers like to quote what they got."""
        return hide(text, self._secrets)

    def hide_in_answer(self, text: str) -> str:
        """An answer without what is surely a secret: a short key may be a word of the text."""
        for secret in self._secrets:
            if secret and len(secret) >= _SURELY_SECRET:
                text = text.replace(secret, HIDDEN)
        return text

    @property
    def _secrets(self) -> tuple[str | None, ...]:
        return (self.key, self.login, *self._passwords(), *self.query.values())

    def _passwords(self) -> tuple[str, ...]:
        if self.login is None:
            return ()
        encoded = base64.b64encode(self.login.encode()).decode()
        return (encoded, encoded.rstrip("="), self.login.partition(":")[2])


def is_configured(env: Mapping[str, str] = os.environ) -> bool:
    """Whether a model server is set; without one the simulator stands in."""
    return bool(_set(env, "OPENAI_API_KEY") or _set(env, "OPENAI_BASE_URL"))


def model_names(env: Mapping[str, str] = os.environ) -> Mapping[Role, str]:
    """The model of each role.

    Raises:
        SettingError: a server is set, and no model for a role.
    """
    if not is_configured(env):
        return SIMULATOR_MODELS
    common = _set(env, "ORCH_MODEL")
    names: dict[Role, str] = {}
    settings: dict[Role, str] = {"reasoning": "ORCH_MODEL_REASONING", "fast": "ORCH_MODEL_FAST"}
    for role, setting in settings.items():
        name = _set(env, setting) or common
        if not name:
            raise SettingError(f"{setting}: no model is set; set it, or ORCH_MODEL for both roles")
        names[role] = name
    return names


def model_options(env: Mapping[str, str] = os.environ) -> Mapping[str, Any]:
    """Parameters that every request carries, as far as the server takes them.

    Raises:
        SettingError: one that cannot be used.
    """
    text = _set(env, "ORCH_TEMPERATURE")
    if not text:
        return {}
    try:
        temperature = float(text)
    except ValueError:
        temperature = -1.0
    if not 0 <= temperature <= 2:
        raise SettingError(f"ORCH_TEMPERATURE: {text!r} is not a number from 0 to 2")
    return {"temperature": temperature}


@contextmanager
def open_endpoint(env: Mapping[str, str] = os.environ) -> Iterator[Endpoint]:
    """The configured server, or a simulator that runs inside this process for the block.

    Raises:
        SettingError: a server is set, and no model for a role; an address or a key that no
            request can carry.
    """
    models = model_names(env)
    options = model_options(env)
    if is_configured(env):
        yield _configured(env, models, options)
        return
    with running_simulator(STAND_IN) as simulator:
        yield Endpoint(simulator.base_url, models, options, is_stand_in=True)


def _configured(
    env: Mapping[str, str], models: Mapping[Role, str], options: Mapping[str, Any]
) -> Endpoint:
    key = _set(env, "OPENAI_API_KEY")
    if not all("!" <= letter <= "~" for letter in key):
        raise SettingError("OPENAI_API_KEY: holds a space or a letter that no key can have")
    url = _address(_set(env, "OPENAI_BASE_URL") or OPENAI)
    login = None
    if url.username is not None:
        login = f"{unquote(url.username)}:{unquote(url.password or '')}"
    host = url.netloc.rpartition("@")[2]
    return Endpoint(
        base_url=urlunsplit((url.scheme, host, url.path.rstrip("/"), "", "")),
        models=models,
        options=options,
        key=key or None,
        login=login,
        query=dict(parse_qsl(url.query)),
    )


def _address(text: str) -> SplitResult:
    url = _split(text)
    if url is None or any(letter.isspace() for letter in text):
        raise SettingError(
            "OPENAI_BASE_URL: is no address such as https://api.openai.com/v1 or "
            "http://127.0.0.1:8000/v1"
        )
    if url.path.rstrip("/").endswith(_COMPLETIONS):
        raise SettingError(f"OPENAI_BASE_URL: ends in {_COMPLETIONS!r}; leave that off")
    return url


def _split(text: str) -> SplitResult | None:
    try:
        url = urlsplit(text)
        return url if url.scheme in ("http", "https") and url.hostname and url.port != 0 else None
    except ValueError:
        return None


def _set(env: Mapping[str, str], name: str) -> str:
    return env.get(name, "").strip()
