"""The baseline: one agent whose every request holds all that was before it."""

from itertools import pairwise
from pathlib import Path

from orch_dagster.core.episode import Status
from tests.benchmarks.flat.meter import metered
from tests.benchmarks.flat.prefix import LEAST, STEP
from tests.benchmarks.flat.window import ABOVE
from tests.benchmarks.logs import check_against_log, metered_log
from tests.benchmarks.one_agent import ARTICLES, Agent
from tests.dagster_glue.briefs import brief
from tests.tokens import tokens


def test_one_window_holds_all_that_was_asked_and_answered(agent: Agent) -> None:
    assert agent.work(steps=None) == dict.fromkeys(ARTICLES, Status.COMPLETE)
    check_against_log(metered_log(agent.log), agent.log)
    windows = [body["messages"] for body in agent.bodies()]
    assert len(windows) == 12
    for earlier, later in pairwise(windows):
        assert later[: len(earlier)] == earlier
        assert later[len(earlier)]["role"] == "assistant"
        assert later[-1]["role"] == "user"


def test_a_window_holds_each_brief_and_each_system_text_once(agent: Agent) -> None:
    agent.work(steps=None)
    window = agent.bodies()[-1]["messages"]
    systems = [message["content"] for message in window if message["role"] == "system"]
    assert len(systems) == len(set(systems)) == 2
    everything = "\n".join(message["content"] for message in window)
    for slug in ARTICLES:
        assert everything.count(f">{brief(slug).title}<") == 1
    assert everything.count(f">{ABOVE}<") > 4


def test_a_window_is_cached_up_to_the_newest_answer(agent: Agent) -> None:
    agent.work(steps=None)
    said = [sum(tokens(m["content"]) for m in body["messages"]) for body in agent.bodies()]
    cached = [request.cached for request in metered_log(agent.log)]
    known = [before // STEP * STEP for before in said[:-1]]
    assert cached == [0, *(tokens if tokens >= LEAST else 0 for tokens in known)]
    assert cached[-1] > LEAST


def test_an_agent_stops_after_its_steps(agent: Agent) -> None:
    assert [*agent.work(steps=8)] == ["cellar"]
    assert len(metered_log(agent.log)) == 8


def test_a_log_that_is_a_pipe_counts_as_one_that_is_a_file(agent: Agent, tmp_path: Path) -> None:
    agent.work(steps=None)
    lines = agent.log.read_bytes().splitlines(keepends=True)
    folder = tmp_path / "pipe"
    folder.mkdir()
    with metered(folder) as pipe, pipe.path.open("ab", buffering=0) as writer:
        writer.write(b"".join(lines[:6]))
        first = pipe.taken()
        writer.write(b"".join(lines[6:]))
        assert (*first, *pipe.taken()) == metered_log(agent.log)
    assert len(first) == 3
