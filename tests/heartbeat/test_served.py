"""The whole of it: `orch serve` with its daemon, its sensor and its processes, and what is killed of it."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import dagster as dg
import psutil
import pytest

from assets.content.pipeline import content_pipeline
from orch_dagster.core.row import Row
from orch_dagster.transcript import Transcript
from tests.dagster_glue.briefs import write_brief
from tests.dagster_glue.studio import STRONG, weak
from tests.end_to_end.graphql import wait_for
from tests.end_to_end.orch import ROOT, Orch, small_project
from tests.heartbeat.conftest import Serve, Server
from tests.heartbeat.served import LONG, Served, served

pytestmark = pytest.mark.slow

KILLS = 10
MADE = [
    *([name, part] for name in ("note", "card") for part in ("draft", "deliverable", "episode")),
    ["row"],
]
"""The assets of the small project's content pipeline."""

ENDED = ("COMPLETED_SUCCESS", "COMPLETED_FAILED", "FAILED", "CANCELED", "COMPLETED")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of two small libraries."""
    return small_project(tmp_path_factory.mktemp("small_project"))


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's folder; the test looks at the instance in it too."""
    folder = tmp_path / "desk"
    folder.mkdir()
    monkeypatch.setenv("DAGSTER_HOME", str(folder / ".orch"))
    return folder


def test_added_articles_get_their_rows_without_a_word(
    desk: Path, small: Path, serve: Serve, tmp_path: Path
) -> None:
    server = serve(_weak_at_first("second"), STRONG)
    orch = Orch(desk, server.settings, small)
    for slug in ("first", "second"):
        write_brief(desk / "inbox", slug)
    assert orch.run("add", "inbox").status == 0
    with served(orch, tmp_path / "said.txt") as running:
        running.wait_for_rows("first", "second")
        [only] = running.runs("first")
        rework, _ = running.runs("second")
        rows = orch.run("rows", "--format", "json").json
        assert sorted(row["article"] for row in rows) == ["first", "second"]
        assert only.tags["dagster/sensor_name"] == "content_orchestrator"
        assert only.tags["orch/decision"] == "run"
        assert rework.tags["orch/decision"] == "rework"
        assert "scoring 2 of 3" in rework.tags["orch/reason"]
        assert {key.to_user_string() for key in rework.asset_selection or ()} == {
            "note/deliverable", "note/episode", "row",
        }  # fmt: skip
    _check_that_nothing_was_asked_twice(server)


def test_a_backfill_over_weak_articles_ends_and_the_sensor_completes_them(
    desk: Path, small: Path, serve: Serve, tmp_path: Path
) -> None:
    server = serve(*(_weak_at_first(slug) for slug in ("b-two", "c-three")), STRONG)
    orch = Orch(desk, server.settings, small)
    articles = ("a-one", "b-two", "c-three")
    with served(orch, tmp_path / "said.txt") as running:
        for slug in articles:
            write_brief(desk / "inbox", slug)
        assert orch.run("add", "inbox").status == 0
        backfill = running.ui.backfill(MADE, list(articles))
        running.wait("the backfill", lambda: running.ui.backfill_status(backfill) in ENDED)
        # It does not wait for the sensor, so it may call the weak ones failed.
        assert running.ui.backfill_status(backfill) in ("COMPLETED_SUCCESS", "COMPLETED_FAILED")
        running.wait_for_rows(*articles)
        for slug in articles:
            assert _row(orch, slug).status == "assembled"
            _check_that_runs_came_one_after_another(running, slug)
    _check_that_nothing_was_asked_twice(server)


def _check_that_runs_came_one_after_another(running: Served, article: str) -> None:
    records = running.instance.get_run_records(
        dg.RunsFilter(tags={"dagster/partition": article}), ascending=True
    )
    times = sorted((record.start_time or 0, record.end_time or 0) for record in records)
    assert len(times) >= 2  # the sensor's and the backfill's
    assert all(before[1] <= after[0] for before, after in pairwise(times))


@dataclass(frozen=True)
class Kill:
    """A moment in an article's life: when this prompt of this library has been asked."""

    article: str
    library: str
    prompt: str


def test_killed_in_every_library_each_article_is_resumed_by_the_heartbeat(
    desk: Path, serve: Serve, tmp_path: Path
) -> None:
    server = serve(STRONG, latency_ms=400, jitter=0.5)
    orch = Orch(desk, server.settings, ROOT)
    kills = list(_ten_points())
    for kill in kills:
        write_brief(desk / "inbox", kill.article)
    assert orch.run("add", "inbox").status == 0
    with served(orch, tmp_path / "said.txt") as running:
        kept = _killed_as_they_come(running, server, kills)
        running.wait_for_rows(*(kill.article for kill in kills))
        assert all(len(running.runs(kill.article)) == 2 for kill in kills)
    for kill in kills:
        _check_that_no_kept_answer_was_asked_again(server, kept[kill.article], kill.article)
        times = _asked(server)[f"{kill.article}/{kill.library}/{kill.prompt}"]
        assert times > 1 or f"{kill.library}/{kill.prompt}" in kept[kill.article]


