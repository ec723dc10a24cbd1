"""The baseline: a model behind one conversation, in which everything stays."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import openai

from orch_dagster.model import Ask, Message, ModelError, Reply, Role, Usage
from resources.model.dialect import Dialect
from resources.model.wire import TRACE_HEADER

ABOVE = "[above]"
SHORTEST = 24
"""Characters of a passage that is worth a pointer to where it stands above."""


class EnoughError(Exception):
    """The agent has made all the steps that it was asked for."""


class OneWindow:
    """A `Model` that puts each prompt behind all that was asked and answered before.

    It is kind to the agent that it stands for: a system text is sent once; a brief's field, or a
    passage of an earlier answer, that a prompt would show again is replaced by a pointer, since
    the window holds it already. What is left of a prompt is its instruction.
    """

    def __init__(self, client: openai.OpenAI, *, model: str, steps: int | None) -> None:
        """`steps` is how many prompts it answers at most; None for as many as come."""
        self._client, self._model = client, model
        self._left = steps
        self._window: list[dict[str, str]] = []
        self._put: set[tuple[str, str]] = set()
        self._fields: Mapping[str, str] = {}
        self._known: set[str] = set()

    def turn_to(self, fields: Mapping[str, str]) -> None:
        """Begin a new article in the same window; `fields` are the texts of its brief."""
        self._fields = fields
        self._known = set()

    def settings(self, role: Role) -> Mapping[str, Any]:
        """One model for both roles: a conversation has one."""
        return {"model": self._model, "role": role}

    async def ask(self, request: Ask) -> Reply:
        """The answer to a prompt, given at the end of the window.

        Raises:
            EnoughError: all steps are made.
            ModelError: the answer was cut.
        """
        if self._left == 0:
            raise EnoughError
        new = [self._pared(message) for message in self._new(request)]
        alone = Dialect().body(
            request, model=self._model, max_tokens=request.max_tokens, options={}
        )
        body: dict[str, Any] = {**alone, "messages": [*self._window, *new]}
        completion = self._client.chat.completions.create(
            **body, extra_headers={TRACE_HEADER: request.trace}
        )
        text = self._text(request, completion)
        self._keep(request, new, text)
        return Reply(
            text=text,
            model=self._model,
            usage=Usage(),
            cost_usd=None,
            latency_ms=0,
            tries=1,
            waited_ms=0,
        )

    def _new(self, request: Ask) -> Iterator[Message]:
        """What the window does not hold: of a repair only its last message."""
        *before, last = request.messages
        yield from (m for m in before if (m.role, m.content) not in self._put)
        yield last

    def _pared(self, message: Message) -> dict[str, str]:
        text = message.content
        for passage in sorted(self._known, key=len, reverse=True):
            text = text.replace(passage, ABOVE)
        return {"role": message.role, "content": text}

    def _text(self, request: Ask, completion: Any) -> str:
        choice = completion.choices[0]
        if choice.finish_reason != "stop" or not choice.message.content:
            raise ModelError(f"{request.trace}: the answer ended as {choice.finish_reason!r}")
        return choice.message.content

    def _keep(self, request: Ask, new: list[dict[str, str]], text: str) -> None:
        self._window += [*new, {"role": "assistant", "content": text}]
        self._put |= {(m.role, m.content) for m in request.messages} | {("assistant", text)}
        shown = request.messages[-1].content
        self._known.update(field for field in self._fields.values() if field in shown)
        self._known.update(_passages(text))
        self._known = {passage for passage in self._known if len(passage) >= SHORTEST}
        if self._left is not None:
            self._left -= 1


def _passages(answer: str) -> Iterator[str]:
    """What templates take out of an answer: the texts in a structured one, else paragraphs."""
    try:
        found = json.loads(answer)
    except ValueError:
        yield answer.strip()
        yield from (paragraph.strip() for paragraph in answer.split("\n\n"))
        return
    for text in _leaves(found):
        yield text
        yield json.dumps(text, ensure_ascii=False)[1:-1]  # as a candidate in JSON shows it


def _leaves(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for inner in value.values():
                yield from _leaves(inner)
        case list():
            for inner in value:
                yield from _leaves(inner)
