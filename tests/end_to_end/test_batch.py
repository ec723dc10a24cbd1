"""`orch run --batch`: killed or interrupted in the middle, nothing is sent twice."""

import json
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from resources.simulator.log import read_log
from tests.dagster_glue.briefs import write_brief
from tests.dagster_glue.studio import STRONG
from tests.end_to_end.conftest import Serve
from tests.end_to_end.orch import Orch
from tests.end_to_end.test_killed import simulator_process

SLUGS = ("one", "two", "three")


def _desk(folder: Path, url: str, project: Path) -> Orch:
    for slug in SLUGS:
        write_brief(folder / "inbox", slug)
    return Orch(folder, {"OPENAI_BASE_URL": url, "ORCH_MODEL": "simulator"}, project)


def _records(log: Path) -> list[dict[str, Any]]:
    return [record for record in read_log(log) if not record["trace"].startswith("check/")]


def _asked(log: Path) -> Counter[str]:
    return Counter(record["trace"] for record in _records(log) if record["event"] == "asked")


def _end_by(orch: Orch, end: signal.Signals, is_time: Callable[[], bool]) -> int:
    """Start a run in batches, and end it by a signal when it is time; its exit status."""
    with orch.start("run", "--batch", "inbox", log=orch.folder / "said.txt") as process:
        while not is_time():
            assert process.poll() is None, (orch.folder / "said.txt").read_text("utf-8")
            time.sleep(0.02)
        process.send_signal(end)
        return process.wait()


def _notes(orch: Orch) -> list[Mapping[str, Any]]:
    folder = orch.store.parent / "batch"
    return [json.loads(path.read_bytes()) for path in folder.glob("[!.]*.json")]


def _is_waiting(orch: Orch) -> bool:
    """Whether a batch is on the server, and not ended as far as the run knows."""
    return any(note["batch_id"] and not note["settled"] for note in _notes(orch))


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_sends_nothing_twice(
    empty: Path, small: Path, tmp_path: Path
) -> None:
    log, script = tmp_path / "log.jsonl", tmp_path / "script.json"
    script.write_text(json.dumps([STRONG]), encoding="utf-8")
    words = ("--latency-ms", "1500", "--script", str(script))
    with simulator_process(empty, log, *words) as url:
        orch = _desk(empty, url, small)
        for _ in range(3):
            settled = len([note for note in _notes(orch) if note["settled"]])

            def is_time(before: int = settled) -> bool:
                after = len([note for note in _notes(orch) if note["settled"]])
                return _is_waiting(orch) and (after > before or before == 0)

            _end_by(orch, signal.SIGKILL, is_time)
        done = orch.run("run", "--batch", "inbox", "--json")
    assert done.status == 0, done.err
    assert {report["article"]: report["status"] for report in done.json} == dict.fromkeys(
        SLUGS, "assembled"
    )
    asked = _asked(log)
    assert {trace: count for trace, count in asked.items() if count > 1} == {}
    assert {record["batch"] is not None for record in _records(log)} == {True}
    assert all(note["settled"] for note in _notes(orch))
    for slug in SLUGS:
        assert (orch.store / "row" / f"{slug}.json").exists()


@pytest.mark.slow
def test_an_interrupted_run_ends_and_the_next_waits_for_its_batch(
    empty: Path, small: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    with simulator_process(empty, log, "--latency-ms", "6000") as url:
        orch = _desk(empty, url, small)
        started = time.monotonic()
        assert _end_by(orch, signal.SIGINT, lambda: _is_waiting(orch)) != 0
        [note] = _notes(orch)
        said = (orch.folder / "said.txt").read_text("utf-8")
        assert f"batch {note['batch_id']}: in_progress, 0 of {len(note['rows'])} rows done" in said
        assert "Traceback" not in said, said
        with orch.start("run", "--batch", "inbox", log=orch.folder / "again.txt") as process:
            again = orch.folder / "again.txt"
            while f"batch {note['batch_id']}: completed" not in again.read_text("utf-8"):
                assert time.monotonic() - started < 60
                time.sleep(0.05)
            process.kill()
    assert max(_asked(log).values()) == 1


@pytest.mark.slow
def test_what_fails_in_a_batch_is_repaired_at_once(orch: Orch, serve: Serve) -> None:
    server = serve(
        {"match": "*/one/note/outline#1", "status": 500, "times": 1},
        {"match": "*/one/card/idea#1", "batch": "expired", "times": 1},
        STRONG,
    )
    orch = Orch(orch.folder, server.settings, orch.project)
    write_brief(orch.folder, "one")
    done = orch.run("run", "--batch", "one.yaml", "--json")
    assert done.status == 0, done.err
    ways: dict[str, list[bool]] = {}
    for record in _records(server.log):
        if record["event"] == "asked":
            prompt = record["trace"].removeprefix("content/one/")
            ways.setdefault(prompt, []).append(record["batch"] is not None)
    assert ways.pop("note/outline#1") == [True, False]
    assert ways.pop("card/idea#1") == [True, False]
    assert all(asked == [True] for asked in ways.values()), ways


@pytest.mark.slow
def test_a_server_without_batches_is_told_before_anything_is_run(orch: Orch, serve: Serve) -> None:
    server = serve(STRONG)
    settings = {**server.settings, "OPENAI_BASE_URL": f"{server.base_url}/elsewhere"}
    orch = Orch(orch.folder, settings, orch.project)
    write_brief(orch.folder, "one")
    done = orch.run("run", "--batch", "one.yaml")
    assert done.status == 2
    assert done.err.startswith("error: OPENAI_BASE_URL: ")
    assert "has no OpenAI Batch API" in done.err
    assert server.asked() == Counter()
