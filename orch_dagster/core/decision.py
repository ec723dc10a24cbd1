"""The orchestrator's decision: one pure function over a pipeline and an article's ledger."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from orch_dagster.core.budget import Cause, Stop
from orch_dagster.core.episode import FLAG_EFFECTS, Flag, FlagEffect, Status
from orch_dagster.core.ledger import Ledger, Record
from orch_dagster.core.pipeline import INPUT, RETRIES, SCORINGS, Pipeline, Step


class State(StrEnum):
    """Where an article stands. `running` also means: work is due and nothing stops it."""

    NEW = "new"
    RUNNING = "running"
    REWORK = "rework"
    FINISHED = "finished"
    NEEDS_REVIEW = "needs_review"
    BUDGET = "budget"
    STUCK = "stuck"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Run:
    """A step whose document is not there, or was made from what no longer stands."""

    step: str
    reason: str


@dataclass(frozen=True, slots=True)
class Retry:
    """A step that failed and may try again."""

    step: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rework:
    """A step under its gate: `steps` repair it and score it anew, as scoring number `scoring`."""

    step: str
    steps: tuple[str, ...]
    scoring: int
    reason: str


@dataclass(frozen=True, slots=True)
class Finish:
    """Everything is ready: assemble or publish, with these flags."""

    step: str
    flags: tuple[Flag, ...]
    reason: str


Action = Run | Retry | Rework | Finish


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do next with an article, and in words why it stands where it stands."""

    state: State
    actions: tuple[Action, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Blocked:
    """A step that no action of ours can bring further."""

    state: State
    reason: str


_Verdict = Action | _Blocked | None


def decide(pipeline: Pipeline, ledger: Ledger) -> Decision:
    """The next actions on one article; the same for the same ledger, and none while a run goes on."""
    if ledger.input is None:
        return Decision(State.NEW, (), ("its input is not registered",))
    if ledger.running:
        return Decision(State.RUNNING, (), ("a run is in flight",))
    if ledger.broken_runs > RETRIES:
        reason = f"{ledger.broken_runs} runs in a row ended before their work was done"
        return Decision(State.STUCK, (), (reason,))
    return _decide_on_steps(pipeline, ledger)


def steps_of(pipeline: Pipeline, actions: Iterable[Action]) -> tuple[str, ...]:
    """All steps of the one run that carries out these actions, the finish included, in order."""
    names: set[str] = set()
    for action in actions:
        match action:
            case Rework(steps=steps):
                names.update(steps)
            case Run(step=step) | Retry(step=step) | Finish(step=step):
                names.add(step)
    return pipeline.below(names)


def renewal(pipeline: Pipeline, ledger: Ledger) -> Decision:
    """What is due when work is done anew whose prompts were edited: a nightly run, a person's wish.

    The orchestrator by itself lets such work be: `decide` does not look at it.
    """
    decision = decide(pipeline, ledger)
    if ledger.input is None or ledger.running:
        return decision
    anew = tuple(
        Run(step.name, f"{step.name}: its prompts were edited")
        for step in (*pipeline.steps, pipeline.finish)
        if step.name in ledger.outdated
    )
    if not anew:
        return decision
    reasons = decision.reasons if decision.actions else ()
    actions = (*decision.actions, *anew)
    state = decision.state if decision.actions else State.RUNNING
    return Decision(state, actions, (*reasons, *(action.reason for action in anew)))


def groups(
    pipeline: Pipeline, due: Mapping[str, Decision], *, most: int
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Decision]]]:
    """What is due by article as runs: the steps of each, and its articles, at most so many.

    Only articles for which the same steps are due go together.
    """
    alike: dict[tuple[str, ...], list[str]] = {}
    for article, decision in due.items():
        alike.setdefault(steps_of(pipeline, decision.actions), []).append(article)
    for steps, articles in alike.items():
        for start in range(0, len(articles), most):
            yield steps, {article: due[article] for article in articles[start : start + most]}


def flags_at_finish(pipeline: Pipeline, ledger: Ledger) -> tuple[Flag, ...]:
    """The flags that assembly must heed: those of every episode, and `below_threshold` at the cap."""
    flags: set[Flag] = set()
    for step in pipeline.steps:
        record = ledger.current(step)
        if record is None or record.episode is None:
            continue
        flags.update(record.episode.flags)
        if not all(gate.passes(record.episode) for gate in step.gates):
            flags.add(Flag.BELOW_THRESHOLD)
    return tuple(sorted(flags))


