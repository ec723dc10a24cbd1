"""Budgets and wrong settings stop an article where it stands; raising or mending resumes it."""

from dataclasses import replace
from typing import Any

from orch_dagster.core.budget import NO_LIMIT, Budget
from orch_dagster.core.decision import State, decide
from orch_dagster.drive import look
from orch_dagster.heartbeat import beat
from orch_dagster.means import budget_tag
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.conftest import Open
from tests.dagster_glue.studio import STRONG, Studio

SMALL, LARGE = Budget(tokens=2_500), Budget(tokens=1_000_000)

QUOTA: dict[str, Any] = {
    "match": "*/note/text#*",
    "status": 429,
    "body": {"error": {"code": "insufficient_quota", "message": "You exceeded your quota."}},
}


def state(opened: Studio, article: str) -> State:
    return decide(opened.declared.pipeline, look(opened.workbench, [article])[article]).state


def test_an_article_over_its_budget_keeps_what_it_has_and_goes_on_when_it_is_raised(
    studio: Open,
) -> None:
    rich = studio(STRONG)
    poor = rich.with_budget(SMALL)
    poor.register(brief("cellar"))
    assert poor.drive("cellar")[-1].state is State.BUDGET
    done = poor.asked()
    assert 0 < sum(done.values()) < len(poor.prompts())
    report = poor.report("cellar")
    assert report["state"] == "budget"
    assert "over its budget (2,500 tokens)" in report["next"]
    assert poor.faults == []
    spent = sum(ledger.spending.total.usage.total for ledger in _records(poor))
    assert 0 < spent <= 2_500
    assert poor.drive("cellar")[-1].state is State.BUDGET
    assert poor.asked() == done
    assert rich.drive("cellar")[-1].state is State.FINISHED
    assert rich.asked() == dict.fromkeys(rich.prompts(), 1)


def _records(opened: Studio) -> list[Any]:
    return list(look(opened.workbench, ["cellar"])["cellar"].records.values())


def test_the_orchestrator_lets_it_wait_and_takes_it_up_when_the_budget_was_raised(
    studio: Open,
) -> None:
    poor = studio(STRONG).with_budget(SMALL)
    poor.register(brief("cellar"))
    poor.drive("cellar")
    for budget, due in ((SMALL, 0), (LARGE, 1), (NO_LIMIT, 1)):
        declared = replace(poor.declared, budget=budget)
        found = beat(poor.instance, declared, None, articles_per_run=1)
        assert len(found.due) == due, budget


def test_what_is_spent_before_a_restart_counts(studio: Open) -> None:
    """A second process knows it from the records: its own purse is empty."""
    poor = studio(STRONG).with_budget(SMALL)
    poor.register(brief("cellar"))
    poor.drive("cellar")
    before = sum(poor.asked().values())
    client: Any = poor.definitions.resources["model"]  # type: ignore[index]
    client.close()
    assert poor.drive("cellar")[-1].state is State.BUDGET
    assert sum(poor.asked().values()) == before


def test_a_command_s_budget_is_shared_by_its_articles(studio: Open) -> None:
    opened = studio(STRONG)
    whole = replace(opened, tags=budget_tag("command 1", Budget(tokens=7_000)))
    whole.register(*(brief(name, title=name) for name in ("attic", "cellar", "garage")))
    whole.drive_all("attic", "cellar", "garage", at_once=1)
    states = [state(whole, name) for name in ("attic", "cellar", "garage")]
    assert State.BUDGET in states
    assert State.FINISHED in states
    total = sum(
        record.spending.total.usage.total
        for ledger in look(whole.workbench, ["attic", "cellar", "garage"]).values()
        for record in ledger.records.values()
    )
    assert total <= 7_000
    next_command = replace(opened, tags=budget_tag("command 2", Budget(tokens=7_000)))
    next_command.drive_all("attic", "cellar", "garage", at_once=1)
    assert [state(whole, name) for name in ("attic", "cellar", "garage")].count(
        State.FINISHED
    ) > states.count(State.FINISHED)


def test_a_used_up_quota_stops_the_article_at_once(studio: Open) -> None:
    opened = studio(QUOTA, STRONG)
    opened.register(brief("cellar"))
    told = opened.drive("cellar")
    assert told[-1].state is State.STUCK
    assert "a setting is wrong" in told[-1].reasons[0]
    assert opened.asked()["note/text"] == 1
    assert "quota" in opened.metadata("note/draft", "cellar")["failure"]
