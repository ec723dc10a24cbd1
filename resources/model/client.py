"""The model client: a `Model` for any OpenAI-compatible server, on one event loop a process."""

import asyncio
import os
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from orch_dagster.model import Ask, ConfigurationError, ModelError, Reply, Role
from orch_dagster.settings import SettingError
from resources.model.conversation import Conversation, Limits
from resources.model.endpoint import model_names, model_options, open_endpoint

__all__ = ["Limits", "ModelClient"]


class ModelClient:
    """Calls may come from any thread and any event loop.

    Each run of Dagster makes and closes its own, so connections and limits live on a loop of the
    client's. Nothing is opened before the first call.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._core: Core | None = None

    def settings(self, role: Role) -> Mapping[str, Any]:
        """The model's name and options: the rest of what an answer depends on is in the request.

        Raises:
            ConfigurationError: no model is set for the role.
        """
        try:
            return {"model": model_names()[role], **model_options()}
        except SettingError as error:
            raise ConfigurationError(str(error)) from error

    async def ask(self, request: Ask) -> Reply:
        """The answer to one request; see `Model.ask`."""
        core = self.opened()
        asking = asyncio.run_coroutine_threadsafe(core.conversation.ask(request), core.loop)
        return await asyncio.wrap_future(asking)

    def close(self) -> None:
        """End the connections, the loop and a simulator that was started for this client."""
        with self._lock:
            core, self._core = self._core, None
        if core is not None:
            core.close()

    def opened(self) -> "Core":
        """What lives as long as the process, and is opened for the first that asks.

        Raises:
            ConfigurationError: a setting is wrong.
            ModelError: the simulator that stands in cannot be started.
        """
        with self._lock:
            if self._core is None or self._core.process != os.getpid():
                self._core = self._open()
            return self._core

    def _open(self) -> "Core":
        try:
            return Core(self._limits)
        except SettingError as error:
            raise ConfigurationError(str(error)) from error
        except OSError as error:
            raise ModelError(f"the simulator cannot be started: {error}") from error


class Core:
    """The client's loop in its thread, and what lives there: one conversation with one server."""

    def __init__(self, limits: Limits) -> None:
        self.process = os.getpid()
        with ExitStack() as held:
            self.endpoint = held.enter_context(open_endpoint())
            self.conversation = Conversation(self.endpoint, limits)
            self._held = held.pop_all()
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="model", daemon=True)
        self._thread.start()

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self.conversation.close(), self.loop).result()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self._held.close()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
            runner.get_loop().run_forever()
