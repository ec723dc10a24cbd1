"""The simulator on a port of this machine."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import uvicorn

from resources.simulator.app import simulator_app
from resources.simulator.connections import reporting_protocol
from resources.simulator.settings import SimulatorSettings
from resources.simulator.simulator import Simulator

_BACKLOG = 2048
_KEEP_ALIVE_SECONDS = 75
_SECONDS_FOR_THE_LAST_ANSWERS = 1
_SECONDS_TO_START = 30


@dataclass(frozen=True, slots=True)
class RunningSimulator:
    """Where a simulator listens, for `OPENAI_BASE_URL`, and the simulator with its counts."""

    base_url: str
    simulator: Simulator


@contextmanager
def running_simulator(
    settings: SimulatorSettings, *, host: str = "127.0.0.1", port: int = 0
) -> Iterator[RunningSimulator]:
    """A simulator in a thread of this process, ready when entered; port 0 takes a free one.

    Raises:
        OSError: the port is taken or the log cannot be written.
    """
    ready = threading.Event()
    server = _server(settings, ready.set)
    listener = _listener(host, port)
    base_url = _base_url(listener)
    thread = threading.Thread(
        target=_serve_until_told, args=(server, listener, ready), name="simulator", daemon=True
    )
    thread.start()
    try:
        if not ready.wait(_SECONDS_TO_START) or not server.started:
            raise RuntimeError("the simulator did not start")
        yield RunningSimulator(base_url, server.simulator)
    finally:
        server.should_exit = True
        thread.join()


def serve(
    settings: SimulatorSettings, *, host: str, port: int, on_ready: Callable[[str], None]
) -> None:
    """Serves until interrupted; `on_ready` gets the base URL once requests are taken.

    Raises:
        OSError: the port is taken or the log cannot be written.
    """
    server = _server(settings, lambda: on_ready(base_url))
    listener = _listener(host, port)
    base_url = _base_url(listener)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """Says when it is ready; other threads need not poll for it."""

    def __init__(
        self, config: uvicorn.Config, simulator: Simulator, on_ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self.simulator = simulator
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._on_ready()


def _server(settings: SimulatorSettings, on_ready: Callable[[], None]) -> _Server:
    app = simulator_app(settings)
    simulator: Simulator = app.state.simulator
    config = uvicorn.Config(
        app,
        http=reporting_protocol(simulator.connections),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_SECONDS_FOR_THE_LAST_ANSWERS,
    )
    return _Server(config, simulator, on_ready)


def _serve_until_told(server: _Server, listener: socket.socket, ready: threading.Event) -> None:
    try:
        server.run(sockets=[listener])
    finally:
        listener.close()
        ready.set()


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=_BACKLOG)


def _base_url(listener: socket.socket) -> str:
    host, port, *_ = listener.getsockname()
    return f"http://[{host}]:{port}/v1" if ":" in host else f"http://{host}:{port}/v1"
