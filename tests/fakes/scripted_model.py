"""A model that says what a script tells it, and remembers what it was asked."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from orch_dagster.core.spending import Usage
from orch_dagster.model import Ask, Reply, Role

Line = str | BaseException | Callable[[Ask], str]
"""What it answers to one request: a text, an exception to raise, or a function of the request."""

PROMPT_TOKENS, COMPLETION_TOKENS, PRICE, LATENCY_MS = 100, 10, 0.25, 5
"""What every answer costs; the price is exact in binary, so that sums are."""


class Killed(BaseException):
    """The process ends here: nothing in the product may catch it."""


class ScriptedModel:
    """Answers each prompt with the lines of its script in order, the last one again and again."""

    def __init__(self, script: Mapping[str, Sequence[Line]]) -> None:
        self.script = {prompt: list(lines) for prompt, lines in script.items()}
        self.name = "scripted-1"
        self.price: float | None = PRICE
        self.asked: list[Ask] = []
        self.answered: list[str] = []
        self.dies_at: int | None = None
        """The number of the request, from 1 and over all prompts, that never returns."""

    def settings(self, role: Role) -> Mapping[str, Any]:
        """The model's name, which a test may change."""
        return {"model": self.name, "temperature": 0}

    async def ask(self, request: Ask) -> Reply:
        """The next line of the prompt's script."""
        self.asked.append(request)
        if self.dies_at == len(self.asked):
            raise Killed
        prompt = prompt_of(request)
        said = self.answered.count(prompt)
        lines = self.script[prompt]
        line = lines[min(said, len(lines) - 1)]
        self.answered.append(prompt)
        if isinstance(line, BaseException):
            raise line
        return Reply(
            text=line if isinstance(line, str) else line(request),
            model=self.name,
            usage=Usage(prompt_tokens=PROMPT_TOKENS, completion_tokens=COMPLETION_TOKENS),
            cost_usd=self.price,
            latency_ms=LATENCY_MS,
            tries=1,
            waited_ms=0,
        )

    @property
    def prompts(self) -> list[str]:
        """The prompts that were asked, in order."""
        return [prompt_of(request) for request in self.asked]

    @property
    def counts(self) -> Counter[str]:
        """How often each prompt was asked."""
        return Counter(self.prompts)

    @property
    def attempts(self) -> list[str]:
        """The prompts with their attempt numbers, as in `lede#1`."""
        return [request.trace.rsplit("/", 1)[1] for request in self.asked]


def prompt_of(request: Ask) -> str:
    """The prompt's name, from the trace."""
    return request.trace.rsplit("/", 1)[1].partition("#")[0]
