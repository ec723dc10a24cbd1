"""A run that is told to end has ended within two seconds, and nothing of it goes on."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from tests.executor import jobs
from tests.executor.conftest import Run
from tests.executor.reading import slots_in_use, stored_types, wait_until

ROOT = Path(__file__).parents[2]
LAUNCH = """mutation($params: ExecutionParams!) { launchRun(executionParams: $params) {
    __typename ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""
TERMINATE = """mutation($id: String!) { terminateRun(runId: $id) { __typename } }"""
LOCATIONS = """{ repositoriesOrError { ... on RepositoryConnection { nodes {
    name location { name } } } } }"""


class UserInterface:
    """Dagster's own web server, asked as the browser asks it."""

    def __init__(self, port: int):
        self.url = f"http://127.0.0.1:{port}/graphql"

    def ask(self, query: str, **variables) -> dict:
        body = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(self.url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["data"]

    def is_up(self) -> bool:
        try:
            return bool(self.ask(LOCATIONS)["repositoriesOrError"]["nodes"])
        except OSError:
            return False

    def launch(self, job: str, config: dict) -> str:
        (repository,) = self.ask(LOCATIONS)["repositoriesOrError"]["nodes"]
        selector = {
            "repositoryName": repository["name"],
            "repositoryLocationName": repository["location"]["name"],
            "jobName": job,
        }
        params = {"selector": selector, "runConfigData": config, "mode": "default"}
        return self.ask(LAUNCH, params=params)["launchRun"]["run"]["runId"]

    def terminate(self, run_id: str) -> str:
        return self.ask(TERMINATE, id=run_id)["terminateRun"]["__typename"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    # Without a daemon there is no queue: runs are launched by the web server itself.
    (home / "dagster.yaml").write_text(
        "telemetry: {enabled: false}\n"
        "run_coordinator:\n"
        "  {module: dagster._core.run_coordinator, class: DefaultRunCoordinator}\n",
        encoding="utf-8",
    )
    return home


@pytest.fixture(scope="module")
def user_interface(home: Path) -> Iterator[UserInterface]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "dagster_webserver", "-h", "127.0.0.1", "-p", str(port)]
    command += ["-m", "tests.executor.jobs", "-d", str(ROOT)]
    environment = os.environ | {"DAGSTER_HOME": str(home), "PYTHONPATH": str(ROOT)}
    with (home / "webserver.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=home, env=environment, stdout=log, stderr=log)
    try:
        user_interface = UserInterface(port)
        wait_until(user_interface.is_up, seconds=90)
        yield user_interface
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(timeout=30)


@pytest.fixture
def served_instance(home: Path) -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.from_config(str(home)) as instance:
        instance.event_log_storage.set_concurrency_slots("one", 1)
        yield instance


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def status(instance: dg.DagsterInstance, run_id: str) -> dg.DagsterRunStatus:
    stored = instance.get_run_by_id(run_id)
    assert stored
    return stored.status


def all_exist(*marks: Path) -> bool:
    return all(mark.exists() for mark in marks)


def test_a_run_terminated_in_the_ui_is_canceled_within_two_seconds_and_its_process_ends(
    user_interface: UserInterface,
    served_instance: dg.DagsterInstance,
    notes: Path,
    waiting_config: dict,
):
    run_id = user_interface.launch("waiting", waiting_config)
    started = [notes / f"{kind}-started" for kind in ("async", "sync", "output")]
    wait_until(lambda: all_exist(*started), seconds=60)
    pid = int((notes / "async-started").read_text(encoding="utf-8"))

    asked = time.monotonic()
    assert user_interface.terminate(run_id) == "TerminateRunSuccess"
    canceled = dg.DagsterRunStatus.CANCELED
    wait_until(lambda: status(served_instance, run_id) == canceled, seconds=10)
    assert time.monotonic() - asked < 2
    wait_until(lambda: not is_alive(pid), seconds=5)

    assert (notes / "async-cancelled").exists()
    assert not (notes / "sync-woke").exists()
    assert not (notes / "output-stored").exists()
    assert stored_types(served_instance, run_id, "add_one") == []
    assert slots_in_use(served_instance, "one") == (0, 0)


def test_a_terminated_run_of_asynchronous_steps_tells_how_each_ended(
    user_interface: UserInterface,
    served_instance: dg.DagsterInstance,
    notes: Path,
    notes_config: dict,
):
    run_id = user_interface.launch("waiting_async", notes_config)
    wait_until((notes / "async-started").exists, seconds=60)
    asked = time.monotonic()
    user_interface.terminate(run_id)
    canceled = dg.DagsterRunStatus.CANCELED
    wait_until(lambda: status(served_instance, run_id) == canceled, seconds=10)
    assert time.monotonic() - asked < 2
    assert stored_types(served_instance, run_id, "waits_async")[-1] == "STEP_FAILURE"


def test_after_an_interrupted_run_a_blocked_step_stores_neither_events_nor_outputs(
    instance: dg.DagsterInstance, run: Run, notes: Path, waiting_config: dict
):
    instance.event_log_storage.set_concurrency_slots("one", 1)
    started = [notes / f"{kind}-started" for kind in ("async", "sync", "output")]

    def interrupt() -> None:
        wait_until(lambda: all_exist(*started), seconds=60)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    result = run(jobs.waiting, config=waiting_config)
    before = len(instance.all_logs(result.run_id))
    assert not result.success
    assert not (notes / "sync-woke").exists()
    assert slots_in_use(instance, "one") == (0, 0)

    steps = [thread for thread in threading.enumerate() if thread.name.startswith("step ")]
    assert sorted(thread.name for thread in steps) == [
        "step blocks_sync",
        "step blocks_with_output",
    ]
    for thread in steps:
        thread.join(timeout=30)
    assert (notes / "sync-woke").exists()
    assert not (notes / "output-stored").exists()
    assert len(instance.all_logs(result.run_id)) == before


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_in_a_script_ends_within_two_seconds_after_a_signal_and_lets_the_script_end(
    instance: dg.DagsterInstance, notes: Path, waiting_config: dict, signal_number: signal.Signals
):
    script = (
        "import json, sys, dagster as dg\n"
        "from tests.executor import jobs\n"
        "with dg.DagsterInstance.from_ref(dg.deserialize_value(sys.argv[1])) as instance:\n"
        "    config = json.loads(sys.argv[2])\n"
        "    dg.execute_job(dg.reconstructable(jobs.waiting), instance, run_config=config)\n"
    )
    arguments = [dg.serialize_value(instance.get_ref()), json.dumps(waiting_config)]
    process = subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    started = [notes / f"{kind}-started" for kind in ("async", "sync", "output")]
    wait_until(lambda: all_exist(*started), seconds=60)
    asked = time.monotonic()
    process.send_signal(signal_number)
    (run,) = instance.get_runs()
    failed = dg.DagsterRunStatus.FAILURE
    wait_until(lambda: status(instance, run.run_id) == failed, seconds=10)
    assert time.monotonic() - asked < 2
    process.wait(timeout=30)
    assert (notes / "async-cancelled").exists()
    assert not (notes / "sync-woke").exists()
