"""`ORCH_BUDGET_TOKENS` from the command line: exit status 1, what is done stays, raising resumes."""

import pytest

from tests.dagster_glue.briefs import write_brief
from tests.dagster_glue.studio import STRONG
from tests.end_to_end.conftest import Serve
from tests.end_to_end.orch import Orch


@pytest.mark.slow
def test_a_command_spends_no_more_than_its_budget(orch: Orch, serve: Serve) -> None:
    server = serve(STRONG)
    poor = Orch(orch.folder, {**server.settings, "ORCH_BUDGET_TOKENS": "4000"}, orch.project)
    for slug in ("one", "two", "three"):
        write_brief(orch.folder / "inbox", slug, title=slug)
    done = poor.run("run", "inbox", "--json")
    assert done.status == 1
    assert "budget" in {report["state"] for report in done.json}
    assert sum(report["tokens"] for report in done.json) <= 4_000
    stopped = server.asked()
    assert stopped
    rich = Orch(orch.folder, {**server.settings, "ORCH_BUDGET_TOKENS": "400000"}, orch.project)
    done = rich.run("run", "inbox", "--json")
    assert done.status == 0, done.err
    assert {report["status"] for report in done.json} == {"assembled"}
    assert set(server.asked().values()) == {1}
    wrong = Orch(orch.folder, {**server.settings, "ORCH_BUDGET_USD": "much"}, orch.project)
    refused = wrong.run("run", "inbox")
    assert refused.status == 2
    assert refused.err == (
        "error: ORCH_BUDGET_USD: 'much' is not an amount of US dollars above 0, such as 2.50\n"
    )
    unpriced = Orch(orch.folder, {**server.settings, "ORCH_BUDGET_USD": "5"}, orch.project)
    write_brief(orch.folder / "inbox", "four", title="four")
    refused = unpriced.run("run", "inbox/four.yaml")
    assert refused.status == 2
    assert "ORCH_BUDGET_USD: the price of 'simulator' at" in refused.err
