"""Tokens and prices of logged requests, as the benchmark of context by step counts them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.flat.briefs import many_briefs
from tests.benchmarks.flat.figures import way
from tests.benchmarks.flat.meter import Meter, Request
from tests.benchmarks.flat.orchestration import to_the_end
from tests.benchmarks.flat.prefix import LEAST, STEP, PrefixMemory
from tests.benchmarks.flat.price import MODEL, cost_of
from tests.benchmarks.logs import check_against_log, metered_log
from tests.dagster_glue.studio import Studio
from tests.tokens import tokens


def test_the_tokens_of_two_articles_are_those_of_their_logged_requests(studio: Studio) -> None:
    for _ in to_the_end(studio.workbench, ["cellar", "pantry"]):
        pass
    requests = metered_log(studio.log)
    assert len(requests) == 13  # six prompts each, and one pass again
    check_against_log(requests, studio.log)
    found = way(
        requests,
        finished=["cellar", "pantry"],
        prompts=frozenset(studio.prompts()),
        steps=5,
        model=MODEL,
        seconds=1.0,
    )
    assert found.requests == 13
    assert found.steps == tuple(request.context for request in requests[:5])
    assert [article.requests for article in found.articles] == [6, 7]
    assert found.incomplete == 0
    whole = sum(article.prompt_tokens for article in found.articles)
    assert whole == sum(request.context for request in requests)


@pytest.mark.parametrize("end", [{"event": "lost"}, {"event": "answered", "status": 500}])
def test_a_request_without_an_answer_spoils_the_figures(end: dict[str, Any]) -> None:
    meter = Meter()
    body = {"messages": [{"role": "user", "content": "x"}]}
    asked = {"event": "asked", "request": 1, "trace": "content/a/b/c#1", "body": body}
    for record in (asked, {"request": 1, "trace": "content/a/b/c#1", **end}):
        meter.take(json.dumps(record).encode())
    with pytest.raises(RuntimeError, match="content/a/b/c#1"):
        meter.taken()


WORDS = st.lists(st.sampled_from(["tide", "gauge", "slate", "crate"]), max_size=4000)


@given(WORDS, WORDS)
def test_a_prefix_that_was_sent_before_is_cached_in_steps(shared: list[str], own: list[str]):
    memory = PrefixMemory()
    before, more = " ".join(shared), " ".join(own)
    first = memory.count({"messages": [{"role": "user", "content": before}]})
    messages = [{"role": "user", "content": text} for text in (before, more)]
    second = memory.count({"messages": messages})
    assert first.cached == 0
    assert first.context == tokens(before)
    assert second.context == tokens(before) + tokens(more)
    known = tokens(before) // STEP * STEP
    assert second.cached == (known if known >= LEAST else 0)


def test_cached_tokens_are_priced_as_such() -> None:
    cost = cost_of(Request("content/a/b/c#1", 100_000, 90_000, 1_000), MODEL)
    assert cost.uncached == pytest.approx((100_000 * 2.5 + 1_000 * 15) / 1e6)
    assert cost.cached == pytest.approx((10_000 * 2.5 + 90_000 * 0.25 + 1_000 * 15) / 1e6)


def test_no_two_briefs_of_the_benchmark_share_a_text() -> None:
    briefs = many_briefs(7)
    assert len({one.slug for one in briefs}) == len({one.core_thesis for one in briefs}) == 7
