"""Token counts by estimate, and the memory of a provider's prompt cache."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from resources.simulator.request import ChatRequest

CHARACTERS_PER_TOKEN = 4
# OpenAI's guide "Prompt caching": prefixes of 1,024 tokens or more, in steps of 128.
_STEP = 128
_CACHED_FROM = 1024


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request."""

    prompt: int
    cached: int
    completion: int

    def as_json(self) -> dict[str, Any]:
        """The `usage` object of the protocol."""
        return {
            "prompt_tokens": self.prompt,
            "completion_tokens": self.completion,
            "total_tokens": self.prompt + self.completion,
            "prompt_tokens_details": {"cached_tokens": self.cached, "audio_tokens": 0},
            "completion_tokens_details": {
                "reasoning_tokens": 0,
                "audio_tokens": 0,
                "accepted_prediction_tokens": 0,
                "rejected_prediction_tokens": 0,
            },
        }


def tokens(text: str) -> int:
    """An estimate, four characters to the token, rounded up; no tokenizer is asked."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


class PrefixMemory:
    """Remembers prefixes of earlier prompts, the least recently used forgotten first."""

    def __init__(self, *, blocks: int) -> None:
        """`blocks` of 128 tokens are remembered at most, as one number each."""
        self._most = blocks
        self._seen: OrderedDict[int, None] = OrderedDict()

    def cached_tokens(self, request: ChatRequest) -> int:
        """Tokens of the longest known prefix, after which this prompt is known too."""
        known = 0
        unbroken = True
        for link in _chain(request):
            unbroken = unbroken and link in self._seen
            known += unbroken
            self._seen[link] = None
            self._seen.move_to_end(link)
        while len(self._seen) > self._most:
            self._seen.popitem(last=False)
        cached = known * _STEP
        return cached if cached >= _CACHED_FROM else 0


def _chain(request: ChatRequest) -> list[int]:
    text = "".join(f"\0{message.role}\0{message.text}" for message in request.messages)
    size = _STEP * CHARACTERS_PER_TOKEN
    links = [hash(request.model)]
    for start in range(0, len(text) - size + 1, size):
        links.append(hash((links[-1], text[start : start + size])))
    return links[1:]
