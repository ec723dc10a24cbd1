"""Tokens of a logged request, and how many of them stood at the head of an earlier one."""

import json
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tests.tokens import encoding

STEP, LEAST = 128, 1024
"""OpenAI's guide "Prompt caching": prefixes of 1,024 tokens or more, in steps of 128."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Tokens that one request put before the model, and those a prefix cache would know."""

    context: int
    cached: int


class PrefixMemory:
    """Counts request bodies in the order of their arrival.

    The context is the text of all messages and the schema of the answer, which servers put before
    the model too; the few tokens by which a server frames each message are left out. The cache is
    kinder than a provider's: it forgets nothing, and the schema, which in truth stands before the
    messages and so ends the prefix wherever two steps differ in it, breaks nothing here.
    """

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def count(self, body: Mapping[str, Any]) -> Counted:
        """One request's tokens."""
        said = array("I")
        for message in body["messages"]:
            said.extend(_encoded(message["content"]))
        context = len(said) + len(_encoded(_schema(body)))
        return Counted(context, self._cached(said))

    def _cached(self, said: "array[int]") -> int:
        data, width = memoryview(said).cast("B"), STEP * said.itemsize
        known, unbroken, link = 0, True, 0
        for start in range(0, len(data) - width + 1, width):
            link = hash((link, bytes(data[start : start + width])))
            unbroken = unbroken and link in self._seen
            known += unbroken
            self._seen.add(link)
        cached = known * STEP
        return cached if cached >= LEAST else 0


@lru_cache(maxsize=8192)
def _encoded(text: str) -> "array[int]":
    return array("I", encoding().encode(text))


def _schema(body: Mapping[str, Any]) -> str:
    match body.get("response_format"):
        case {"json_schema": {"schema": schema}}:
            return json.dumps(schema, ensure_ascii=False)
        case _:
            return ""
