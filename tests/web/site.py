"""A web site of our own on loopback, page by page."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Body = bytes | Callable[[], Iterator[bytes]]


@dataclass(frozen=True)
class Answer:
    """What the site answers at a path; a callable body is sent piece by piece."""

    body: Body = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Site:
    """Where the site is, its pages by path, and the requests it has had, headers with them."""

    url: str
    pages: dict[str, Answer] = field(default_factory=dict)
    requests: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)

    def page(self, path: str, body: Body, *, status: int = 200, **headers: str) -> str:
        """Put a page there and give its address; `content_type` is the header Content-Type."""
        named = {name.replace("_", "-").title(): value for name, value in headers.items()}
        self.pages[path] = Answer(body, status, named)
        return self.url + path


@contextmanager
def running_site() -> Iterator[Site]:
    """A site that answers for the block, on a free port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.requests.append((self.path, dict(self.headers)))
            answer = site.pages.get(self.path.partition("?")[0], Answer(status=404))
            if self.headers.get("If-None-Match", "none") == answer.headers.get("Etag"):
                answer = Answer(status=304)
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if isinstance(answer.body, bytes):
                self.send_header("Content-Length", str(len(answer.body)))
            self.send_header("Connection", "close")
            self.end_headers()
            try:
                for piece in [answer.body] if isinstance(answer.body, bytes) else answer.body():
                    self.wfile.write(piece)
                    self.wfile.flush()
            except OSError:  # the reader has had enough
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site = Site(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
