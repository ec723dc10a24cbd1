"""The GraphQL endpoint of a running UI."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx2

LOCATION = "orch_dagster.definitions"

_ASSETS = "{ assetNodes { assetKey { path } dependencyKeys { path } groupName } }"
_RUNS = """{ runsOrError(limit: 20) { ... on Runs { results {
    runId status jobName tags { key value } assetSelection { path }
    repositoryOrigin { repositoryLocationName } } } } }"""
_LAUNCH = """mutation($params: ExecutionParams!) { launchRun(executionParams: $params) {
    __typename ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""
_BACKFILL = """mutation($params: LaunchBackfillParams!) { launchPartitionBackfill(
    backfillParams: $params) { __typename ... on LaunchBackfillSuccess { backfillId }
    ... on PythonError { message } } }"""
_BACKFILL_STATUS = """query($id: String!) { partitionBackfillOrError(backfillId: $id) {
    ... on PartitionBackfill { status } } }"""
_BACKFILL_COUNTS = """query($id: String!) { partitionBackfillOrError(backfillId: $id) {
    ... on PartitionBackfill { assetBackfillData { assetBackfillStatuses {
        ... on AssetPartitionsStatusCounts { assetKey { path } numPartitionsTargeted
            numPartitionsInProgress numPartitionsMaterialized numPartitionsFailed } } } } } }"""
_CANCEL_BACKFILL = """mutation($id: String!) { cancelPartitionBackfill(backfillId: $id) {
    __typename ... on PythonError { message } } }"""
_PARTITIONS = """query($key: AssetKeyInput!) { assetNodeOrError(assetKey: $key) {
    ... on AssetNode { assetPartitionStatuses { ... on DefaultPartitionStatuses {
        materializedPartitions failedPartitions unmaterializedPartitions
        materializingPartitions } } } } }"""
_TERMINATE = """mutation($id: String!) { terminateRun(runId: $id) { __typename
    ... on PythonError { message } ... on TerminateRunFailure { message } } }"""

_SENSORS = """{ sensorsOrError(repositorySelector: {repositoryName: "__repository__",
    repositoryLocationName: "orch_dagster.definitions"}) { ... on Sensors { results {
    id name sensorState { status } } } } }"""
_STOP = """mutation($id: String!) { stopSensor(id: $id) { __typename
    ... on PythonError { message } } }"""


@dataclass(frozen=True)
class Ui:
    """A Dagster UI on a port of this machine."""

    port: int

    def ask(self, query: str, **variables: Any) -> Any:
        """The data of one query."""
        reply = httpx2.post(
            f"http://127.0.0.1:{self.port}/graphql",
            json={"query": query, "variables": variables},
            timeout=60,
        )
        answer = reply.raise_for_status().json()
        assert "errors" not in answer, answer["errors"]
        return answer["data"]

    def answers(self) -> bool:
        """Whether it is up and has the project loaded."""
        try:
            return bool(self.ask(_ASSETS)["assetNodes"])
        except httpx2.HTTPError:
            return False

    def assets(self) -> list[dict[str, Any]]:
        """The asset graph."""
        return self.ask(_ASSETS)["assetNodes"]

    def runs(self) -> list[dict[str, Any]]:
        """The last runs, newest first."""
        return self.ask(_RUNS)["runsOrError"]["results"]

    def status(self, run_id: str) -> str:
        """A run's status."""
        return next(run["status"] for run in self.runs() if run["runId"] == run_id)

    def launch(self, job: str, partition: str) -> str:
        """Launch a job for one partition; the run's id."""
        launched = self.ask(
            _LAUNCH,
            params={
                "selector": {
                    "repositoryLocationName": LOCATION,
                    "repositoryName": "__repository__",
                    "jobName": job,
                },
                "runConfigData": {},
                "executionMetadata": {"tags": [{"key": "dagster/partition", "value": partition}]},
            },
        )["launchRun"]
        assert launched["__typename"] == "LaunchRunSuccess", launched
        return launched["run"]["runId"]

    def backfill(self, assets: list[list[str]], partitions: list[str]) -> str:
        """Launch a backfill of these assets; its id."""
        params = {
            "assetSelection": [{"path": path} for path in assets],
            "partitionNames": partitions,
        }
        launched = self.ask(_BACKFILL, params=params)["launchPartitionBackfill"]
        assert launched["__typename"] == "LaunchBackfillSuccess", launched
        return launched["backfillId"]

    def backfill_status(self, backfill_id: str) -> str:
        """A backfill's status."""
        return self.ask(_BACKFILL_STATUS, id=backfill_id)["partitionBackfillOrError"]["status"]

    def backfill_counts(self, backfill_id: str) -> dict[str, dict[str, int]]:
        """By asset, how many partitions a backfill counts as materialized and as failed, ..."""
        found = self.ask(_BACKFILL_COUNTS, id=backfill_id)["partitionBackfillOrError"]
        return {
            "/".join(one["assetKey"]["path"]): {
                name.removeprefix("numPartitions").lower(): count
                for name, count in one.items()
                if name != "assetKey"
            }
            for one in found["assetBackfillData"]["assetBackfillStatuses"]
        }

    def cancel_backfill(self, backfill_id: str) -> None:
        """Ask for the end of a backfill and its runs."""
        ended = self.ask(_CANCEL_BACKFILL, id=backfill_id)["cancelPartitionBackfill"]
        assert ended["__typename"] == "CancelBackfillSuccess", ended

    def partitions(self, asset: list[str]) -> dict[str, set[str]]:
        """The partitions of an asset that the UI shows as materialized, failed, ..."""
        found = self.ask(_PARTITIONS, key={"path": asset})["assetNodeOrError"]
        return {
            name.removesuffix("Partitions"): set(partitions)
            for name, partitions in found["assetPartitionStatuses"].items()
            if partitions
        }

    def stop_sensors(self) -> None:
        """Stop every sensor, so that runs are only those that are asked for."""
        for sensor in self.ask(_SENSORS)["sensorsOrError"]["results"]:
            stopped = self.ask(_STOP, id=sensor["id"])["stopSensor"]
            assert stopped["__typename"] == "StopSensorMutationResult", stopped

    def terminate(self, run_id: str) -> None:
        """Ask for the end of a run."""
        ended = self.ask(_TERMINATE, id=run_id)["terminateRun"]
        assert ended["__typename"] == "TerminateRunSuccess", ended


def wait_for(what: str, happened: Callable[[], bool], *, seconds: float) -> None:
    """Wait until something has happened.

    Raises:
        TimeoutError: it has not.
    """
    deadline = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {seconds:g} s")
        time.sleep(0.5)
