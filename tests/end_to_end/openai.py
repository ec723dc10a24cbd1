"""A server on loopback that answers in the name of api.openai.com, and bills what it says it does.

What it says comes from a simulator. It is reached as the real one would be, by name and over TLS,
through a proxy that is itself: prices hang on the address of the server, so nothing less is whole.
"""

import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import trustme

from tests.model.raw_server import Heard, completion, reply, running_server


@dataclass
class Bill:
    """What one request was billed."""

    trace: str
    model: str
    prompt: int
    cached: int
    completion: int
    reasoning: int


@dataclass
class OpenAI:
    """The bills so far; `settings` makes a process ask it. Prompts in `refused` are, once each."""

    simulator: str
    refused: set[str]
    settings: Mapping[str, str] = field(default_factory=dict)
    bills: list[Bill] = field(default_factory=list)

    def answer(self, heard: Heard) -> bytes:
        """A completion with usage as api.openai.com gives it; longer traces are billed more."""
        asked = heard.body
        if asked is None:  # the list of models
            return reply({"object": "list", "data": []})
        if not heard.trace.startswith("check/"):
            return reply(self._billed(heard, asked))
        return reply(completion("ready", model=asked["model"]))

    def _billed(self, heard: Heard, asked: Mapping[str, Any]) -> dict[str, Any]:
        size = len(heard.trace)
        bill = Bill(heard.trace, asked["model"], 1_000 + size, 640 + size % 7, 200 + size, 64)
        self.bills.append(bill)
        said = self._said(heard, asked)
        return said | {"model": bill.model, "usage": _usage(bill)}

    def _said(self, heard: Heard, asked: Mapping[str, Any]) -> dict[str, Any]:
        place = heard.trace.split("#")[0].split("/", 2)[2]
        if place in self.refused:
            self.refused.remove(place)
            return completion(None, message={"refusal": "I cannot help with that."})
        answered = httpx2.post(
            f"{self.simulator}/chat/completions",
            json={**asked, "model": "simulator"},
            headers={"X-Orch-Trace": heard.trace},
        )
        return answered.raise_for_status().json()


def _usage(bill: Bill) -> dict[str, Any]:
    return {
        "prompt_tokens": bill.prompt,
        "completion_tokens": bill.completion,
        "total_tokens": bill.prompt + bill.completion,
        "prompt_tokens_details": {"cached_tokens": bill.cached, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": bill.reasoning, "audio_tokens": 0},
    }


@contextmanager
def openai_on_loopback(folder: Path, simulator: str, *, refused: set[str]) -> Iterator[OpenAI]:
    """The server, until the block ends; its certificate's authority lies in the folder."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "authority.pem"))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("api.openai.com").configure_cert(tls)
    server = OpenAI(simulator, refused)
    with running_server(server.answer, tls) as running:
        proxy = f"http://{urlsplit(running.base_url).netloc}"
        server.settings = {
            "HTTPS_PROXY": proxy,
            "https_proxy": proxy,
            "NO_PROXY": "",
            "no_proxy": "",
            "SSL_CERT_FILE": str(folder / "authority.pem"),
            "OPENAI_API_KEY": "sk-priced",
        }
        yield server
