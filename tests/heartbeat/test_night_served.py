"""The schedule in the daemon: an edited prompt is made anew by itself, within its budget."""

from collections import Counter
from pathlib import Path

import dagster as dg
import pytest

from tests.dagster_glue.briefs import write_brief
from tests.dagster_glue.packages import edit
from tests.dagster_glue.studio import STRONG
from tests.end_to_end.orch import Orch, small_project
from tests.heartbeat.conftest import Serve, Server
from tests.heartbeat.served import Served, served

pytestmark = pytest.mark.slow


def test_what_an_edited_prompt_outdates_is_made_anew_at_night(
    tmp_path: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = tmp_path / "desk"
    desk.mkdir()
    monkeypatch.setenv("DAGSTER_HOME", str(desk / ".orch"))
    server = serve(STRONG)
    project = small_project(tmp_path / "project")
    settings = {
        **server.settings,
        "ORCH_SCHEDULE": "* * * * *",
        "ORCH_SCHEDULE_BUDGET_TOKENS": "100000",
        "ORCH_ARTICLES_PER_RUN": "5",
    }
    orch = Orch(desk, settings, project)
    for slug in ("first", "second"):
        write_brief(desk / "inbox", slug, title=slug)
    assert orch.run("run", "inbox").status == 0
    before = _asked(server)
    prompt = project / "assets" / "content" / "note" / "prompts" / "02_text.md"
    edit(prompt, "about 60", "about, or nearly, 60")
    with served(orch, tmp_path / "said.txt") as running:
        running.wait("a run of the schedule", lambda: bool(_of_schedule(running)))
        running.wait_for_rows("first", "second")
        running.wait("the end of that run", running.is_quiet)
        [run, *later] = _of_schedule(running)
        assert not later
        assert run.tags["orch/articles"] == '["first", "second"]'
        assert '"tokens": 100000' in run.tags["orch/budget"]
        assert "note/draft: its prompts were edited" in run.tags["orch/reason"]
    assert _asked(server) - before == {
        f"{slug}/note/{name}": 1
        for slug in ("first", "second")
        for name in ("text", "quality_pass")
    }
    assert orch.run("status", "--json").json[0]["state"] == "assembled"


def _asked(server: Server) -> Counter[str]:
    return Counter(record["where"] for record in server.records("asked"))


def _of_schedule(running: Served) -> list[dg.DagsterRun]:
    return [run for run in running.instance.get_runs() if "dagster/schedule_name" in run.tags]
