"""The inboxes of the whole project: their settings, their sensors, and what `orch` says of them."""

import os
from pathlib import Path

import dagster as dg
import pytest

from orch_dagster.definitions import inbox_sensors
from orch_dagster.settings import SettingError, Settings
from tests.dagster_glue.briefs import write_brief
from tests.end_to_end.orch import ROOT, Orch


def names(environment: dict[str, str]) -> set[str]:
    return {sensor.name for sensor in inbox_sensors(Settings.from_environment(environment))}


def test_each_inbox_that_is_set_has_a_sensor_that_runs(tmp_path: Path) -> None:
    one, other = str(tmp_path / "briefs"), "memory://articles"
    assert names({}) == set()
    assert names({"ORCH_INBOX": one}) == {"content_inbox"}
    both = {"ORCH_INBOX": one, "ORCH_TRANSLATION_INBOX": other}
    assert names(both) == {"content_inbox", "translation_inbox"}
    for sensor in inbox_sensors(Settings.from_environment(both)):
        assert sensor.default_status is dg.DefaultSensorStatus.RUNNING


def test_a_folder_is_the_same_one_from_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for text in ("in box", "./in box/", str(tmp_path / "in box"), f"file://{tmp_path}/in box"):
        settings = Settings.from_environment({"ORCH_INBOX": text})
        assert settings.inbox == str(tmp_path / "in box")
    assert Settings.from_environment({"ORCH_INBOX": "s3://b/in/"}).inbox == "s3://b/in"
    assert Settings.from_environment({"ORCH_INBOX": " "}).inbox is None


def test_one_folder_for_both_pipelines_is_refused() -> None:
    both = {"ORCH_INBOX": "inbox", "ORCH_TRANSLATION_INBOX": "./inbox"}
    with pytest.raises(SettingError, match="ORCH_INBOX and ORCH_TRANSLATION_INBOX: both are"):
        Settings.from_environment(both)


def test_minutes_between_two_questions_to_a_feed_are_a_number() -> None:
    assert Settings.from_environment({"ORCH_FEED_MINUTES": "60"}).feed_minutes == 60
    with pytest.raises(SettingError, match="ORCH_FEED_MINUTES: '0' is not a whole number from 1"):
        Settings.from_environment({"ORCH_FEED_MINUTES": "0"})


_TICK = """
import dagster as dg
from orch_dagster import definitions
from orch_dagster.definitions import resources

sensor = definitions.defs().resolve_sensor_def("content_inbox")
with dg.DagsterInstance.get() as instance:
    context = dg.build_sensor_context(instance=instance, resources={"store": resources()["store"]})
    print(sensor(context).skip_reason.skip_message)
"""


@pytest.mark.slow
def test_orch_shows_what_stands_against_files_in_the_inbox(tmp_path: Path) -> None:
    home = tmp_path / "home"
    orch = Orch(tmp_path, {"ORCH_INBOX": "inbox", "DAGSTER_HOME": str(home)}, ROOT)
    assert "is not there; make it" in orch.run("check").out
    path = write_brief(tmp_path / "inbox", "bad", title="")
    write_brief(tmp_path / "inbox", "good")
    for file in (path, path.with_name("good.yaml")):
        os.utime(file, (0.0, 0.0))
    ticked = orch.python(_TICK)
    assert ticked.status == 0, ticked.err
    status = orch.run("status", "--json")
    assert [report["article"] for report in status.json] == ["good"]
    assert status.err == "inbox: bad.yaml: field 'title' is empty\n"
    assert "holds 2 files" in orch.run("check").out
    assert path.exists()
    assert orch.run("status", "--pipeline", "translation").err.startswith("No article")


@pytest.mark.slow
def test_a_list_of_addresses_can_be_added_by_hand(tmp_path: Path) -> None:
    (tmp_path / "list.urls").write_text("https://a.example/one\nnonsense\n", encoding="utf-8")
    added = Orch(tmp_path, {}, ROOT).run("add", "--pipeline", "translation", "list.urls")
    assert added.status == 2
    assert added.out.startswith("registered one-")
    assert added.err == (
        "error: list.urls: line 2: nonsense: only http and https addresses are fetched\n"
    )
