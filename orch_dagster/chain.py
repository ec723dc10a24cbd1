"""The chain runner: asks a library's prompts in order, keeps every answer, repairs once."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pydantic import BaseModel

from orch_dagster.core.budget import Allowance, Cause, Stop
from orch_dagster.core.spending import NOTHING, Spent, Usage
from orch_dagster.model import (
    Ask,
    BudgetError,
    ConfigurationError,
    Message,
    Model,
    ModelError,
    Reply,
)
from orch_dagster.progress import Moment, Progress, report
from orch_dagster.prompt import Prompt
from orch_dagster.prompt_folder import CANDIDATE, Answers, PromptFolder
from orch_dagster.structured import parse_structured
from orch_dagster.subject import Subject
from orch_dagster.transcript import Answer, Transcript

Save = Callable[[Transcript], Awaitable[None]]
Check = Callable[[Any], list[str]]

SHORTEST, LONGEST = 0.6, 1.4
"""How far a text answer may be from the asked length (DESIGN 4.5: within 40 %)."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an article that a prompt is asked for: its name in traces, and its length."""

    label: str
    words: int


class AnswerError(Exception):
    """A prompt's answer cannot be used, also after the one repair; the message says why."""


@dataclass(frozen=True, slots=True)
class _Question:
    """One prompt as it is asked: under its label, with everything its answer is made from."""

    prompt: Prompt
    label: str
    words: int
    messages: tuple[Message, ...]
    answers: Answers
    check: Check | None
    fingerprint: str


