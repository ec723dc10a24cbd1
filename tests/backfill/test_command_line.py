"""Batches from Dagster's own command line, and from `orch run` on a folder."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import dagster as dg
import pytest

from tests.backfill.articles import (
    ASSETS,
    BAD,
    GOOD,
    TWENTY,
    WELL_TRANSLATED,
    asked,
    bad,
    badly_translated,
    write_articles,
    write_briefs,
)
from tests.dagster_glue.studio import STRONG
from tests.end_to_end.orch import Finished, Orch
from tests.heartbeat.conftest import Serve, Server
from tests.heartbeat.served import served

pytestmark = pytest.mark.slow

TIMEOUT = {"ORCH_CALL_TIMEOUT": "5"}
SELECTED = ",".join("/".join(asset) for asset in ASSETS)


def dagster(orch: Orch, *words: str) -> subprocess.CompletedProcess[str]:
    """Dagster's own command, on the home and the module that `orch serve` works with."""
    return subprocess.run(
        [sys.executable, "-m", "dagster", *words, "-m", "orch_dagster.definitions"],
        cwd=orch.folder / ".orch",
        env={**orch.environment, "DAGSTER_HOME": str(orch.folder / ".orch")},
        capture_output=True,
        text=True,
        check=False,
    )


def over_range(first: str, last: str) -> tuple[str, str]:
    """The tags of a run over a range of articles."""
    tags = {"dagster/asset_partition_range_start": first, "dagster/asset_partition_range_end": last}
    return "--tags", json.dumps(tags)


def asked_again(server: Server) -> dict[str, int]:
    """The prompts that were asked more than once."""
    return {where: count for where, count in asked(server.records("asked")).items() if count > 1}


def rows(orch: Orch) -> set[str]:
    """The articles that have their row."""
    return {path.stem for path in (orch.store / "row").glob("*.json")}


def test_one_article_and_a_range_of_them_run_without_a_daemon(
    desk: Path, small: Path, serve: Serve
) -> None:
    server = serve(bad("refused"), STRONG)
    orch = Orch(desk, {**server.settings, **TIMEOUT}, small)
    write_briefs(desk / "inbox", TWENTY)
    assert orch.run("add", "inbox").status == 0
    done = dagster(orch, "asset", "materialize", "--select", SELECTED, "--partition", TWENTY[0])
    assert done.returncode == 0, done.stderr
    assert rows(orch) == {TWENTY[0]}
    done = dagster(orch, "job", "execute", "-j", "content", *over_range(TWENTY[0], TWENTY[-1]))
    assert done.returncode == 0, done.stderr
    assert rows(orch) == set(GOOD)
    assert asked_again(server) == {}
    done = dagster(orch, "job", "execute", "-j", "content", *over_range(TWENTY[0], TWENTY[-1]))
    assert done.returncode == 0, done.stderr
    assert asked_again(server) == {f"{BAD}/note/text": 2}


def test_runs_of_one_article_and_a_run_over_all_of_them_at_once_pay_nothing_twice(
    desk: Path, small: Path, serve: Serve, tmp_path: Path
) -> None:
    server = serve(STRONG, *WELL_TRANSLATED, latency_ms=1_000)
    orch = Orch(desk, server.settings, small)
    few = TWENTY[:4]
    write_briefs(desk / "inbox", few)
    write_articles(desk / "articles", few)
    with served(orch, tmp_path / "said.txt") as running:  # with its sensors
        assert orch.run("add", "inbox").status == 0
        assert orch.run("add", "--pipeline", "translation", "articles").status == 0
        for job in ("content", "translation"):
            _check_launched(dagster(orch, "job", "launch", "-j", job, *over_range(few[0], few[-1])))
            _check_launched(
                dagster(orch, "job", "backfill", "-j", job, "--all", "yes", "--noprompt")
            )
        running.wait_for_rows(*few)
        published = desk / ".orch" / "published"
        running.wait("published", lambda: len(list(published.glob("*.md"))) == len(few))
        running.wait("the last", running.is_quiet)
        statuses = {run.status.value for run in running.instance.get_runs()}
        said = _engine_messages(running.instance, running.instance.get_runs())
    assert statuses == {"SUCCESS"}
    assert any(message.startswith("Waits for run") for message in said)
    assert asked_again(server) == {}


def _check_launched(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("way", ["refused", "failing", "hanging"])
def test_orch_run_on_a_folder_of_twenty_names_the_bad_one(
    desk: Path, small: Path, serve: Serve, way: str
) -> None:
    server = serve(bad(way), STRONG)
    orch = Orch(desk, {**server.settings, **TIMEOUT}, small)
    write_briefs(desk / "inbox", TWENTY)
    _check_the_states(orch.run("run", "inbox", "--json"), "assembled")
    assert rows(orch) == set(GOOD)
    before = asked(server.records("asked"))
    _check_the_states(orch.run("run", "inbox", "--json"), "assembled")
    assert set(asked(server.records("asked")) - before) == {f"{BAD}/note/text"}


def test_orch_run_translates_a_folder_of_twenty_with_one_bad(
    desk: Path, small: Path, serve: Serve
) -> None:
    server = serve(badly_translated("refused"), *WELL_TRANSLATED)
    orch = Orch(desk, {**server.settings, **TIMEOUT}, small)
    write_articles(desk / "articles", TWENTY)
    words = ("run", "--pipeline", "translation", "articles", "--json")
    _check_the_states(orch.run(*words), "published")
    before = asked(server.records("asked"))
    _check_the_states(orch.run(*words), "published")
    assert set(asked(server.records("asked")) - before) == {f"{BAD}/translate/piece_01"}
    assert len(list((desk / ".orch" / "published").glob("*.md"))) == len(GOOD)


def _check_the_states(done: Finished, ended: str) -> None:
    assert done.status == 1, done.err
    states = {report["article"]: report["state"] for report in done.json}
    assert {article for article, state in states.items() if state == ended} == set(GOOD)
    assert states[BAD] in ("refused", "stuck")


def _engine_messages(instance: dg.DagsterInstance, runs: Iterable[dg.DagsterRun]) -> list[str]:
    kind = dg.DagsterEventType.ENGINE_EVENT
    logs = (instance.all_logs(run.run_id, kind) for run in runs)
    return [str(e.dagster_event.message) for log in logs for e in log if e.dagster_event]