def needs_review(flags: Iterable[Flag]) -> bool:
    """Whether any of these flags makes the result wait for a person."""
    return any(FLAG_EFFECTS[flag] is FlagEffect.NEEDS_REVIEW for flag in flags)


def _decide_on_steps(pipeline: Pipeline, ledger: Ledger) -> Decision:
    return (
        _decide_on_work(pipeline, ledger)
        or _decide_on_finish(pipeline, ledger)
        or _ended(pipeline, ledger)
    )


def _decide_on_work(pipeline: Pipeline, ledger: Ledger) -> Decision | None:
    """What is due, or stands still, before the finish; None where every step is ready."""
    actions: list[Action] = []
    due: set[str] = set()
    blocked: list[_Blocked] = []
    held: set[str] = set()
    for step in pipeline.steps:
        if held & set(step.needs):
            held.add(step.name)
            continue
        if due & set(step.needs):
            due.add(step.name)
            continue
        match _verdict(step, ledger):
            case None:
                pass
            case _Blocked() as stop:
                blocked.append(stop)
                held.add(step.name)
            case action:
                actions.append(action)
                due.update(steps_of(pipeline, (action,)))
    if actions:
        return Decision(_state_of(actions, ledger), *_with_reasons(actions, blocked))
    if blocked:
        state = max((stop.state for stop in blocked), key=_GRAVITY.index)
        return Decision(state, (), tuple(stop.reason for stop in blocked))
    return None


_GRAVITY = [State.BUDGET, State.REFUSED, State.STUCK]


def _verdict(step: Step, ledger: Ledger) -> _Verdict:
    record = ledger.current(step)
    if record is None:
        return Run(step.name, f"{step.name}: {_absence(step, ledger)}")
    return _verdict_on_failure(step, record, ledger) or _verdict_on_quality(step, record)


def _verdict_on_failure(step: Step, record: Record, ledger: Ledger) -> Retry | _Blocked | None:
    if record.status is Status.FAILED and record.stop is not None:
        return _verdict_on_stop(step, record.stop, ledger)
    match record.status:
        case Status.REFUSED:
            return _Blocked(State.REFUSED, f"{step.name}: the model refused")
        case Status.FAILED if record.failures > RETRIES:
            return _Blocked(State.STUCK, f"{step.name}: failed {record.failures} times in a row")
        case Status.FAILED:
            return Retry(step.name, f"{step.name}: failed, retry {record.failures} of {RETRIES}")
        case Status.COMPLETE:
            return None


def _verdict_on_stop(step: Step, stop: Stop, ledger: Ledger) -> Retry | _Blocked:
    limit = stop.budget.describe()
    match stop.cause:
        case Cause.SETTING:
            return _Blocked(State.STUCK, f"{step.name}: a setting is wrong (see its failure)")
        case Cause.RUN_BUDGET:
            return _Blocked(State.BUDGET, f"{step.name}: its run was over its budget ({limit})")
        case Cause.BUDGET if ledger.budget.is_wider_than(stop.budget):
            return Retry(step.name, f"{step.name}: the budget was raised")
        case Cause.BUDGET:
            return _Blocked(State.BUDGET, f"{step.name}: over its budget ({limit})")


def _absence(step: Step, ledger: Ledger) -> str:
    if step.name in ledger.missing:
        return "its document is gone from the store"
    if step.name in ledger.records:
        return "made from an input that no longer stands"
    return "not made yet"


def _verdict_on_quality(step: Step, record: Record) -> _Verdict:
    episode = record.episode
    if episode is None:
        return None
    low = [
        f"{gate.score} {episode.scores.get(gate.score, 0):g} is under {gate.minimum:g}"
        for gate in step.gates
        if not gate.passes(episode)
    ]
    if episode.assembly_ready and not low:
        return None
    why = ", ".join(low) or "a check by code failed"
    if record.scorings < SCORINGS and step.rework:
        scoring = record.scorings + 1
        return Rework(
            step.name, step.rework, scoring, f"{step.name}: {why}; scoring {scoring} of {SCORINGS}"
        )
    if episode.assembly_ready:
        return None
    return _Blocked(State.STUCK, f"{step.name}: not ready after {record.scorings} scorings ({why})")


