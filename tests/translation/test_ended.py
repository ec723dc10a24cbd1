"""A published article is read from its decision alone."""

from orch_dagster.report import article_report
from tests.heartbeat.history import make_unreadable
from tests.translation.articles import SMALL
from tests.translation.conftest import Open


def test_a_published_article_is_read_from_its_decision(desk: Open) -> None:
    opened = desk()
    opened.hand_in(SMALL)
    opened.drive()
    before = opened.look()
    assert article_report(opened.declared.pipeline, before)["state"] == "published"
    assert set(before.records) == set(opened.declared.records)
    make_unreadable(opened.instance, opened.declared)
    assert opened.look() == before
