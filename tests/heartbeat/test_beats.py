"""What a beat finds, and that it finds it once."""

import dagster as dg

from orch_dagster.core.decision import State
from orch_dagster.event_log import newest, read_ledgers
from orch_dagster.heartbeat import ARTICLES_A_BEAT, Cursor
from orch_dagster.runs import DECISION_TAG
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.studio import STRONG, weak
from tests.heartbeat.conftest import OpenLab
from tests.heartbeat.daemon import Daemon

DOWN = {"match": "*/note/text#*", "status": 400, "body": {"error": {"message": "no"}}}
REFUSES = {"match": "*/note/text#*", "refusal": "No."}


def test_the_sensor_is_on_by_default_and_holds_no_store(lab: OpenLab) -> None:
    sensor = lab(STRONG).daemon.sensor
    assert sensor.default_status is dg.DefaultSensorStatus.RUNNING
    assert sensor.required_resource_keys == set()


def test_new_articles_are_found_with_their_partition_and_reason(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"), brief("attic"))
    requests = opened.daemon.tick()
    assert [request.tags["dagster/partition"] for request in requests] == ["attic", "cellar"]
    whole = set(opened.studio.declared.selection(tuple(opened.studio.declared.records)))
    assert [set(request.asset_selection or ()) for request in requests] == [whole, whole]


def test_a_partition_without_a_brief_is_left_alone(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.instance.add_dynamic_partitions("content_articles", ["by-hand"])
    assert opened.daemon.tick() == []


def test_a_beat_that_was_cut_off_is_made_again_with_the_same_keys(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"), brief("attic"))
    lost = [request.run_key for request in opened.daemon.evaluate().run_requests or ()]
    again = opened.daemon.tick()
    assert [request.run_key for request in again] == lost
    assert len(set(lost)) == 2


def test_a_beat_cut_off_between_its_requests_launches_each_article_once(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"), brief("attic"))
    first, second = list(opened.daemon.evaluate().run_requests or ())
    assert opened.daemon.create(first) is not None  # and here the daemon is killed
    again = opened.daemon.tick()
    created = [opened.daemon.create(request) for request in again]
    assert [run.tags["dagster/partition"] for run in created if run] == [
        second.tags["dagster/partition"]
    ]


def test_two_beats_at_once_launch_one_run(lab: OpenLab) -> None:
    opened = lab(weak("note", "1"), STRONG)
    other = Daemon(opened.studio)
    opened.studio.register(brief("cellar"))
    for _ in range(2):
        [one], [two] = opened.daemon.tick(), other.tick()
        assert one.run_key == two.run_key
        run = opened.daemon.create(one)
        assert run is not None
        assert other.create(two) is None
        opened.daemon.execute(run)
    assert opened.daemon.tick() == other.tick() == []


def test_an_old_and_a_new_episode_in_one_beat_give_one_decision(lab: OpenLab) -> None:
    opened = lab(weak("note", "1"), weak("note", "2"), STRONG)
    opened.studio.register(brief("cellar"))
    opened.daemon.beat()
    cursor = opened.daemon.cursor
    opened.daemon.beat()
    opened.daemon.cursor = cursor
    [request] = opened.daemon.tick()
    assert request.tags[DECISION_TAG] == "rework"
    assert "scoring 3 of 3" in request.tags["orch/reason"]


def test_an_event_that_came_in_behind_the_cursor_is_found_on_the_round(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    event = opened.studio.instance.event_log_storage.get_maximum_record_id() or 0
    opened.daemon.cursor = Cursor(event=event, runs_until=0.0, round=None).model_dump_json()
    assert len(opened.daemon.tick()) == 1


def test_a_run_whose_end_was_written_late_is_found_on_the_round(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    [request] = opened.daemon.tick()
    run = opened.daemon.create(request)
    assert run is not None
    opened.studio.instance.report_run_canceled(run)
    opened.daemon.cursor = Cursor(event=10**9, runs_until=4e9, round=None).model_dump_json()
    assert len(opened.daemon.tick()) == 1


def test_a_library_that_fails_is_tried_three_times_more_and_alone(lab: OpenLab) -> None:
    opened = lab(DOWN, STRONG)
    opened.studio.register(brief("cellar"))
    first, *retries = opened.daemon.live()
    assert first.status is dg.DagsterRunStatus.SUCCESS
    assert [run.tags[DECISION_TAG] for run in retries] == ["retry"] * 3
    for run in retries:
        assert opened.studio.selection(run) == {
            "note/draft", "note/deliverable", "note/episode", "row",
        }  # fmt: skip
    assert opened.studio.asked()["note/text"] == 4
    assert opened.studio.asked()["card/idea"] == 1
    report = opened.studio.report("cellar")
    assert (report["state"], report["next"]) == ("stuck", "note/draft: failed 4 times in a row")
    assert opened.daemon.tick() == []


def test_a_stuck_article_is_started_again_by_a_person(lab: OpenLab) -> None:
    opened = lab({**DOWN, "times": 4}, STRONG)
    opened.studio.register(brief("cellar"))
    opened.daemon.live()
    assert opened.studio.report("cellar")["state"] == "stuck"
    assert opened.studio.drive("cellar")[-1].state is State.FINISHED
    assert opened.daemon.tick() == []


def test_a_refused_article_waits_for_a_person(lab: OpenLab) -> None:
    opened = lab({**REFUSES, "times": 1}, STRONG)
    opened.studio.register(brief("cellar"))
    assert len(opened.daemon.live()) == 1
    report = opened.studio.report("cellar")
    assert (report["state"], report["next"]) == ("refused", "note/draft: the model refused")
    assert opened.daemon.tick() == []
    assert opened.studio.drive("cellar")[-1].state is State.FINISHED


def test_without_articles_nothing_is_read(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    opened.daemon.live()
    studio = opened.studio
    assert newest(studio.instance, dg.AssetKey("row"), []) == {}
    assert read_ledgers(studio.instance, studio.declared, [], own_run=None, missing={}) == {}


def test_a_beat_looks_at_so_many_articles_and_the_next_at_the_others(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.daemon.tick()
    slugs = [f"article-{number:03}" for number in range(ARTICLES_A_BEAT + 20)]
    opened.studio.register(*map(brief, slugs))
    found = [{r.tags["dagster/partition"] for r in opened.daemon.tick()} for _ in range(2)]
    assert max(map(len, found)) <= 2 * ARTICLES_A_BEAT
    assert set.union(*found) == set(slugs)