def _state_of(actions: list[Action], ledger: Ledger) -> State:
    if not ledger.records:
        return State.NEW
    return State.REWORK if any(isinstance(a, Rework) for a in actions) else State.RUNNING


def _with_reasons(
    actions: list[Action], blocked: Iterable[_Blocked]
) -> tuple[tuple[Action, ...], tuple[str, ...]]:
    reasons = (*(action.reason for action in actions), *(stop.reason for stop in blocked))
    return tuple(actions), reasons


def finish_of(pipeline: Pipeline, ledger: Ledger) -> Finish | None:
    """How an article ends whose every step is ready, or None while one is not.

    The same whether it has ended already: so a row can be made again, and is the same row.
    """
    for step in pipeline.steps:
        if _verdict(step, ledger) is not None:
            return None
    reason = _reason_to_finish(pipeline, ledger)
    return Finish(pipeline.finish.name, flags_at_finish(pipeline, ledger), reason)


def _decide_on_finish(pipeline: Pipeline, ledger: Ledger) -> Decision | None:
    reason = _reason_to_finish(pipeline, ledger)
    finish = Finish(pipeline.finish.name, flags_at_finish(pipeline, ledger), reason)
    ended = ledger.current(pipeline.finish)
    if ended is None:
        return Decision(State.RUNNING, (finish,), (reason,))
    match _verdict_on_failure(pipeline.finish, ended, ledger):
        case Retry(reason=why):
            return Decision(State.RUNNING, (finish,), (why,))
        case _Blocked() as stop:
            return Decision(stop.state, (), (stop.reason,))
        case None:
            return None


def _ended(pipeline: Pipeline, ledger: Ledger) -> Decision:
    ended = ledger.current(pipeline.finish)
    flags = flags_at_finish(pipeline, ledger)
    approved = pipeline.unattended or (ended is not None and ended.approved)
    waits = needs_review(flags) and not approved
    state = State.NEEDS_REVIEW if waits else State.FINISHED
    return Decision(state, (), (_reason_to_finish(pipeline, ledger),))


def _reason_to_finish(pipeline: Pipeline, ledger: Ledger) -> str:
    scored: list[str] = []
    for step in pipeline.steps:
        record = ledger.current(step)
        if record is None or record.episode is None:
            continue
        for gate in step.gates:
            if not gate.passes(record.episode):
                value = record.episode.scores.get(gate.score, 0)
                scored.append(
                    f"{step.name}: {gate.score} {value:g} stays under {gate.minimum:g} "
                    f"after {record.scorings} scorings"
                )
    return "; ".join(scored) or "every gate passed"


def standing(pipeline: Pipeline, ledger: Ledger) -> dict[str, Record]:
    """The records that count now: made from what stands, which is itself made from what stands."""
    found: dict[str, Record] = {}
    for step in (*pipeline.steps, pipeline.finish):
        record = ledger.current(step)
        if record and all(need == INPUT or need in found for need in step.needs):
            found[step.name] = record
    return found


def notes_due(scored: Step, ledger: Ledger) -> str | None:
    """The fingerprint of the scoring whose rework is due, or None: what a repair has to heed.

    A scoring of the present input that lies under its gate, with passes left. A repair that
    heeds it remembers the fingerprint; so a repair that failed is not taken for one that is done.
    """
    record = ledger.records.get(scored.name)
    if record is None or record.status is not Status.COMPLETE:
        return None
    if not _of_this_input(scored, record, ledger):
        return None
    weak = isinstance(_verdict_on_quality(scored, record), Rework)
    return record.fingerprint if weak else None


def scoring_due(step: Step, ledger: Ledger) -> int:
    """The number of the scoring that a run of this step makes now, from 1.

    A record under its gates is followed by the next scoring; one that stands is made again
    under its own number, for example because its document was lost. What the rework itself makes
    anew (a polished text) is no new input, so it starts no new count.
    """
    record = ledger.records.get(step.name)
    if record is None or not _of_this_input(step, record, ledger):
        return 1
    if record.status is not Status.COMPLETE:
        return max(1, record.scorings)
    weak = isinstance(_verdict_on_quality(step, record), Rework)
    return record.scorings + 1 if weak and step.name not in ledger.missing else record.scorings


def _of_this_input(step: Step, record: Record, ledger: Ledger) -> bool:
    given = (need for need in step.needs if need not in step.rework)
    return all(record.made_from.get(need) == ledger.fingerprint(need) for need in given)