def test_everything_killed_at_once_goes_on_when_it_is_started_again(
    desk: Path, small: Path, serve: Serve, tmp_path: Path
) -> None:
    slow = {"match": "*/note/text#1", "times": 2, "delay_ms": 20_000}
    server = serve(slow, STRONG)
    orch = Orch(desk, server.settings, small)
    for slug in ("first", "second"):
        write_brief(desk / "inbox", slug)
    assert orch.run("add", "inbox").status == 0
    with served(orch, tmp_path / "said.txt") as running:
        running.wait("both at work", lambda: _in_flight(server, "note/text") == 2)
        running.kill_all()
    with served(orch, tmp_path / "said.txt") as running:
        running.wait_for_rows("first", "second")
    asked = _asked(server)
    for slug in ("first", "second"):
        assert asked[f"{slug}/note/outline"] == 1
        assert asked[f"{slug}/note/text"] == 2


def _ten_points() -> Iterator[Kill]:
    """Ten points at random, so that each library is killed at least once."""
    draw = random.Random(4)
    libraries = list(content_pipeline().libraries)
    libraries += draw.sample(libraries, KILLS - len(libraries))
    draw.shuffle(libraries)
    for number, library in enumerate(libraries):
        prompt = draw.choice(library.prompts)
        yield Kill(f"article-{number}", library.name, prompt.name)


def _killed_as_they_come(running: Served, server: Server, kills: list[Kill]) -> dict[str, set[str]]:
    """Kills each article's process at its point; by article the prompts whose answers were kept."""
    waiting, kept = list(kills), dict[str, set[str]]()

    def kill_those_that_are_there() -> bool:
        asked = _asked(server)
        for kill in list(waiting):
            if asked[f"{kill.article}/{kill.library}/{kill.prompt}"]:
                pid = running.worker(kill.article)
                assert pid is not None
                psutil.Process(pid).kill()
                psutil.wait_procs([psutil.Process(pid)] if psutil.pid_exists(pid) else [], LONG)
                kept[kill.article] = _kept(running.orch, kill.article)
                waiting.remove(kill)
        return not waiting

    wait_for("every kill", kill_those_that_are_there, seconds=LONG)
    return kept


def _kept(orch: Orch, article: str) -> set[str]:
    """The prompts with a usable answer on the disk."""
    found: set[str] = set()
    for folder in ("draft", "pass"):
        for path in orch.store.glob(f"*/{folder}/{article}.json"):
            transcript = Transcript.model_validate_json(path.read_bytes())
            found |= {
                f"{transcript.library}/{answer.prompt}"
                for answer in transcript.answers
                if answer.fault is None
            }
    return found


def _check_that_no_kept_answer_was_asked_again(
    server: Server, kept: set[str], article: str
) -> None:
    """What was answered and not kept was on the wire: in each library one answer at most."""
    asked, answered = _asked(server), _times(server, "answered")
    repaired = {r["where"] for r in server.records("asked") if r["trace"].endswith("#2")}
    again = {
        where.removeprefix(f"{article}/")
        for where, times in asked.items()
        if times > 1 and where not in repaired and where.startswith(f"{article}/")
    }
    assert not again & kept
    lost = Counter(where.split("/")[0] for where in again if answered[f"{article}/{where}"] > 1)
    assert all(times == 1 for times in lost.values())


def _check_that_nothing_was_asked_twice(server: Server) -> None:
    asked = Counter(record["trace"] for record in server.records("asked"))
    assert {trace: times for trace, times in asked.items() if times > 1} == {}


def _asked(server: Server) -> Counter[str]:
    return _times(server, "asked")


def _times(server: Server, event: str) -> Counter[str]:
    """How often this happened to each prompt, by `article/library/prompt`."""
    return Counter(record["where"] for record in server.records(event))


def _in_flight(server: Server, prompt: str) -> int:
    waiting = _asked(server) - _times(server, "answered")
    return sum(times for where, times in waiting.items() if where.endswith(prompt))


def _row(orch: Orch, article: str) -> Row:
    return Row.model_validate_json((orch.store / "row" / f"{article}.json").read_bytes())


def _weak_at_first(article: str) -> dict[str, Any]:
    return {**weak("note"), "match": f"*/{article}/note/quality_pass#1"}
