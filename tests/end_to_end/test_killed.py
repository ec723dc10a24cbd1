"""`kill -9` in the middle: what was answered is not asked again."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from orch_dagster.brief_file import read_brief
from resources.simulator.log import read_log
from tests.end_to_end.orch import ROOT, Orch

KILLS = 12
ON_THE_WIRE_S = 2.0
"""How close to a kill an answer may leave the server and not get to the disk: until a busy machine
gives the client its turn, or the server its news. A chain has one answer on the wire, never two."""

BRIEF = ROOT / "assets" / "briefs" / "oysters-out-of-season.md"
ARTICLE = ROOT / "assets" / "articles" / "reading-the-tide-gauge.md"


@contextmanager
def simulator_process(folder: Path, log: Path, *words: str) -> Iterator[str]:
    """A simulator in a process of its own; its base URL."""
    options = ("--port", "0", "--log", str(log), *words)
    with Orch(folder).start("simulate", *options) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process.stdout.readline().strip().removeprefix("OPENAI_BASE_URL=")
        finally:
            process.kill()


def _records(log: Path) -> list[dict[str, Any]]:
    """What the log holds of the article's prompts; a probe of the model is none."""
    return [record for record in read_log(log) if not record["trace"].startswith("check/")]


def _kill_after(orch: Orch, log: Path, answers: int, pause: float, *words: str) -> float:
    """Start a run, kill it once so many more answers have gone out; when that was."""
    before = _answers(log)
    with orch.start("run", *words, log=orch.folder / "said.txt") as process:
        while _answers(log) < before + answers and process.poll() is None:
            time.sleep(0.05)
        time.sleep(pause)
        process.kill()
        killed = time.time()
        process.wait()
    return killed


def _answers(log: Path) -> int:
    return log.read_bytes().count(b'{"event": "answered"')


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_was(empty: Path, tmp_path: Path) -> None:
    draw, log = random.Random(20), tmp_path / "log.jsonl"
    with simulator_process(empty, log, "--latency-ms", "150", "--jitter", "0.5") as url:
        orch = Orch(empty, {"OPENAI_BASE_URL": url, "ORCH_MODEL": "simulator"})
        kills = [
            _kill_after(orch, log, draw.randint(2, 10), draw.uniform(0, 0.4), str(BRIEF))
            for _ in range(KILLS)
        ]
        done = orch.run("run", str(BRIEF), "--json")
    assert done.status == 0, done.err
    [report] = done.json
    assert report["status"] in ("assembled", "needs_review")
    assert _asked_again(log, kills) == []
    slug = read_brief(BRIEF).slug
    assert (orch.store / "row" / f"{slug}.json").exists()
    leftovers = [path for path in orch.store.rglob("*.tmp") if path.is_file()]
    assert len(leftovers) <= KILLS


@pytest.mark.slow
def test_a_killed_translation_goes_on_where_it_was(empty: Path, tmp_path: Path) -> None:
    draw, log = random.Random(7), tmp_path / "log.jsonl"
    script = tmp_path / "script.yaml"
    script.write_text('[{"match": "*/review/*", "times": 2, "set": {"score": 5}}]', "utf-8")
    words = ("--latency-ms", "150", "--jitter", "0.5", "--script", str(script))
    with simulator_process(empty, log, *words) as url:
        orch = Orch(empty, {"OPENAI_BASE_URL": url, "ORCH_MODEL": "simulator"})
        run = ("--pipeline", "translation", str(ARTICLE))
        kills = [_kill_after(orch, log, 1, draw.uniform(0, 0.6), *run) for _ in range(8)]
        done = orch.run("run", *run, "--json")
    assert done.status == 0, done.err
    [report] = done.json
    assert report["state"] == "published"
    assert _asked_again(log, kills) == []
    published = list((empty / ".orch" / "published").iterdir())
    assert len([path for path in published if path.suffix == ".md"]) == 1


def _asked_again(log: Path, kills: list[float]) -> list[str]:
    """The prompts that were asked again although their answer had been kept.

    It was kept when its chain went on to another prompt, or when the client was not killed soon
    after: a chain writes an answer down before it asks the next.
    """
    again: list[str] = []
    kept: set[str] = set()
    newest: dict[str, str] = {}
    for record in _records(log):
        trace = record["trace"]
        chain = trace.rsplit("/", 1)[0]
        if record["event"] == "asked":
            kept |= {newest[chain]} - {trace} if chain in newest else set()
            again += [trace] if trace in kept else []
        elif record["event"] == "answered":
            newest[chain] = trace
            if not any(abs(killed - record["time"]) <= ON_THE_WIRE_S for killed in kills):
                kept.add(trace)
    return again


@pytest.mark.slow
def test_two_runs_at_once_on_one_article_ask_nothing_twice(empty: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with simulator_process(empty, log, "--latency-ms", "100") as url:
        orch = Orch(empty, {"OPENAI_BASE_URL": url, "ORCH_MODEL": "simulator"})
        said = [empty / "one.txt", empty / "two.txt"]
        both = [orch.start("run", str(BRIEF), log=path) for path in said]
        statuses = [process.wait() for process in both]
        assert statuses == [0, 0], [path.read_text("utf-8") for path in said]
        rows = orch.run("rows", "--format", "json").json
    assert [row["article"] for row in rows] == [read_brief(BRIEF).slug]
    asked = Counter(record["trace"] for record in _records(log) if record["event"] == "asked")
    assert {trace: count for trace, count in asked.items() if count > 1} == {}
