"""The port to a language model: what is asked, what comes back, what can go wrong."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from orch_dagster.core.budget import Allowance, Cause, Stop
from orch_dagster.core.spending import NOTHING, Usage

Role = Literal["reasoning", "fast"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Ask:
    """One request: messages, the JSON schema of the answer (or None for text), and its cap.

    `allowances` are the budgets that it comes out of.

    `library` is the folder that asks, `chain_length` how many prompts it has: where there are more
    chains than places, those of the longest go first, and one library's before another's.
    """

    messages: tuple[Message, ...]
    role: Role
    schema_name: str | None
    schema: Mapping[str, Any] | None
    max_tokens: int
    trace: str
    library: str
    chain_length: int
    allowances: tuple[Allowance, ...] = ()

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
    without them nothing was billed. `tries` and `waited_ms` are as in `Reply`.
    """

    def __init__(
        self,
        message: str,
        usage: Usage = NOTHING,
        cost_usd: float | None = 0.0,
        *,
        tries: int = 0,
        waited_ms: int = 0,
    ) -> None:
        super().__init__(message)
        self.usage = usage
        self.cost_usd = cost_usd
        self.tries = tries
        self.waited_ms = waited_ms


class RefusalError(ModelError):
    """The model, or a filter before it, declined to answer."""


class BudgetError(ModelError):
    """The call was not made: it could pass a budget, which `stop` holds and the message names."""

    stop = Stop(cause=Cause.BUDGET)


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
            BudgetError: a budget could be passed, so it was not asked.
            ConfigurationError: a setting is wrong, so that no article can be answered.
            ModelError: no whole answer came, and why.
        """
        ...
