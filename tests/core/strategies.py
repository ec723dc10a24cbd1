"""What hypothesis draws from: episodes, pipelines, ledgers."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from orch_dagster.core.episode import Episode, Flag, Status
from orch_dagster.core.gate import minimum
from orch_dagster.core.ledger import Ledger, Record
from orch_dagster.core.pipeline import INPUT, Pipeline, Step
from tests.fakes.ledgers import bad_record, episode_with, ledger, record
from tests.fakes.pipelines import CONTENT_GATES, content, plain_step, translation

NAMES = st.from_regex(r"\A[a-z][a-z0-9]{0,6}(_[a-z0-9]{1,5}){0,2}\Z")
COUNTS = st.integers(0, 999_999_999)
SCORES = st.floats(0, 5)


@st.composite
def episodes(draw: st.DrawFn, names: st.SearchStrategy[str]) -> Episode:
    """Any valid episode with such a name."""
    status = draw(st.sampled_from(Status))
    fields: dict[str, Any] = {
        "library": draw(names),
        "status": status,
        "word_count": draw(COUNTS),
        "meta_generated": draw(st.sampled_from([None, True, False])),
        "assembly_ready": status is Status.COMPLETE and draw(st.booleans()),
        "flags": draw(st.lists(st.sampled_from(Flag), unique=True)),
        "token_usage": draw(COUNTS),
        "latency_ms": draw(COUNTS),
    }
    if status is Status.COMPLETE:
        fields |= draw(
            st.one_of(
                st.just({}),
                st.fixed_dictionaries({"score": st.integers(0, 10)}),
                st.fixed_dictionaries({"voice_consistency": SCORES, "coherence_score": SCORES}),
            )
        )
    return Episode.model_validate(fields)


EPISODES = episodes(NAMES)


@st.composite
def any_pipelines(draw: st.DrawFn) -> Pipeline:
    """Up to six steps, each made from some earlier ones; some have gates and a rework."""
    steps: list[Step] = []
    for number in range(draw(st.integers(1, 6))):
        earlier = [INPUT, *(step.name for step in steps)]
        needs = draw(st.lists(st.sampled_from(earlier), min_size=1, max_size=3, unique=True))
        steps.append(draw(_steps(f"step_{number}", tuple(needs), steps)))
    needed = {need for step in steps for need in step.needs}
    ends = [step.name for step in steps if step.name not in needed]
    return Pipeline("any", "done", tuple(steps), plain_step("end", *ends))


@st.composite
def _steps(draw: st.DrawFn, name: str, needs: tuple[str, ...], earlier: list[Step]) -> Step:
    match draw(st.integers(0, 2)):
        case 0:
            return plain_step(name, *needs)
        case 1:
            return Step(name, needs, CONTENT_GATES, (name,))
        case _:
            helpers = [step for step in earlier if _repairs(step, needs, earlier)]
            if not helpers:
                return Step(name, needs, (minimum("score", 8),), (name,))
            helper = draw(st.sampled_from(helpers))
            given = tuple(dict.fromkeys([*needs, *helper.needs]))
            return Step(name, given, (minimum("score", 8),), (helper.name, name))


def _repairs(helper: Step, needs: tuple[str, ...], earlier: list[Step]) -> bool:
    """Whether a step made from `needs` could be repaired by an earlier one alone."""
    if helper.gates or helper.name not in needs:
        return False
    anew = {helper.name}
    for step in earlier:
        if anew & set(step.needs):
            anew.add(step.name)
    return anew & set(needs) == {helper.name}


PIPELINES = st.one_of(
    st.just(content("article")),
    st.just(content("article", "seo", "task")),
    st.just(translation()),
    any_pipelines(),
)


@st.composite
def ledgers(draw: st.DrawFn, pipeline: Pipeline) -> Ledger:
    """Any state of an article, also one that no history leads to."""
    found = ledger(
        input=draw(st.sampled_from([None, "brief-1", "brief-1", "brief-1"])),
        running=draw(st.sampled_from([False, False, False, True])),
        broken_runs=draw(st.sampled_from([0, 0, 0, 1, 3, 4])),
    )
    for step in (*pipeline.steps, pipeline.finish):
        if draw(st.integers(0, 5)):
            records = {**found.records, step.name: draw(_records(step, found))}
            found = replace(found, records=records)
    lost = draw(st.sets(st.sampled_from([*found.records] or ["none"]), max_size=1))
    complete = {name for name, made in found.records.items() if made.status is Status.COMPLETE}
    return replace(found, missing=frozenset(lost & complete if draw(st.booleans()) else ()))


@st.composite
def _records(draw: st.DrawFn, step: Step, found: Ledger) -> Record:
    current = {need: found.fingerprint(need) or "none" for need in step.needs}
    fields: dict[str, Any] = {
        "fingerprint": draw(st.sampled_from([f"{step.name}-1", f"{step.name}-2"])),
        "made_from": draw(st.sampled_from([current] * 4 + [dict.fromkeys(current, "old"), {}])),
        "scorings": draw(st.integers(1, 3)),
    }
    status = draw(st.sampled_from([Status.COMPLETE] * 4 + [Status.FAILED, Status.REFUSED]))
    if status is not Status.COMPLETE:
        return bad_record(step, status, **fields)
    episode = episode_with(step, good=draw(st.booleans()), ready=draw(st.booleans()))
    return record(episode=episode, **fields)
