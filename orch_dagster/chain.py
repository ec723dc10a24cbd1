"""The chain runner: asks a library's prompts in order, keeps every answer, repairs once."""

import json
from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256
from typing import Any

from pydantic import BaseModel

from orch_dagster.core.brief import Brief
from orch_dagster.library import CANDIDATE, Answers, Library
from orch_dagster.model import Ask, Message, Model, Reply
from orch_dagster.progress import Moment, Progress, report
from orch_dagster.prompt import Prompt
from orch_dagster.structured import parse_structured
from orch_dagster.transcript import Answer, Spent, Transcript

Save = Callable[[Transcript], Awaitable[None]]
Check = Callable[[Any], list[str]]

SHORTEST, LONGEST = 0.6, 1.4
"""How far a text answer may be from the asked length (DESIGN 4.5: within 40 %)."""


class AnswerError(Exception):
    """A prompt's answer cannot be used, also after the one repair; the message says why."""


class Chain:
    """One library's prompts on one article, from a transcript that may already hold answers."""

    def __init__(
        self,
        *,
        pipeline: str,
        library: Library,
        brief: Brief,
        model: Model,
        transcript: Transcript,
        save: Save,
    ) -> None:
        self.library = library
        self.brief = brief
        self.transcript = transcript
        self._pipeline = pipeline
        self._model = model
        self._save = save

    async def ask(self, prompt: Prompt, answers: Answers, check: Check | None = None) -> Any:
        """The answer to one prompt: text, or an instance of its output model.

        A stored answer to the same request is taken as it is. `check` names what code finds wrong
        with an answer that is otherwise usable; it is asked to be repaired, and then kept.

        Raises:
            AnswerError: still not usable after one repair.
            ModelError: no answer could be had.
        """
        messages = prompt.messages(
            system=self.library.system,
            fields=self.library.fields,
            brief=self.brief,
            answers={name: self._shown(name, value) for name, value in answers.items()},
        )
        fingerprint = self._fingerprint(prompt, messages)
        stored = self.transcript.answer(prompt.name)
        if stored is None or stored.fingerprint != fingerprint or self._spoilt(prompt, stored):
            stored = await self._request(prompt, messages, fingerprint, answers, check, None)
        elif stored.fault is None:
            self._tell(prompt, Moment.KEPT)
        if stored.fault is not None and not stored.repaired:
            again = (*messages, *_repair(stored))
            stored = await self._request(prompt, again, fingerprint, answers, check, stored)
        if stored.fault is not None:
            raise AnswerError(
                f"{prompt.file}: the answer could not be used, also after one repair: {stored.fault}"
            )
        return self._parsed(prompt, stored.text)

    async def _request(
        self,
        prompt: Prompt,
        messages: tuple[Message, ...],
        fingerprint: str,
        answers: Answers,
        check: Check | None,
        repaired: Answer | None,
    ) -> Answer:
        self._tell(prompt, Moment.ASKED)
        reply = await self._model.ask(self._ask(prompt, messages))
        text = reply.text.encode("utf-8", "replace").decode()  # half a surrogate pair is no text
        fault = self._fault(prompt, text, answers, check if repaired is None else None)
        spent = _spent(reply)
        answer = Answer(
            prompt=prompt.name,
            fingerprint=fingerprint,
            text=text,
            fault=fault,
            repaired=repaired is not None,
            model=reply.model,
            spent=spent if repaired is None else repaired.spent + spent,
        )
        self.transcript = self.transcript.with_answer(answer, spent=spent)
        await self._save(self.transcript)
        self._tell(prompt, Moment.ANSWERED)
        return answer

    def _ask(self, prompt: Prompt, messages: tuple[Message, ...]) -> Ask:
        attempt = self.transcript.attempt(prompt.name)
        place = self.library.prompts.index(prompt)
        return Ask(
            messages=messages,
            role=prompt.head.role,
            schema_name=None if prompt.text else prompt.head.output,
            schema=None if prompt.text else self.library.schema(prompt),
            max_tokens=prompt.max_tokens(self.brief),
            trace=f"{self._pipeline}/{self.brief.slug}/{self.library.name}/{prompt.name}#{attempt}",
            remaining=len(self.library.prompts) - place - 1,
        )

    def _fingerprint(self, prompt: Prompt, messages: tuple[Message, ...]) -> str:
        made_from = {
            "messages": [[message.role, message.content] for message in messages],
            "schema": None if prompt.text else self.library.schema(prompt),
            "max_tokens": prompt.max_tokens(self.brief),
            "model": dict(self._model.settings(prompt.head.role)),
        }
        return sha256(json.dumps(made_from, sort_keys=True).encode()).hexdigest()

    def _parsed(self, prompt: Prompt, text: str) -> Any:
        return text.strip() if prompt.text else parse_structured(self.library.model(prompt), text)

    def _fault(
        self, prompt: Prompt, text: str, answers: Answers, check: Check | None
    ) -> str | None:
        """What is wrong with an answer, in words for a repair; after a repair, limits are let be."""
        try:
            value = self._parsed(prompt, text)
        except ValueError as error:
            return str(error)
        accept = self.library.hook("accept")
        faults = list(accept(prompt.name, value, answers)) if accept else []
        if prompt.text and not value:
            faults.append("the answer is empty")
        if check is not None and not faults:
            faults = check(value)
        return "; ".join(faults) or None

    def _spoilt(self, prompt: Prompt, stored: Answer) -> bool:
        """Whether a stored answer is of no use: repaired in vain, or not of today's form."""
        if stored.fault is not None:
            return stored.repaired
        try:
            self._parsed(prompt, stored.text)
        except ValueError:
            return True
        return False

    def length_check(self, prompt: Prompt) -> Check | None:
        """The check of a text answer's length, or None where it is free."""
        asked = prompt.words(self.brief)
        if asked is None:
            return None

        def check(text: str) -> list[str]:
            words = len(text.split())
            if SHORTEST * asked <= words <= LONGEST * asked:
                return []
            return [f"the text has {words} words; about {asked} words are asked for"]

        return check

    def _shown(self, name: str, value: Any) -> Any:
        """An answer as templates see it: a structured one as mappings, the candidate as text."""
        if name != CANDIDATE:
            return value.model_dump(mode="json") if isinstance(value, BaseModel) else value
        if show := self.library.hook("show"):
            return show(value)
        return value.model_dump_json(indent=1) if isinstance(value, BaseModel) else value

    def _tell(self, prompt: Prompt, moment: Moment) -> None:
        report(Progress(self.brief.slug, self.library.name, prompt.name, moment))


def _repair(stored: Answer) -> tuple[Message, Message]:
    return (
        Message(role="assistant", content=stored.text),
        Message(
            role="user",
            content=(
                f"That answer cannot be used: {stored.fault}.\n"
                "Give the whole answer again with this put right, in the same form, and nothing else."
            ),
        ),
    )


def _spent(reply: Reply) -> Spent:
    return Spent(
        usage=reply.usage,
        cost_usd=reply.cost_usd,
        latency_ms=reply.latency_ms,
        calls=1,
        tries=reply.tries,
        waited_ms=reply.waited_ms,
    )


def answers_of(library: Library, transcript: Transcript) -> Mapping[str, Any]:
    """The usable answers of a chain's transcript, parsed, by prompt name."""
    prompts = {prompt.name: prompt for prompt in library.prompts}
    return {
        answer.prompt: answer.text.strip()
        if prompts[answer.prompt].text
        else parse_structured(library.model(prompts[answer.prompt]), answer.text)
        for answer in transcript.answers
        if answer.fault is None and answer.prompt in prompts
    }
