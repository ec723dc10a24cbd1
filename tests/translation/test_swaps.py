"""Steps are declarations: one is replaced, one is added, and the orchestrator learns of neither."""

import json
from dataclasses import replace

from assets.translation.pipeline import declare, standard_steps
from assets.translation.texts import fetched
from orch_dagster.core.decision import State
from orch_dagster.core.pipeline import Step
from orch_dagster.document_step import DocumentStep, Outcome, Task
from orch_dagster.heartbeat import beat
from tests.translation.articles import SMALL
from tests.translation.conftest import Open
from tests.translation.desk import ARTICLE, note, reviewed

PUBLISH_NEEDS = ("categorize", "polish", "review")


async def by_hand(task: Task) -> Outcome:
    """The title in Ukrainian, the rest as a person left it."""
    text = (await fetched(task)).body.replace("The lock keeper", "Доглядач шлюзу")
    return Outcome(text, words=len(text.split()))


async def fact_check(task: Task) -> Outcome:
    """Which review the checked text had."""
    review = json.loads(await task.read("review-output", ".json"))
    return Outcome(json.dumps({"checked": review["score"]}), words=1)


FACT_CHECK = DocumentStep(
    step=Step("fact_check", needs=("polish", "review"), gates=(), rework=()),
    key="fact-check-output",
    suffix=".json",
    description="What was looked up.",
    work=fact_check,
    folder=None,
    resources=frozenset(),
    version="1",
)


def test_the_translator_can_be_a_plain_function(desk: Open) -> None:
    steps = [
        replace(one, work=by_hand, folder=None, version="by hand")
        if one.step.name == "translate"
        else one
        for one in standard_steps()
    ]
    opened = desk(reviewed(5, note(1)), declared=declare(steps, publish_needs=PUBLISH_NEEDS))
    opened.hand_in(SMALL)
    assert opened.drive()[-1].state is State.FINISHED
    assert opened.faults == []
    assert {name.split("/")[0] for name in opened.asked()} == {"categorize", "review", "polish"}
    assert opened.text("translate-output").startswith("# Доглядач шлюзу")
    assert json.loads(opened.text("review-output"))["cap"] == 3


def test_a_seventh_step_is_a_declaration(desk: Open) -> None:
    seven = declare([*standard_steps(), FACT_CHECK], publish_needs=(*PUBLISH_NEEDS, "fact_check"))
    opened = desk(reviewed(9), declared=seven)
    opened.hand_in(SMALL)
    [due] = beat(opened.instance, seven, None, articles_per_run=1).due
    assert "fact_check_output" in {key.to_user_string() for key in due.selection}
    assert opened.drive()[-1].state is State.FINISHED
    assert json.loads(opened.text("fact-check-output")) == {"checked": 9}
    assert set(opened.look().records) == {step.step.name for step in seven.steps}
    assert len(opened.look().records) == 7
    graph = opened.definitions.resolve_asset_graph()
    by_name = {
        key.to_user_string(): graph.get(key).parent_keys for key in graph.get_all_asset_keys()
    }
    assert "fact_check_output" in {key.to_user_string() for key in by_name["publish_output"]}
    assert beat(opened.instance, seven, None, articles_per_run=1).due == ()


def test_a_seventh_documents_loss_brings_it_back_alone(desk: Open) -> None:
    seven = declare([*standard_steps(), FACT_CHECK], publish_needs=(*PUBLISH_NEEDS, "fact_check"))
    opened = desk(reviewed(9), declared=seven)
    opened.hand_in(SMALL)
    opened.drive()
    before = opened.asked()
    opened.file("fact-check-output").unlink()
    told = opened.drive()
    assert told[0].reasons == ("fact_check: its document is gone from the store",)
    assert opened.asked() == before
    runs = opened.instance.get_runs()
    selected = {key.to_user_string() for key in runs[0].asset_selection or ()}
    assert selected == {"fact_check_output", "decision", "publish_output"}
    assert opened.file("fact-check-output", ARTICLE).is_file()
