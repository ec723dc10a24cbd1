"""The UI for real: webserver, daemon and code server, asked over GraphQL."""

import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.dagster_glue.briefs import write_brief
from tests.dagster_glue.studio import STRONG, weak
from tests.end_to_end.conftest import Serve
from tests.end_to_end.graphql import LOCATION, Ui, wait_for
from tests.end_to_end.orch import Orch

SLOW = {"match": "*/slow/*", "delay_ms": 120_000}
WEAK_AT_FIRST = {**weak("note"), "match": "*/weak/note/quality_pass#1"}


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@contextmanager
def served(orch: Orch, said: Path) -> Iterator[tuple[Ui, subprocess.Popen[str]]]:
    """`orch serve`, once it answers; interrupted at the end, as by Ctrl-C."""
    port = free_port()
    ui = Ui(port)
    with orch.start("serve", "--port", str(port), log=said) as process:
        try:
            wait_for("the UI", lambda: process.poll() is not None or ui.answers(), seconds=120)
            assert process.poll() is None, said.read_text("utf-8")
            yield ui, process
        finally:
            family = [process, *psutil.Process(process.pid).children(recursive=True)]
            process.send_signal(signal.SIGINT)
            process.wait(60)
            wait_for("the end of all", lambda: not _alive(family), seconds=30)
    socket.create_server(("127.0.0.1", port)).close()


def _alive(family: list) -> list:
    return [one for one in family if isinstance(one, psutil.Process) and one.is_running()]


@pytest.mark.slow
def test_the_ui_shows_the_lineage_and_runs_articles(
    orch: Orch, serve: Serve, tmp_path: Path
) -> None:
    orch = Orch(orch.folder, serve(SLOW, WEAK_AT_FIRST, STRONG).settings, orch.project)
    _put_folders_in_the_way(orch)
    inbox = orch.folder / "inbox"
    assert orch.run("run", str(write_brief(inbox, "first"))).status == 0
    said = tmp_path / "said.txt"
    with served(orch, said) as (ui, _):
        _check_the_lineage(ui)
        _check_the_run_of_the_command_line(ui)
        ui.stop_sensors()
        for slug in ("second", "third", "slow", "weak"):
            write_brief(inbox, slug)
        assert orch.run("add", "inbox").status == 0
        _check_a_launched_run(ui, orch)
        _check_a_terminated_run(ui)
        _check_a_backfill(ui, orch)
    assert "stopping" in said.read_text("utf-8")


def _put_folders_in_the_way(orch: Orch) -> None:
    for name in ("assets", "resources", "orch_dagster"):
        (orch.folder / name).mkdir()
        (orch.folder / name / "__init__.py").write_text("raise SystemExit('not ours')\n", "utf-8")


def _check_the_lineage(ui: Ui) -> None:
    nodes = {tuple(node["assetKey"]["path"]): node for node in ui.assets()}
    assert {("brief",), ("note", "draft"), ("card", "episode"), ("row",)} <= set(nodes)
    below = {tuple(key["path"]) for key in nodes[("row",)]["dependencyKeys"]}
    assert below == {("note", "episode"), ("card", "episode")}


def _check_the_run_of_the_command_line(ui: Ui) -> None:
    [run] = ui.runs()
    assert (run["status"], run["jobName"]) == ("SUCCESS", "content")
    assert {"key": "dagster/partition", "value": "first"} in run["tags"]
    assert run["repositoryOrigin"]["repositoryLocationName"] == LOCATION
    assert {"path": ["row"]} in run["assetSelection"]


def _check_a_launched_run(ui: Ui, orch: Orch) -> None:
    run_id = ui.launch("content", "second")
    wait_for("the run", lambda: ui.status(run_id) in ("SUCCESS", "FAILURE"), seconds=90)
    assert ui.status(run_id) == "SUCCESS"
    assert (orch.store / "row" / "second.json").exists()


def _check_a_terminated_run(ui: Ui) -> None:
    run_id = ui.launch("content", "slow")
    wait_for("its start", lambda: ui.status(run_id) == "STARTED", seconds=90)
    ui.terminate(run_id)
    wait_for("its end", lambda: ui.status(run_id) not in ("STARTED", "CANCELING"), seconds=20)
    assert ui.status(run_id) == "CANCELED"


def _check_a_backfill(ui: Ui, orch: Orch) -> None:
    made = [["note", "draft"], ["note", "deliverable"], ["note", "episode"]]
    made += [["card", "draft"], ["card", "deliverable"], ["card", "episode"], ["row"]]
    backfill = ui.backfill(made, ["third", "weak"])
    ended = ("COMPLETED_SUCCESS", "COMPLETED_FAILED", "FAILED", "COMPLETED")
    wait_for("the backfill", lambda: ui.backfill_status(backfill) in ended, seconds=180)
    assert (orch.store / "row" / "third.json").exists()
    done = orch.run("run", "inbox/weak.yaml", "--json")
    assert done.status == 0
    assert (orch.store / "row" / "weak.json").exists()


@pytest.mark.slow
def test_a_taken_port_is_said_in_words(orch: Orch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        done = orch.run("serve", "--port", str(listener.getsockname()[1]))
    assert done.status == 2
    assert "error: " in done.err
