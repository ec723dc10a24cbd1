"""Killed at any moment and started again: no prompt that was answered is asked again."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from orch_dagster.core.episode import Status
from orch_dagster.library import Library
from orch_dagster.model import ModelError
from tests.engine.conftest import MakeBench, bench_of
from tests.fakes.bench import Bench
from tests.fakes.scripted_model import PRICE, Killed, Line
from tests.fakes.tiny_library import AFTER, CHAIN, PLAN, revision

PROMPTS = (*CHAIN, *AFTER)

SCRIPTS: dict[str, dict[str, list[Line]]] = {
    "all good": {},
    "one repair in the chain": {"plan": ['{"points": []}', PLAN]},
    "one repair in the pass": {"quality_pass": ["no object", revision("The repaired note.")]},
    "two weak passes": {
        "quality_pass": [
            revision("The first note.", voice=3.0),
            revision("The second note.", voice=3.5),
            revision("The third note."),
        ]
    },
}


@dataclass(frozen=True, slots=True)
class Cut:
    """A moment: at a request, or just before or after a write."""

    at: str
    number: int

    def __str__(self) -> str:
        return f"{self.at} {self.number}"


def cut(bench: Bench, moment: Cut | None) -> None:
    bench.model.dies_at = bench.store.dies_before = bench.store.dies_after = None
    match moment:
        case Cut(at="request", number=number):
            bench.model.dies_at = number
        case Cut(at="before write", number=number):
            bench.store.dies_before = number
        case Cut(at="after write", number=number):
            bench.store.dies_after = number


def whole(bench: Bench) -> Bench:
    bench.drive(10)
    return bench


def cuts(library: Library, script: dict[str, list[Line]]) -> list[Cut]:
    """Every moment of the work from brief to row."""
    bench = whole(bench_of(library, script))
    requests = [Cut("request", n + 1) for n in range(len(bench.model.asked))]
    first = 2  # the brief is written first, before any work
    writes = range(first, len(bench.store.writes) + 1)
    return [*requests, *(Cut(at, n) for n in writes for at in ("before write", "after write"))]


def resumed(library: Library, script: dict[str, list[Line]], moment: Cut) -> Bench:
    bench = bench_of(library, script)
    cut(bench, moment)
    with pytest.raises(Killed):
        bench.drive(10)
    cut(bench, None)
    return whole(bench)


@pytest.mark.parametrize("name", SCRIPTS)
def test_killed_anywhere_it_asks_again_at_most_what_was_on_the_wire(tiny: Library, name: str):
    script = SCRIPTS[name]
    expected = whole(bench_of(tiny, script)).model.counts
    for moment in cuts(tiny, script):
        lost = resumed(tiny, script, moment).model.counts - expected
        # An answer that came but was not written yet is on the wire too.
        assert lost.total() <= (moment.at != "after write"), (moment, lost)


@pytest.mark.parametrize("name", SCRIPTS)
def test_killed_anywhere_the_result_is_that_of_an_undisturbed_run(tiny: Library, name: str):
    script = SCRIPTS[name]
    expected = whole(bench_of(tiny, script))
    for moment in cuts(tiny, script):
        if moment.at == "before write":
            continue  # the script goes on after an answer that was never kept
        bench = resumed(tiny, script, moment)
        assert bench.deliverable == expected.deliverable, moment
        assert bench.ledger.records["notes"].episode == expected.ledger.records["notes"].episode
        assert bench.ledger.records["notes"] == expected.ledger.records["notes"], moment
        assert bench.history == expected.history, moment


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_attempt_number_is_given_to_two_answers(tiny: Library, name: str):
    script = SCRIPTS[name]
    for moment in cuts(tiny, script):
        attempts = Counter(resumed(tiny, script, moment).model.attempts)
        twice = [attempt for attempt, count in attempts.items() if count > 1]
        assert len(twice) <= (moment.at != "after write"), (moment, twice)


def test_killed_after_every_single_write_it_asks_nothing_twice(tiny: Library):
    undisturbed = len(whole(bench_of(tiny, {})).store.writes)
    bench = bench_of(tiny, {})
    for number in range(2, undisturbed + 1):
        bench.store.dies_after = number
        with pytest.raises(Killed):
            bench.drive(10)
    assert whole(bench).model.prompts == list(PROMPTS)


@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_prompt_that_fails_leaves_the_answers_before_it(make_bench: MakeBench, prompt: str):
    bench = make_bench()
    good = bench.model.script[prompt]
    bench.model.script[prompt] = [ModelError("the server is gone"), *good]
    bench.drive(10)
    assert bench.model.counts == Counter(PROMPTS) + Counter([prompt])
    total = bench.ledger.records["notes"]
    assert total.status is Status.COMPLETE
    assert total.cost_usd == len(PROMPTS) * PRICE


def test_the_cut_points_are_many(tiny: Library):
    counts: Callable[[str], int] = lambda name: len(cuts(tiny, SCRIPTS[name]))  # noqa: E731
    assert counts("two weak passes") > counts("all good") >= 15
