"""The whole of it: `orch serve`, and briefs that are dropped into the folder that it watches."""

from pathlib import Path

import pytest

from tests.dagster_glue.briefs import write_brief
from tests.dagster_glue.studio import STRONG
from tests.end_to_end.orch import Orch, small_project
from tests.heartbeat.conftest import Serve
from tests.heartbeat.conftest import serve as serve
from tests.heartbeat.served import Served, served

pytestmark = pytest.mark.slow

SENTENCE = "bad.yaml: field 'title' is empty"


def test_a_dropped_brief_becomes_a_row_and_a_bad_one_is_told_once(
    tmp_path: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, said = tmp_path / "desk", tmp_path / "said.txt"
    (desk / "inbox").mkdir(parents=True)
    monkeypatch.setenv("DAGSTER_HOME", str(desk / ".orch"))
    small = small_project(tmp_path / "project")
    orch = Orch(desk, {**serve(STRONG).settings, "ORCH_INBOX": "inbox"}, small)
    with served(orch, said) as running:
        write_brief(desk / "inbox", "bad", title="")
        write_brief(desk / "inbox", "good")
        running.wait_for_rows("good")
        running.wait("the sentence", lambda: SENTENCE in said.read_text("utf-8"))
        write_brief(desk / "inbox", "second")
        running.wait_for_rows("second")
        ticks = _skip_reasons(running)
        assert sum(SENTENCE in reason for reason in ticks) == 1
        status = orch.run("status", "--json")
        assert {report["article"]: report["state"] for report in status.json} == {
            "good": "assembled",
            "second": "assembled",
        }
        assert status.err == f"inbox: {SENTENCE}\n"
        [run] = running.runs("good")
        assert run.tags["dagster/sensor_name"] == "content_orchestrator"
    assert {path.name for path in (desk / "inbox").iterdir()} == {
        "bad.yaml",
        "good.yaml",
        "second.yaml",
    }


def _skip_reasons(running: Served) -> list[str]:
    """What every tick of the inbox's sensor said, as the UI shows it."""
    states = running.instance.all_instigator_state()
    [state] = [one for one in states if one.instigator_name == "content_inbox"]
    ticks = running.instance.get_ticks(state.instigator_origin_id, state.selector_id)
    assert all(tick.error is None for tick in ticks)
    return [tick.skip_reason or "" for tick in ticks]