class Chain:
    """A folder's prompts on one article, from a transcript that may already hold answers."""

    def __init__(
        self,
        *,
        pipeline: str,
        folder: PromptFolder,
        subject: Subject,
        model: Model,
        transcript: Transcript,
        save: Save,
        allowances: tuple[Allowance, ...],
    ) -> None:
        self.folder = folder
        self.subject = subject
        self.transcript = transcript
        self._pipeline = pipeline
        self._model = model
        self._save = save
        self._allowances = allowances
        self._saving = asyncio.Lock()

    async def ask(self, prompt: Prompt, answers: Answers, check: Check | None = None) -> Any:
        """The answer to one prompt: text, or an instance of its output model.

        A stored answer to the same request is taken as it is. `check` names what code finds wrong
        with an answer that is otherwise usable; it is asked to be repaired, and then kept.

        Raises:
            AnswerError: still not usable after one repair.
            ModelError: no answer could be had.
        """
        part = Part(label=prompt.name, words=self.subject.words)
        return await self.ask_part(prompt, part, answers, check)

    async def ask_part(
        self, prompt: Prompt, part: Part, answers: Answers, check: Check | None
    ) -> Any:
        """As `ask`, for a prompt that is asked for several parts of the article."""
        question = self._question(prompt, part, answers, check)
        stored = self.transcript.answer(question.label)
        if (
            stored is None
            or stored.fingerprint != question.fingerprint
            or self._spoilt(prompt, stored)
        ):
            stored = await self._request(question, None)
        elif stored.fault is None:
            self._tell(question, Moment.KEPT)
        if stored.fault is not None and not stored.repaired:
            stored = await self._request(question, stored)
        if stored.fault is not None:
            raise AnswerError(
                f"{prompt.file}: the answer could not be used, also after one repair: {stored.fault}"
            )
        return self._parsed(prompt, stored.text)

    def _question(
        self, prompt: Prompt, part: Part, answers: Answers, check: Check | None
    ) -> _Question:
        messages = prompt.messages(
            system=self.folder.system,
            fields=self.folder.fields,
            subject=self.subject,
            answers={name: self._shown(name, value) for name, value in answers.items()},
        )
        made_from = {
            "messages": [[message.role, message.content] for message in messages],
            "schema": None if prompt.text else self.folder.schema(prompt),
            "max_tokens": prompt.max_tokens(part.words),
            "model": dict(self._model.settings(prompt.head.role)),
        }
        return _Question(
            prompt=prompt,
            label=part.label,
            words=part.words,
            messages=messages,
            answers=answers,
            check=check,
            fingerprint=sha256(json.dumps(made_from, sort_keys=True).encode()).hexdigest(),
        )

    async def _request(self, question: _Question, repaired: Answer | None) -> Answer:
        self._tell(question, Moment.ASKED)
        reply = await self._reply(question, repaired)
        text = reply.text.encode("utf-8", "replace").decode()  # half a surrogate pair is no text
        spent = _spent(reply)
        answer = Answer(
            prompt=question.label,
            fingerprint=question.fingerprint,
            text=text,
            fault=self._fault(question, text, after_repair=repaired is not None),
            repaired=repaired is not None,
            model=reply.model,
            spent=spent if repaired is None else repaired.spent + spent,
            part_of=question.prompt.name if question.label != question.prompt.name else None,
        )
        await self._keep(self.transcript.with_answer(answer))
        self._tell(question, Moment.ANSWERED)
        return answer

    async def _reply(self, question: _Question, repaired: Answer | None) -> Reply:
        """A refusal, and an answer that was cut, cost tokens too; they are kept as well."""
        try:
            return await self._model.ask(self._ask(question, repaired))
        except ModelError as error:
            if (lost := spent_in_vain(error)) != Spent():
                await self._keep(self.transcript.with_loss(lost))
            raise

    async def _keep(self, transcript: Transcript) -> None:
        self.transcript = transcript
        async with self._saving:  # parts come side by side: an older transcript is never the last
            await self._save(self.transcript)

    def _ask(self, question: _Question, repaired: Answer | None) -> Ask:
        prompt, label = question.prompt, question.label
        place = f"{self._pipeline}/{self.subject.article}/{self.folder.name}/{label}"
        return Ask(
            messages=(*question.messages, *(_repair(repaired) if repaired else ())),
            role=prompt.head.role,
            schema_name=None if prompt.text else prompt.head.output,
            schema=None if prompt.text else self.folder.schema(prompt),
            max_tokens=prompt.max_tokens(question.words),
            trace=f"{place}#{self.transcript.attempt(label)}",
            allowances=self._allowances,
            library=self.folder.name,
            chain_length=len(self.folder.prompts),
        )

    def _parsed(self, prompt: Prompt, text: str) -> Any:
        return text.strip() if prompt.text else parse_structured(self.folder.model(prompt), text)

    def _fault(self, question: _Question, text: str, *, after_repair: bool) -> str | None:
        """What is wrong with an answer, in words for a repair; after a repair, limits are let be."""
        prompt, check = question.prompt, question.check
        try:
            value = self._parsed(prompt, text)
        except ValueError as error:
            return str(error)
        accept = self.folder.hook("accept")
        faults = list(accept(prompt.name, value, question.answers)) if accept else []
        if prompt.text and not value:
            faults.append("the answer is empty")
        if check is not None and not faults and not after_repair:
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
        asked = prompt.words(self.subject.words)
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
        if show := self.folder.hook("show"):
            return show(value)
        return value.model_dump_json(indent=1) if isinstance(value, BaseModel) else value

    def _tell(self, question: _Question, moment: Moment) -> None:
        report(Progress(self.subject.article, self.folder.name, question.label, moment))


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
        usage=_told(reply.usage),
        cost_usd=reply.cost_usd,
        latency_ms=reply.latency_ms,
        calls=1,
        tries=reply.tries,
        waited_ms=reply.waited_ms,
    )


def spent_in_vain(error: ModelError) -> Spent:
    """What an answer cost that never came; calls are counted that were answered."""
    return Spent(
        usage=_told(error.usage),
        cost_usd=error.cost_usd,
        tries=error.tries,
        waited_ms=error.waited_ms,
    )


def stop_of(error: Exception) -> Stop | None:
    """Why it would be of no use to try again, or None where it may be of some."""
    match error:
        case BudgetError(stop=stop):
            return stop
        case ConfigurationError():
            return Stop(cause=Cause.SETTING)
        case _:
            return None


def _told(usage: Usage) -> Usage:
    """What adds nothing must not make a count known that no server told."""
    return Usage() if usage == NOTHING else usage


def answers_of(folder: PromptFolder, transcript: Transcript) -> Mapping[str, Any]:
    """The usable answers of a chain's transcript, parsed, by prompt name."""
    prompts = {prompt.name: prompt for prompt in folder.prompts}
    return {
        answer.prompt: answer.text.strip()
        if prompts[answer.prompt].text
        else parse_structured(folder.model(prompts[answer.prompt]), answer.text)
        for answer in transcript.answers
        if answer.fault is None and answer.prompt in prompts
    }
