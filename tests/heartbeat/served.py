"""`orch serve` in a session of its own, so that all of it can be killed at once."""

import os
import re
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import dagster as dg
import psutil

from tests.end_to_end.graphql import Ui, wait_for
from tests.end_to_end.orch import Orch

LONG = 420
"""Seconds after which a test that waits has failed; a busy machine takes long to start processes."""

_PID = re.compile(r"Started process for run \(pid: (\d+)\)")


@dataclass(frozen=True)
class Served:
    """A running `orch serve`: its UI, and the instance that it works on."""

    orch: Orch
    ui: Ui
    instance: dg.DagsterInstance
    process: subprocess.Popen[bytes]
    said: Path

    def wait(self, what: str, happened: Callable[[], bool]) -> None:
        """Wait until something has happened; if it does not, show what was said."""
        try:
            wait_for(what, happened, seconds=LONG)
        except TimeoutError:
            print(self.said.read_text("utf-8")[-20_000:])  # noqa: T201
            raise

    def has_row(self, *articles: str) -> bool:
        """Whether each of these articles has its row."""
        return all((self.orch.store / "row" / f"{name}.json").exists() for name in articles)

    def wait_for_rows(self, *articles: str) -> None:
        """Wait until each has its row, and nothing goes on any more."""
        self.wait(f"the rows of {articles}", lambda: self.has_row(*articles) and self.is_quiet())

    def is_quiet(self) -> bool:
        """Whether no run goes on or waits."""
        ended = (
            dg.DagsterRunStatus.SUCCESS,
            dg.DagsterRunStatus.FAILURE,
            dg.DagsterRunStatus.CANCELED,
        )
        return all(run.status in ended for run in self.instance.get_runs())

    def runs(self, article: str) -> list[dg.DagsterRun]:
        """An article's runs, newest first."""
        return list(self.instance.get_runs(dg.RunsFilter(tags={"dagster/partition": article})))

    def worker(self, article: str) -> int | None:
        """The process in which the article's newest run works, if it has come so far."""
        for run in self.runs(article):
            for entry in self.instance.all_logs(run.run_id, dg.DagsterEventType.ENGINE_EVENT):
                if entry.dagster_event and (found := _PID.search(str(entry.dagster_event.message))):
                    return int(found.group(1))
        return None

    def kill_all(self) -> None:
        """SIGKILL for every process that was started, as when the machine is switched off."""
        family = [psutil.Process(self.process.pid)]
        family += family[0].children(recursive=True)
        for process in family:
            process.kill()
        psutil.wait_procs(family, timeout=LONG)
        self.process.wait()


@contextmanager
def served(orch: Orch, said: Path) -> Iterator[Served]:
    """`orch serve`, once it answers; ended with the block, if it was not killed before."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with said.open("ab") as log:
        process = subprocess.Popen(
            [orch.command, "serve", "--port", str(port)],
            cwd=orch.folder,
            env=orch.environment,
            stdout=log,
            stderr=log,
        )
    ui = Ui(port)
    try:
        wait_for("the UI", lambda: process.poll() is not None or ui.answers(), seconds=LONG)
        assert process.poll() is None, said.read_text("utf-8")
        with dg.DagsterInstance.from_config(str(orch.folder / ".orch")) as instance:
            yield Served(orch, ui, instance, process, said)
    finally:
        if process.poll() is None:
            os.kill(process.pid, signal.SIGINT)
            process.wait(LONG)
