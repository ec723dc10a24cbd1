"""Pools: a run of ours in a pool of one comes to its end, and a cancelled run gives its slot back."""

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import yaml
from dagster._daemon.monitoring.concurrency import execute_concurrency_slots_iteration

from orch_dagster.step_assets import POOL
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.studio import STRONG
from tests.heartbeat.conftest import OpenLab
from tests.heartbeat.runs import create


@pytest.fixture
def instance(home: Path) -> Iterator[dg.DagsterInstance]:
    """Our settings, but that ops hold slots, and a cancelled run's are free after one second."""
    settings = yaml.safe_load((home / "dagster.yaml").read_text("utf-8"))
    assert settings["run_monitoring"]["free_slots_after_run_end_seconds"] == 300
    settings["run_monitoring"]["free_slots_after_run_end_seconds"] = 1
    assert settings["concurrency"]["pools"]["granularity"] == "run"
    settings["concurrency"]["pools"]["granularity"] = "op"
    (home / "dagster.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    with dg.DagsterInstance.from_config(str(home)) as instance:
        instance.event_log_storage.set_concurrency_slots(POOL, 1)
        yield instance


@dataclass(frozen=True)
class DaemonProcess:
    """What Dagster's monitoring asks of the process that it runs in."""

    instance: dg.DagsterInstance


def in_use(instance: dg.DagsterInstance) -> int:
    """Slots of the pool that are taken."""
    return instance.event_log_storage.get_concurrency_info(POOL).active_slot_count


def test_a_run_with_all_its_ops_in_a_pool_of_one_ends_with_the_row(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    [run] = opened.daemon.live()
    assert run.status is dg.DagsterRunStatus.SUCCESS
    assert opened.studio.file("content/row/cellar.json").exists()
    assert in_use(opened.studio.instance) == 0


def test_the_slot_of_a_run_that_was_cancelled_is_free_for_the_next(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    instance = opened.studio.instance
    run = create(opened.studio, {"dagster/partition": "cellar"}, dg.DagsterRunStatus.STARTED)
    instance.event_log_storage.claim_concurrency_slot(POOL, run.run_id, "note_draft")
    instance.report_run_canceled(run)  # its process was killed: it frees nothing itself
    assert in_use(instance) == 1
    process: Any = DaemonProcess(instance)
    while in_use(instance):
        time.sleep(0.2)
        list(execute_concurrency_slots_iteration(process, logging.getLogger("monitoring")))
    [again] = opened.daemon.live()
    assert again.status is dg.DagsterRunStatus.SUCCESS
