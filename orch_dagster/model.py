"""The port to a language model: what is asked, what comes back, what can go wrong."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict

Role = Literal["reasoning", "fast"]


class Usage(BaseModel):
    """Tokens of one or more calls; None is unknown, because the server did not say."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None

    @property
    def total(self) -> int:
        """Prompt and completion tokens, as far as they are known."""
        return (self.prompt_tokens or 0) + (self.completion_tokens or 0)

    def __add__(self, other: "Usage") -> "Usage":
        mine, theirs = self.model_dump(), other.model_dump()
        return Usage(
            **{
                key: None
                if mine[key] is None and theirs[key] is None
                else (mine[key] or 0) + (theirs[key] or 0)
                for key in mine
            }
        )


NOTHING = Usage(prompt_tokens=0, cached_tokens=0, completion_tokens=0, reasoning_tokens=0)
"""The usage of no call."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Ask:
    """One request: messages, the JSON schema of the answer (or None for text), and its cap.

    `remaining` is how many prompts of the chain still wait behind this one: where there are more
    chains than places, the longest goes first.
    """

    messages: tuple[Message, ...]
    role: Role
    schema_name: str | None
    schema: Mapping[str, Any] | None
    max_tokens: int
    trace: str
    remaining: int

    @property
    def is_repair(self) -> bool:
        """Whether it asks for an earlier answer to be put right: that answer is among its messages."""
        return any(message.role == "assistant" for message in self.messages)


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer: its text without thinking, and what all tries for it cost.

    `latency_ms` is that of the call that answered; `waited_ms` the pauses before it. Where two
    asked for the same at once, the second reply cost nothing. A row of a batch is a try like a
    call: its latency is the batch's, from when it was created to its end.
    """

    text: str
    model: str
    usage: Usage
    cost_usd: float | None
    latency_ms: int
    tries: int
    waited_ms: int


class ModelError(Exception):
    """No answer can be had; the message is a sentence for people.

    `usage` and `cost_usd` are what the calls cost all the same (a cut answer is billed too);
    without them nothing was billed.
    """

    def __init__(self, message: str, usage: Usage = NOTHING, cost_usd: float | None = 0.0) -> None:
        super().__init__(message)
        self.usage = usage
        self.cost_usd = cost_usd


class RefusalError(ModelError):
    """The model, or a filter before it, declined to answer."""


class ConfigurationError(ModelError):
    """The key, the address or the model's name is wrong, or the quota is used up.

    It will be so for every article; the message names the setting.
    """


class Model(Protocol):
    """A language model behind any server."""

    def settings(self, role: Role) -> Mapping[str, Any]:
        """What of model and settings an answer depends on; a part of its fingerprint."""
        ...

    async def ask(self, request: Ask) -> Reply:
        """The answer to one request.

        Raises:
            RefusalError: the model declined.
            ConfigurationError: a setting is wrong, so that no article can be answered.
            ModelError: no whole answer came, and why.
        """
        ...
