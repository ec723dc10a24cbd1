"""What a server can answer, and what is done about it: the table of everything seen in the field."""

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import Any

from orch_dagster.model import Ask
from resources.model.dialect import SYSTEM, Dialect
from resources.model.failure import Failure


@dataclass(frozen=True, slots=True)
class Wait:
    """Try again: after `seconds` if the server named a time, else after a growing pause.

    `everyone` is true where the whole process is being limited, not this request; else it is
    tried at most `most` times in all.
    """

    seconds: float | None
    everyone: bool
    most: int
    why: str


@dataclass(frozen=True, slots=True)
class Adapt:
    """Say the same without this form, at once."""

    form: str


@dataclass(frozen=True, slots=True)
class Cut:
    """The cap was spent before a word was said, and the server calls that a mistake."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """The server's filter declined the request."""

    why: str


@dataclass(frozen=True, slots=True)
class Stop:
    """This request cannot be answered; the prompt's name goes before the sentence."""

    why: str


@dataclass(frozen=True, slots=True)
class Misconfigured:
    """No request can be answered; the sentence names the setting to change."""

    why: str


Verdict = Wait | Adapt | Cut | Refuse | Stop | Misconfigured

TRIES = 6
"""Requests for one answer before a server that fails is given up."""

TRIES_OF_STRANGE = 3
"""The same where answers come that are none: they may be billed."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The request that failed, as it was said."""

    request: Ask
    model: str
    base_url: str
    max_tokens: int
    dialect: Dialect
    options: Mapping[str, Any]

    def body(self) -> dict[str, Any]:
        """The request's body."""
        return self.dialect.body(
            self.request, model=self.model, max_tokens=self.max_tokens, options=self.options
        )

    @property
    def setting(self) -> str:
        """The setting that names this request's model."""
        return "ORCH_MODEL_REASONING" if self.request.role == "reasoning" else "ORCH_MODEL_FAST"


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of failure: where it is seen, which words it has if any, and what is done.

    A row whose `does` gives None is not the right one after all.
    """

    kind: str
    seen: Container[object]
    words: re.Pattern[str] | None
    does: Callable[[Failure, Sent], Verdict | None]


def verdict(failure: Failure, sent: Sent) -> Verdict:
    """What to do about a failure: what the first row of the table says that fits it."""
    for row in TABLE:
        if failure.seen not in row.seen or (row.words and not row.words.search(failure.words)):
            continue
        if (said := row.does(failure, sent)) is not None:
            return said
    raise AssertionError("the last row fits everything")


def _unreached(failure: Failure, sent: Sent) -> Verdict:
    why = f"OPENAI_BASE_URL: {sent.base_url} gives no reply ({failure.said})"
    return Wait(None, False, TRIES, why)


def _broken(failure: Failure, sent: Sent) -> Verdict:
    return Wait(
        failure.pause_s, False, TRIES_OF_STRANGE, f"{sent.base_url} gave no answer: {failure.said}"
    )


def _failing(failure: Failure, sent: Sent) -> Verdict:
    return Wait(failure.pause_s, False, TRIES, _answered(failure, sent))


def _busy(failure: Failure, sent: Sent) -> Verdict | None:
    """An overloaded server that names a time speaks to everyone; without one, it may be a hitch."""
    if failure.pause_s is None:
        return None
    return Wait(failure.pause_s, True, TRIES, _answered(failure, sent))


def _limited(failure: Failure, sent: Sent) -> Verdict:
    return Wait(
        failure.pause_s, True, TRIES, f"{sent.base_url} limits the rate: {_quoted(failure)}"
    )


def _used_up(failure: Failure, sent: Sent) -> Verdict:
    return Misconfigured(
        f"OPENAI_API_KEY: the quota at {sent.base_url} is used up: {_quoted(failure)}"
    )


def _used_up_for_long(failure: Failure, sent: Sent) -> Verdict | None:
    """Some call a limit per minute a quota too; they name a time."""
    return None if failure.pause_s is not None else _used_up(failure, sent)


def _key_refused(failure: Failure, sent: Sent) -> Verdict:
    return Misconfigured(
        f"OPENAI_API_KEY: {sent.base_url} refused the key ({failure.seen}: {_quoted(failure)})"
    )


def _no_model(failure: Failure, sent: Sent) -> Verdict:
    return Misconfigured(
        f"{sent.setting}: {sent.base_url} has no model {sent.model!r} ({_quoted(failure)})"
    )


def _no_chat(failure: Failure, sent: Sent) -> Verdict:
    return Misconfigured(
        f"OPENAI_BASE_URL: {sent.base_url} does not speak the chat-completions protocol; does the "
        f"address lack '/v1' at its end? ({_quoted(failure)})"
    )


def _moved(failure: Failure, sent: Sent) -> Verdict:
    return Misconfigured(
        f"OPENAI_BASE_URL: {sent.base_url} sends on to {failure.said or 'another address'!r}; "
        "set the address where the server is"
    )


def _filtered(failure: Failure, sent: Sent) -> Verdict:
    return Refuse(f"the server's filter refused the request: {_quoted(failure)}")


def _too_long(failure: Failure, sent: Sent) -> Verdict:
    size = sum(len(message.content) for message in sent.request.messages)
    window = _WINDOW.search(failure.words)
    tokens = f"{int(next(filter(None, window.groups()))):,} tokens" if window else "size not told"
    return Stop(
        f"the prompt ({size:,} characters, and {sent.max_tokens:,} tokens "
        f"kept for the answer) does not fit the window of {sent.model!r} ({tokens}): "
        f"{_quoted(failure)}"
    )


def _cap_too_large(failure: Failure, sent: Sent) -> Verdict:
    return Stop(
        f"{sent.model!r} does not give answers of up to {sent.max_tokens:,} "
        f"tokens; lower 'max_tokens' in the prompt's head ({_quoted(failure)})"
    )


def _spent(_failure: Failure, _sent: Sent) -> Verdict:
    return Cut()


def _other_cap(_failure: Failure, sent: Sent) -> Verdict | None:
    return Adapt(sent.dialect.cap) if sent.dialect.cap else None


def _other_structure(_failure: Failure, sent: Sent) -> Verdict | None:
    structured = sent.request.schema is not None and sent.dialect.structure
    return Adapt(sent.dialect.structure) if structured and sent.dialect.structure else None


def _no_system(_failure: Failure, sent: Sent) -> Verdict | None:
    return None if SYSTEM in sent.dialect.refused else Adapt(SYSTEM)


def _without_option(failure: Failure, sent: Sent) -> Verdict | None:
    left = (name for name in sent.options if name not in sent.dialect.refused)
    return next((Adapt(name) for name in left if name in failure.words), None)


def _mistaken(failure: Failure, sent: Sent) -> Verdict:
    return Stop(f"the server refused the request ({failure.seen}: {_quoted(failure)})")


def _answered(failure: Failure, sent: Sent) -> str:
    return f"{sent.base_url} answered {failure.seen}: {_quoted(failure)}"


def _quoted(failure: Failure) -> str:
    return failure.said or "without a word"


_WINDOW = re.compile(
    r"(?:context|window)\D{0,40}?(?:is|of|size|length|limit|n_ctx)\W{1,4}(\d+)|n_ctx\W{1,4}(\d+)"
    r"|(?:<=|limit is|at most) (\d+)|> (\d+) maximum"
)
_QUOTA = re.compile(r"insufficient_quota|billing_hard_limit|insufficient_(balance|funds|credits?)")
_QUOTA_IN_WORDS = re.compile(r"quota|billing|credit balance|insufficient (balance|funds|credits?)")
_FILTER = re.compile(
    r"content_?filter|content_?policy|content management policy|responsible ?ai|moderation"
    r"|flagged|safety (system|filter)|prohibited_content|usage polic"
)
_CONTEXT = re.compile(
    r"context.{0,3}(length|window|size)|maximum context|too many (input |prompt )?tokens"
    r"|(prompt|input|request) (is )?too (long|large)|exceeds? the available context"
    r"|`inputs` tokens|entity too large|reduce the length"
)
_ALWAYS_TOO_LARGE = re.compile(r"request too large|tokens must be reduced")
_SPENT = re.compile(r"could not finish the message|output limit was reached")
_CAP = re.compile(r"max_(completion_|output_|new_)?tokens")
_CAP_VALUE = re.compile(
    r"max_(completion_|output_|new_)?tokens.{0,80}(too large|at most|maximum|less than|<=|exceed)"
)
_STRUCTURE = re.compile(
    r"response_?format|json_?schema|json_?object|json mode|guided|grammar|structured output"
)
_SYSTEM = re.compile(r"system (role|message)s?.{0,20} not (be )?(supported|allowed)|no system role")
_MODEL = re.compile(
    r"model_not_found|deploymentnotfound|not a valid model"
    r"|(model|deployment)\b.{0,80}(not found|not exist|unknown|not available|no access)"
    r"|(invalid|unknown|no such) (model|deployment)"
)

_REQUEST = frozenset({400, 413, 422})
_EVERY = frozenset(range(100, 600)) | {"no reply", "no whole answer", "no chat"}
_SERVER = frozenset({408, 409, 425, *range(500, 600)}) - {501}

TABLE = (
    Row("refused, reset, half an answer, silence", {"no reply"}, None, _unreached),
    Row("something that is no whole completion", {"no whole answer"}, None, _broken),
    Row("a page, or another protocol", {"no chat"}, None, _no_chat),
    Row("redirect", range(300, 400), None, _moved),
    Row("payment required", {402}, None, _used_up),
    Row("quota exhausted, by its code", range(400, 500), _QUOTA, _used_up),
    Row("prompt larger than all of a limit", {429}, _ALWAYS_TOO_LARGE, _too_long),
    Row("quota exhausted, in words", {400, 403, 429}, _QUOTA_IN_WORDS, _used_up_for_long),
    Row("rate limited", {429}, None, _limited),
    Row("filtered", {400, 403, 422, 451}, _FILTER, _filtered),
    Row("wrong key", {401, 403}, None, _key_refused),
    Row("context exceeded", _REQUEST | {500}, _CONTEXT, _too_long),
    Row("cap spent on reasoning", {400}, _SPENT, _spent),
    Row("cap larger than the model's", _REQUEST, _CAP_VALUE, _cap_too_large),
    Row("cap's name unknown", _REQUEST, _CAP, _other_cap),
    Row("response format unknown", _REQUEST | {500}, _STRUCTURE, _other_structure),
    Row("system role unknown", _REQUEST | {500}, _SYSTEM, _no_system),
    Row("optional parameter unknown", _REQUEST, None, _without_option),
    Row("unknown model", _REQUEST | {404}, _MODEL, _no_model),
    Row("wrong address", {404, 405, 501}, None, _no_chat),
    Row("overloaded, with a time", {503, 529}, None, _busy),
    Row("failing", _SERVER, None, _failing),
    Row("any other mistake in the request", _EVERY, None, _mistaken),
)
