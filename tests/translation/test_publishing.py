"""Texts that cannot go out: tried again, then stuck with the reason, then out once."""

from orch_dagster.core.decision import State
from tests.publish.server import running_hooks
from tests.translation.articles import SMALL
from tests.translation.conftest import Open
from tests.translation.desk import reviewed


def test_a_folder_that_is_none_stops_the_article_until_it_is_one(desk: Open) -> None:
    opened = desk(reviewed(9))
    blocked = opened.folder / "published"
    blocked.write_text("a file where the folder should be")
    opened.hand_in(SMALL)
    assert opened.drive()[-1].state is State.STUCK
    assert opened.report()["next"] == "publish: failed 4 times in a row"
    failure = opened.metadata("decision")["failure"]
    assert "the folder of published articles" in failure
    assert opened.report()["libraries"]["publish"]["status"] == "failed"
    before = opened.asked()
    blocked.unlink()
    assert opened.drive()[-1].state is State.FINISHED
    assert len(opened.published()) == 1
    assert opened.asked() == before
    assert (opened.report()["state"], opened.faults) == ("published", [])
    assert "failure" not in opened.metadata("decision")


def test_a_webhook_out_of_order_stops_the_article_until_it_is_well(desk: Open) -> None:
    with running_hooks() as hooks:
        hooks.statuses = [500]
        opened = desk(reviewed(9), webhook=hooks.url)
        opened.hand_in(SMALL)
        assert opened.drive()[-1].state is State.STUCK
        assert "failed 5 times, at last: status 500" in opened.metadata("decision")["failure"]
        assert len(hooks.got) == 4 * 5
        hooks.statuses = [200]
        assert opened.drive()[-1].state is State.FINISHED
        assert opened.drive()[-1].state is State.FINISHED
        assert len(hooks.got) == 4 * 5 + 1
        assert len({headers["idempotency-key"] for headers, _ in hooks.got}) == 1
    assert len(opened.published()) == 1


def test_a_stuck_publication_is_retried_as_often_when_a_person_asks_again(desk: Open) -> None:
    opened = desk(reviewed(9))
    (opened.folder / "published").write_text("a file where the folder should be")
    opened.hand_in(SMALL)
    opened.drive()
    told = opened.drive()
    assert told[-1].state is State.STUCK
    assert len([one for one in told if one.actions]) == 4
