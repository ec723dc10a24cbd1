"""Several articles driven at once: one run for those for which the same is due."""

import json

import dagster as dg

from orch_dagster.core.decision import State, decide
from orch_dagster.runs import ARTICLES_TAG
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.conftest import Open
from tests.dagster_glue.studio import STRONG, Studio, weak
from tests.dagster_glue.test_chunk import MADE, out_of_date

ARTICLES = ("a-first", "b-second", "c-third", "d-fourth")


def _runs(opened: Studio) -> list[dg.DagsterRun]:
    return list(reversed(opened.instance.get_runs()))


def _states(opened: Studio) -> dict[str, State]:
    ledgers = opened.drive_all(*ARTICLES)
    return {a: decide(opened.declared.pipeline, one).state for a, one in ledgers.items()}


def test_one_run_brings_all_articles_to_their_rows(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(*map(brief, ARTICLES))
    assert set(_states(opened).values()) == {State.FINISHED}
    assert opened.faults == []
    [run] = _runs(opened)
    assert run.status is dg.DagsterRunStatus.SUCCESS
    assert json.loads(run.tags[ARTICLES_TAG]) == list(ARTICLES)
    assert opened.asked() == dict.fromkeys(opened.prompts(), len(ARTICLES))
    for article in ARTICLES:
        for asset in MADE:
            assert opened.metadata(asset, article)["record" if "deliv" not in asset else "url"]
        assert opened.file(f"content/note/deliverable/{article}.md").exists()
        assert opened.file(f"content/note/draft/{article}.json").exists()
        assert opened.file(f"content/row/{article}.json").exists()
    assert out_of_date(opened, opened.pipeline, ARTICLES) == {}


def test_articles_that_do_not_follow_one_another_go_into_one_run_without_those_between(
    studio: Open,
) -> None:
    opened = studio(STRONG)
    opened.register(*map(brief, ARTICLES))
    opened.drive_all("a-first", "c-third")
    [run] = _runs(opened)
    assert json.loads(run.tags[ARTICLES_TAG]) == ["a-first", "c-third"]
    for document in ("note/draft", "note/episode", "row"):
        found = {path.stem for path in opened.file(f"content/{document}").iterdir()}
        assert found == {"a-first", "c-third"}
    key = dg.AssetKey(["note", "episode"])
    assert opened.instance.get_materialized_partitions(key) == {"a-first", "c-third"}


def test_weak_articles_of_a_run_are_reworked_together_in_the_next(studio: Open) -> None:
    opened = studio(
        {**weak("note"), "match": "*/[bd]-*/note/quality_pass#1"},
        {**weak("card"), "match": "*/c-third/card/quality_pass#1"},
        STRONG,
    )
    opened.register(*map(brief, ARTICLES))
    assert set(_states(opened).values()) == {State.FINISHED}
    first, *others = _runs(opened)
    assert opened.selection(first) == set(MADE)
    found = {
        (run.tags.get(ARTICLES_TAG) or run.tags["dagster/partition"]): opened.selection(run)
        for run in others
    }
    assert found == {
        '["b-second", "d-fourth"]': {"note/deliverable", "note/episode", "row"},
        "c-third": {"card/deliverable", "card/episode", "row"},
    }
    extra = {"note/quality_pass": 6, "card/quality_pass": 5}
    assert opened.asked() == dict.fromkeys(opened.prompts(), 4) | extra
    assert out_of_date(opened, opened.pipeline, ARTICLES) == {}


def test_no_more_articles_go_into_a_run_than_are_wanted(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(*map(brief, ARTICLES))
    opened.drive_all(*ARTICLES, at_once=3)
    found = [run.tags.get(ARTICLES_TAG) for run in _runs(opened)]
    assert found == ['["a-first", "b-second", "c-third"]', None]


def test_a_run_of_several_that_breaks_each_time_ends_with_stuck_articles(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(*map(brief, ARTICLES))
    folder = opened.file("content/note/draft")
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("in the way of a folder")
    assert set(_states(opened).values()) == {State.STUCK}
    assert len(_runs(opened)) == 4
    assert "a-first, b-second, c-third and 1 more: step 'note_draft' broke" in opened.faults[0]
    folder.unlink()
    assert set(_states(opened).values()) == {State.FINISHED}
