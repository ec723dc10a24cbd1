"""Asking one server until there is an answer: tries, pauses, adaptions, and what it all cost."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from orch_dagster.core.budget import Budget
from orch_dagster.core.spending import NOTHING, Spent, Usage
from orch_dagster.model import (
    Ask,
    BudgetError,
    ConfigurationError,
    ModelError,
    RefusalError,
    Reply,
)
from orch_dagster.structured import json_object_in
from resources.model.completion import Completion
from resources.model.dialect import CRAMPED, UNSAID, Dialect
from resources.model.endpoint import Endpoint
from resources.model.failure import Failure
from resources.model.flights import Flights
from resources.model.places import Places, Rank, StillLimitedError, growing_pause
from resources.model.prices import Way, cost_usd
from resources.model.purse import Bill, OverBudgetError, Purse
from resources.model.verdicts import (
    Adapt,
    Cut,
    Misconfigured,
    Refuse,
    Sent,
    Stop,
    Verdict,
    Wait,
    verdict,
)
from resources.model.wire import Wire


@dataclass(frozen=True, slots=True)
class Limits:
    """How much at once, and how long one answer may take in all, retries included (seconds).

    `first_pause_s` is the pause before the second try of a failing server; later ones grow.
    """

    in_flight: int
    call_timeout_s: float
    first_pause_s: float = 0.5


@dataclass(frozen=True, slots=True)
class Batched:
    """What came for a request in a batch, and how long the batch took."""

    found: Completion | Failure
    latency_s: float


InBatch = Callable[[Sent], Awaitable[Batched]]
"""Makes a request in a batch. It raises `ModelError` where the batch itself came to nothing."""


WRONG_FOR_S = 10.0
"""How long a wrong setting is taken to be wrong still: many chains would find it out at once."""

_NOTHING_BUT_THOUGHT = Completion(
    text="", called=None, ending="cut", why="", thought=True, model=None, usage=Usage()
)


@dataclass(slots=True)
class _Call:
    """One answer on its way. `left_s` runs while a request is out and in pauses of its own."""

    request: Ask
    model: str
    max_tokens: int
    left_s: float
    learned: Dialect = field(default_factory=Dialect)
    tries: int = 0
    waited_s: float = 0.0
    latency_s: float = 0.0
    cut: str | None = None
    in_batch: InBatch | None = None
    way: Way = "live"
    usage: Usage = NOTHING
    cost_usd: float | None = 0.0
    bill: Bill = field(default_factory=Bill)

    @property
    def rank(self) -> Rank:
        request = self.request
        return Rank(
            is_new=self.tries == 0,
            minus_length=-request.chain_length,
            library=request.library,
        )


class Conversation:
    """One server, what it was found to understand, and the limits of talking to it."""

    def __init__(self, endpoint: Endpoint, limits: Limits) -> None:
        self._endpoint = endpoint
        self._limit_s, self._first_pause_s = limits.call_timeout_s, limits.first_pause_s
        self._wire = Wire(endpoint, connections=limits.in_flight, limit_s=limits.call_timeout_s)
        self._places = Places(
            limits.in_flight,
            patience_s=limits.call_timeout_s,
            first_pause_s=limits.first_pause_s,
        )
        self._flights = Flights()
        self._purse = Purse()
        self._dialects: dict[str, Dialect] = {}
        self._wrong: dict[str, tuple[str, float]] = {}

    async def ask(self, request: Ask) -> Reply:
        """The answer to one request; see `Model.ask`."""
        model = self._endpoint.models[request.role]
        schema = json.dumps(request.schema, sort_keys=True) if request.schema else None
        purses = tuple(allowance.name for allowance in request.allowances)
        key = (request.messages, schema, model, request.max_tokens, purses)
        return await self._flights.join(key, lambda: self._answer(self._call(request, model)))

    async def ask_in_batch(self, request: Ask, in_batch: InBatch) -> Reply:
        """The answer to one request whose first try is made in a batch; see `Model.ask`.

        What comes of it is read as if it had been made here, and what it then needs is asked here.
        Only a form that is not taken is left out in another batch: that costs time, and no call.
        """
        call = self._call(request, self._endpoint.models[request.role])
        call.in_batch = in_batch
        return await self._answer(call)

    async def reach(self, request: Ask, *, model: str) -> None:
        """Ask, and be content with any answer.

        Raises:
            ModelError: the server gives none.
        """
        with suppress(RefusalError):
            await self._exchange(self._call(request, model))

    async def models(self, *, headers: dict[str, str]) -> tuple[str, ...] | None:
        """The models that the server lists, or None; `headers` are sent in place of ours."""
        return await self._wire.models(headers=headers)

    async def close(self) -> None:
        """End what is on its way, and the connections."""
        await self._flights.close()
        await self._wire.close()

    def _call(self, request: Ask, model: str) -> _Call:
        return _Call(request, model, request.max_tokens, self._limit_s)

    async def _answer(self, call: _Call) -> Reply:
        request = call.request
        completion = await self._exchange(call)
        if self._is_cut(call, completion):
            self._enlarge(call, completion)
            completion = await self._exchange(call)
        if self._is_cut(call, completion):
            raise self._cut(call, completion)
        text = _text(completion, request)
        if request.schema is not None and not _heeds(text, request.schema):
            self._learn(call, Dialect().without(UNSAID))
        return Reply(
            text=text,
            model=completion.model or call.model,
            usage=call.usage,
            cost_usd=call.cost_usd,
            latency_ms=round(call.latency_s * 1000),
            tries=call.tries,
            waited_ms=round(call.waited_s * 1000),
        )

    async def _exchange(self, call: _Call) -> Completion:
        """Try until a completion comes, cut ones included."""
        while True:
            trying = self._try_in_batch(call, call.in_batch) if call.in_batch else self._try(call)
            found, sent = await trying
            match found:
                case Completion(ending="declined", why=why):
                    raise self._error(RefusalError, call, f"the model refused: {why}")
                case Completion():
                    self._learn(call, call.learned)
                    return found
                case _:
                    await self._heed(found, call, sent)

    def _refuse_if_wrong(self, call: _Call) -> None:
        """What was found to be wrong for all is not asked again by each: a used-up quota, a key."""
        why, until = self._wrong.get(call.model, ("", 0.0))
        if time.monotonic() < until:
            raise self._told(ConfigurationError, call, why)

    async def _try_in_batch(
        self, call: _Call, in_batch: InBatch
    ) -> tuple[Completion | Verdict, Sent]:
        call.way = "batch"
        try:
            async with self._purse.hold(call.request.allowances, self._most(call)) as call.bill:
                sent = self._sent(call)
                batched = await in_batch(sent)
                call.tries += 1
                call.in_batch = None
                if isinstance(batched.found, Completion):
                    call.latency_s = batched.latency_s
                    self._bill(call, batched.found.usage, batched.found.model)
                    return batched.found, sent
                call.waited_s += batched.latency_s
                said = self._verdict(call, batched.found, sent)
                if isinstance(said, Adapt):
                    call.in_batch = in_batch
                return said if not isinstance(said, Cut) else _NOTHING_BUT_THOUGHT, sent
        except OverBudgetError as error:
            raise self._over_budget(call, error) from error

    async def _try(self, call: _Call) -> tuple[Completion | Verdict, Sent]:
        asked = time.monotonic()
        most = self._most(call)
        try:
            async with (
                self._purse.hold(call.request.allowances, most) as call.bill,
                self._places.place(call.rank) as place,
            ):
                self._refuse_if_wrong(call)
                again = call.tries > 0
                call.waited_s += time.monotonic() - asked if again else place.held_up_s
                sent = self._sent(call)
                found = await self._send(call, sent)
                if isinstance(found, Completion):
                    self._places.answered()
                    self._bill(call, found.usage, found.model)
                    return found, sent
                said = self._verdict(call, found, sent)
                if isinstance(said, Wait) and said.everyone:
                    self._places.limited(place, said.seconds)
                return said if not isinstance(said, Cut) else _NOTHING_BUT_THOUGHT, sent
        except OverBudgetError as error:
            raise self._over_budget(call, error) from error
        except StillLimitedError:
            limited = f"{self._endpoint.base_url} limits the rate"
        raise self._error(
            ModelError,
            call,
            f"{limited} and let no request through in {self._limit_s:g} s; "
            "lower ORCH_MAX_IN_FLIGHT or raise ORCH_CALL_TIMEOUT",
        )

    async def _send(self, call: _Call, sent: Sent) -> Completion | Failure:
        call.tries += 1
        call.way = "live"
        started = time.monotonic()
        found = None
        with suppress(TimeoutError):
            async with asyncio.timeout(call.left_s):
                found = await self._wire.complete(sent.body(), trace=call.request.trace)
        call.latency_s = time.monotonic() - started
        call.left_s -= call.latency_s
        if found is None:
            raise self._late(call, f"no answer from {self._endpoint.base_url}")
        return found

    def _verdict(self, call: _Call, found: Failure, sent: Sent) -> Verdict:
        said = verdict(found, sent)
        if found.usage != NOTHING or isinstance(said, Cut):
            self._bill(call, Usage() if found.usage == NOTHING else found.usage, None)
        return said

    async def _heed(self, said: Verdict, call: _Call, sent: Sent) -> None:
        match said:
            case Misconfigured(why=why):
                self._wrong[call.model] = (why, time.monotonic() + WRONG_FOR_S)
                raise self._told(ConfigurationError, call, why)
            case Stop(why=why) if call.cut:
                raise self._error(
                    ModelError,
                    call,
                    f"the answer {call.cut} at the prompt's cap of {call.request.max_tokens:,} "
                    f"tokens, and a larger one was refused: {why}",
                )
            case Stop(why=why):
                raise self._error(ModelError, call, why)
            case Refuse(why=why):
                raise self._error(RefusalError, call, why)
            case Adapt(form=form):
                call.learned = (call.learned | sent.dialect).without(form)
            case Wait(everyone=False, most=most, why=why) if call.tries >= most:
                raise self._error(ModelError, call, f"given up after {call.tries} tries: {why}")
            case Wait(everyone=False, seconds=seconds, why=why):
                pause = seconds or growing_pause(self._first_pause_s, call.tries)
                await self._pause(call, pause, why)

    async def _pause(self, call: _Call, seconds: float, why: str) -> None:
        if seconds >= call.left_s:
            raise self._late(call, why)
        call.left_s -= seconds
        call.waited_s += seconds
        await asyncio.sleep(seconds)

    def _sent(self, call: _Call) -> Sent:
        dialect = self._dialects.get(call.model, Dialect()) | call.learned
        return Sent(
            request=call.request,
            model=call.model,
            base_url=self._endpoint.base_url,
            max_tokens=call.max_tokens,
            dialect=dialect,
            options=self._endpoint.options,
        )

    def _learn(self, call: _Call, dialect: Dialect) -> None:
        """Remember for all requests what was needed for this one to be understood."""
        self._dialects[call.model] = self._dialects.get(call.model, Dialect()) | dialect

    def _most(self, call: _Call) -> Spent:
        """The most that the next try may take, where a budget asks for it.

        Raises:
            ConfigurationError: a budget in dollars cannot hold for a model without a price.
        """
        allowances = call.request.allowances
        if not allowances:
            return Spent()
        sent = self._sent(call)
        cap = sent.dialect.cap_value(call.max_tokens)
        usage = Usage(prompt_tokens=_prompt_tokens(sent), completion_tokens=cap)
        base_url = self._endpoint.base_url
        cost = cost_usd(usage, models=(call.model,), base_url=base_url, way=call.way)
        if cost is None and any(_is_of_dollars_alone(one.budget) for one in allowances):
            self._refuse_unpriced(call)
        return Spent(usage=usage, cost_usd=cost)

    def _refuse_unpriced(self, call: _Call) -> None:
        if not self._endpoint.is_stand_in:  # which costs nothing
            raise self._told(
                ConfigurationError, call, unpriced(call.model, self._endpoint.base_url)
            )

    def _bill(self, call: _Call, usage: Usage, model: str | None) -> None:
        models = tuple(name for name in (model, call.model) if name)
        cost = cost_usd(usage, models=models, base_url=self._endpoint.base_url, way=call.way)
        unsaid = usage.prompt_tokens is None or usage.completion_tokens is None
        call.bill.spent = self._most(call) if unsaid else Spent(usage=usage, cost_usd=cost)
        if call.cost_usd is not None:
            call.cost_usd = None if cost is None else call.cost_usd + cost
        call.usage = usage if call.usage == NOTHING else call.usage + usage

    def _is_cut(self, call: _Call, completion: Completion) -> bool:
        """Cut, or empty: a model that says nothing had no room to, or may say something in more."""
        cap = self._sent(call).dialect.cap_value(call.max_tokens)
        spent = completion.usage.completion_tokens or 0
        return (
            completion.ending == "cut"
            or (completion.ending == "unsaid" and spent >= cap)
            or not _text(completion, call.request)
        )

    def _enlarge(self, call: _Call, completion: Completion) -> None:
        """Twice the cap for an answer that was cut, and room for a model that reasons."""
        if self._sent(call).dialect.cap is None:
            raise self._cut(call, completion)
        call.max_tokens *= 2
        call.cut = _how_cut(completion)
        if completion.thought:
            call.learned = call.learned.without(CRAMPED)

    def _cut(self, call: _Call, completion: Completion) -> ModelError:
        dialect = self._sent(call).dialect
        cap = f"{dialect.cap_value(call.max_tokens):,} tokens"
        how = _how_cut(completion)
        if dialect.cap is None:
            return self._error(
                ModelError, call, f"the answer {how}, and the server takes no cap to raise"
            )
        return self._error(
            ModelError,
            call,
            f"the answer {how} at {cap}, after one at the prompt's cap of "
            f"{call.request.max_tokens:,} was; raise 'max_tokens' in the prompt's head",
        )

    def _late(self, call: _Call, why: str) -> ModelError:
        return self._error(
            ModelError,
            call,
            f"{why}; the limit of {self._limit_s:g} s is over after {call.tries} tries "
            "(ORCH_CALL_TIMEOUT)",
        )

    def _over_budget(self, call: _Call, over: OverBudgetError) -> BudgetError:
        error = BudgetError(
            f"{call.request.trace}: not asked: {over.why}; {_RAISE}",
            call.usage,
            call.cost_usd,
            tries=call.tries,
            waited_ms=round(call.waited_s * 1000),
        )
        error.stop = over.stop
        return error

    def _error(self, kind: type[ModelError], call: _Call, why: str) -> ModelError:
        return self._told(kind, call, f"{call.request.trace}: {why}")

    @staticmethod
    def _told(kind: type[ModelError], call: _Call, sentence: str) -> ModelError:
        return kind(
            sentence,
            call.usage,
            call.cost_usd,
            tries=call.tries,
            waited_ms=round(call.waited_s * 1000),
        )


_RAISE = "raise ORCH_BUDGET_USD or ORCH_BUDGET_TOKENS, and run the article again"


def unpriced(model: str, base_url: str) -> str:
    """Why a budget in dollars alone cannot hold, in words."""
    return (
        f"ORCH_BUDGET_USD: the price of {model!r} at {base_url} is not known; set "
        "ORCH_BUDGET_TOKENS, which then holds for this model"
    )


def _is_of_dollars_alone(budget: Budget) -> bool:
    return budget.usd is not None and budget.tokens is None


_BYTES_A_TOKEN = 3
"""Of a prompt, so that its tokens are rather too many: English has 4 to 5 bytes a token, Cyrillic
4 (o200k_base); older vocabularies have fewer in other scripts."""


def _prompt_tokens(sent: Sent) -> int:
    """About how many tokens the messages and the schema of a request are, rather too many."""
    texts = [message.content for message in sent.request.messages]
    schema = json.dumps(sent.request.schema) if sent.request.schema else ""
    return sum(len(text.encode()) for text in (*texts, schema)) // _BYTES_A_TOKEN


def _text(completion: Completion, request: Ask) -> str:
    """A structured answer may come as a tool call: some gateways make one of the schema."""
    return completion.text or (completion.called if request.schema else None) or ""


def _how_cut(completion: Completion) -> str:
    if completion.text:
        return "was cut"
    if completion.called:
        return "is empty but for a tool call"
    return "is empty, all of it was spent on reasoning" if completion.thought else "is empty"


def _heeds(text: str, schema: Mapping[str, Any]) -> bool:
    """Whether an answer has the schema's fields at its top: a server that ignores it shows here."""
    try:
        answer = json.loads(json_object_in(text))
    except (ValueError, RecursionError):
        return False
    return isinstance(answer, dict) and set(schema.get("required", ())) <= answer.keys()
