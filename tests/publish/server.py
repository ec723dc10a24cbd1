"""A server that takes webhooks, on loopback."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Hooks:
    """Where it listens, the statuses it will answer in order (the last for ever), what it got."""

    url: str
    statuses: list[int] = field(default_factory=lambda: [200])
    headers: dict[str, str] = field(default_factory=dict)
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)


@contextmanager
def running_hooks() -> Iterator[Hooks]:
    """A server for the block; status 0 ends the connection without a word."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            hooks.got.append(({k.lower(): v for k, v in self.headers.items()}, body))
            status = hooks.statuses.pop(0) if len(hooks.statuses) > 1 else hooks.statuses[0]
            self.close_connection = True
            if status:
                self.send_response(status)
                for name, value in hooks.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hooks = Hooks(f"http://127.0.0.1:{server.server_port}/hooks/t0ken")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield hooks
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
