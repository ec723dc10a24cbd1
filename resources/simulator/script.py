"""What the simulator answers on cue: rules read from a YAML or JSON file or given as a list."""

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    model_validator,
)

from resources.simulator.request import ChatRequest

_GENERATED = {"content", "overrides", "finish_reason", "refusal", "usage"}
_RULED_OUT = {
    "batch": _GENERATED | {"status", "headers", "body", "reset", "hang"},
    "hang": _GENERATED | {"status", "headers", "body", "reset"},
    "body": _GENERATED,
    "content": {"overrides", "refusal"},
    "refusal": {"overrides"},
}


class ScriptError(ValueError):
    """A script that cannot be read or followed, in one sentence."""


def _expression(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"is no regular expression: {error}") from error
    return text


class Rule(BaseModel):
    """Which requests, how often, and what to answer; what is left out stays as generated.

    `match` is a glob over the trace (`pipeline/article/library/prompt#attempt`), `message` a regular
    expression searched in the last user message, `model` a glob. Of the requests that match and
    that no earlier rule answered, the first `after` are let pass and the next `times` answered.
    `set` maps dotted paths (`posts.0.text`) of the generated JSON answer to values. `reset` closes
    the connection before any byte or in the middle of the body; `hang` answers never.

    Rows of batches are requests like others, under their `custom_id` as trace; `reset` is there a
    call that timed out. `batch` is for rows alone: the row is `missing` from what the batch gives, or
    was not reached when the batch `expired` or was `cancelled`, or the whole batch `failed` at once.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    match: str = "*"
    message: Annotated[str, AfterValidator(_expression)] | None = None
    model: str | None = None
    after: int = Field(default=0, ge=0)
    times: int | None = Field(default=None, ge=1)

    status: int | None = Field(default=None, ge=200, le=599)
    headers: Mapping[str, str | int | float] = Field(default_factory=dict)
    body: JsonValue = None
    content: str | None = None
    overrides: Mapping[str, JsonValue] = Field(default_factory=dict, alias="set")
    finish_reason: str | None = None
    refusal: str | None = None
    usage: Mapping[str, JsonValue] | None = None
    delay_ms: float | None = Field(default=None, ge=0)
    reset: Literal["before", "middle"] | None = None
    hang: bool = False
    batch: Literal["missing", "expired", "cancelled", "failed"] | None = None

    @model_validator(mode="after")
    def _is_one_answer(self) -> Self:
        given = self.model_fields_set - {"match", "message", "model", "after", "times", "delay_ms"}
        for name, others in _RULED_OUT.items():
            if clash := sorted(given & others) if name in given else ():
                raise ValueError(f"{_key(name)!r} leaves no room for {_key(clash[0])!r}")
        return self

    def matches(self, request: ChatRequest, *, in_batch: bool) -> bool:
        """Whether trace, last user message and model are the ones that the rule is for."""
        if self.batch is not None and not in_batch:
            return False
        if not fnmatchcase(request.trace, self.match):
            return False
        if self.model is not None and not fnmatchcase(request.model, self.model):
            return False
        return self.message is None or re.search(self.message, request.last_user_text) is not None


class Playback:
    """A script being played: counts what each rule has matched. For one event loop only."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        """All counts start at nothing."""
        self._rules = rules
        self._matched = [0] * len(rules)

    def rule_for(self, request: ChatRequest, *, in_batch: bool) -> Rule | None:
        """The first rule whose turn it is; asking counts as a match of the rules it passes."""
        for index, rule in enumerate(self._rules):
            if not rule.matches(request, in_batch=in_batch):
                continue
            self._matched[index] += 1
            turn = self._matched[index] - rule.after
            if turn >= 1 and (rule.times is None or turn <= rule.times):
                return rule
        return None


def load_script(path: Path) -> tuple[Rule, ...]:
    """The rules in a YAML or JSON file.

    Raises:
        ScriptError: naming the file and, where one is at fault, rule number (from 1) and field.
    """
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptError(f"{path.name}: cannot be read: {error}") from error
    except yaml.YAMLError as error:
        raise ScriptError(f"{path.name}: is no YAML: {' '.join(str(error).split())}") from error
    return parse_script(data, source=path.name)


def parse_script(data: Any, *, source: str) -> tuple[Rule, ...]:
    """The rules in a list of mappings; `source` stands in front of every error.

    Raises:
        ScriptError: naming source, rule number (from 1) and field.
    """
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise ScriptError(f"{source}: is no list of rules")
    return tuple(_rule(item, f"{source}: rule {number}") for number, item in enumerate(data, 1))


def set_values(answer: Any, overrides: Mapping[str, JsonValue]) -> Any:
    """`answer` with the values at dotted paths replaced, in place; new keys are added to objects.

    Raises:
        ScriptError: a path leads through something that is no object or past the end of an array.
    """
    for path, value in overrides.items():
        *way, last = path.split(".")
        spot = answer
        for key in way:
            spot = _step(spot, key, path)
        if isinstance(spot, dict):
            spot[last] = value
        else:
            _step(spot, last, path)
            spot[int(last)] = value
    return answer


def _step(spot: Any, key: str, path: str) -> Any:
    match spot:
        case dict() if key in spot:
            return spot[key]
        case list() if key.isdigit() and int(key) < len(spot):
            return spot[int(key)]
        case _:
            raise ScriptError(f"the generated answer has no {key!r} on the path {path!r}")


def _rule(item: Any, where: str) -> Rule:
    if not isinstance(item, Mapping):
        raise ScriptError(f"{where}: is no mapping")
    try:
        return Rule.model_validate(item)
    except ValidationError as error:
        faults = (_field(e["loc"]) + _said(e["msg"]) for e in error.errors())
        raise ScriptError(f"{where}: {'; '.join(faults)}") from error


def _field(location: tuple[int | str, ...]) -> str:
    return f"field {'.'.join(str(part) for part in location)!r}: " if location else ""


def _key(name: str) -> str:
    return "set" if name == "overrides" else name


def _said(message: str) -> str:
    message = message.removeprefix("Value error, ")
    return message[:1].lower() + message[1:]
