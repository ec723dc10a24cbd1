"""Backfills of twenty articles from the UI, each with one that is bad."""

from pathlib import Path

import pytest

from tests.backfill.articles import (
    ASSETS,
    BAD,
    GOOD,
    TRANSLATED,
    TWENTY,
    WELL_TRANSLATED,
    asked,
    bad,
    badly_translated,
    write_articles,
    write_briefs,
)
from tests.dagster_glue.studio import STRONG
from tests.end_to_end.orch import Orch
from tests.heartbeat.conftest import Serve
from tests.heartbeat.served import Served, served

pytestmark = pytest.mark.slow

CHUNKS = {"ORCH_ARTICLES_PER_RUN": "20", "ORCH_CALL_TIMEOUT": "5"}
ENDED = ("COMPLETED_SUCCESS", "COMPLETED_FAILED", "FAILED", "CANCELED", "COMPLETED")

WAYS = ("refused", "failing", "hanging")


def batch(way: str) -> tuple[str, ...]:
    """Twenty articles, one after another among the partitions."""
    return tuple(f"{way}-{number:02}" for number in range(20))


def bad_one(way: str) -> str:
    """The one of them that is bad."""
    return batch(way)[7]


def backfilled(running: Served, assets: list[list[str]]) -> dict[str, str]:
    """Launch a backfill of each batch and wait for all; their ids."""
    backfills = {way: running.ui.backfill(assets, list(batch(way))) for way in WAYS}
    running.wait(
        "the backfills",
        lambda: all(running.ui.backfill_status(one) in ENDED for one in backfills.values()),
    )
    running.wait("quiet", running.is_quiet)
    return backfills


def test_in_each_chunk_of_twenty_the_bad_one_costs_itself_only(
    desk: Path, small: Path, serve: Serve, tmp_path: Path
) -> None:
    server = serve(*(bad(way, bad_one(way)) for way in WAYS), STRONG)
    orch = Orch(desk, {**server.settings, **CHUNKS}, small)
    for way in WAYS:
        write_briefs(desk / "inbox", batch(way))
    with served(orch, tmp_path / "said.txt") as running:
        running.ui.stop_sensors()
        assert orch.run("add", "inbox").status == 0
        backfills = backfilled(running, ASSETS)
        _check_the_runs(running)
        for way, backfill in backfills.items():
            _check_the_backfill(running, way, backfill)
        _check_the_partitions(running)
        before = asked(server.records("asked"))
        backfilled(running, ASSETS)
        again = asked(server.records("asked")) - before
        assert set(again) == {f"{bad_one(way)}/note/text" for way in WAYS}
    _check_what_is_told(orch)


def _check_the_runs(running: Served) -> None:
    runs = running.instance.get_runs()
    assert sorted(
        (run.tags["dagster/asset_partition_range_start"], run.status.value) for run in runs
    ) == sorted((batch(way)[0], "SUCCESS") for way in WAYS)


def _check_the_backfill(running: Served, way: str, backfill: str) -> None:
    """It has completed with a failure: of the bad one there is no note, and no row."""
    assert running.has_row(*(set(batch(way)) - {bad_one(way)}))
    assert not running.has_row(bad_one(way))
    assert running.ui.backfill_status(backfill) == "COMPLETED_FAILED"
    for asset, counts in running.ui.backfill_counts(backfill).items():
        lacking = 1 if asset in ("note/deliverable", "row") else 0
        assert counts == {
            "targeted": 20, "inprogress": 0, "materialized": 20 - lacking, "failed": lacking,
        }, asset  # fmt: skip


def _check_the_partitions(running: Served) -> None:
    every = {article for way in WAYS for article in batch(way)}
    lacking = {bad_one(way) for way in WAYS}
    for asset in ASSETS:
        found = running.ui.partitions(asset)
        if asset in (["note", "deliverable"], ["row"]):
            assert found == {"materialized": every - lacking, "unmaterialized": lacking}, asset
        else:
            assert found == {"materialized": every}, asset


def _check_what_is_told(orch: Orch) -> None:
    states = {one["article"]: one["state"] for one in orch.run("status", "--json").json}
    unfinished = {article: state for article, state in states.items() if state != "assembled"}
    assert set(unfinished) == {bad_one(way) for way in WAYS}
    assert unfinished[bad_one("refused")] == "refused"


def test_a_chunk_of_twenty_articles_is_translated_where_the_server_never_answers_for_one(
    desk: Path, small: Path, serve: Serve, tmp_path: Path
) -> None:
    server = serve(badly_translated("hanging"), *WELL_TRANSLATED)
    orch = Orch(desk, {**server.settings, **CHUNKS}, small)
    write_articles(desk / "articles", TWENTY)
    with served(orch, tmp_path / "said.txt") as running:
        running.ui.stop_sensors()
        assert orch.run("add", "--pipeline", "translation", "articles").status == 0
        _translate_all(running)
        _check_the_translations(running, desk)
        before = asked(server.records("asked"))
        _translate_all(running)
        _check_the_translations(running, desk)
        again = asked(server.records("asked")) - before
        assert set(again) == {f"{BAD}/translate/piece_01"}
    states = orch.run("status", "--pipeline", "translation", "--json").json
    left = [one["article"] for one in states if one["state"] != "published"]
    assert left == [BAD]


def _translate_all(running: Served) -> None:
    backfill = running.ui.backfill(TRANSLATED, list(TWENTY))
    running.wait("the backfill", lambda: running.ui.backfill_status(backfill) in ENDED)


def _check_the_translations(running: Served, desk: Path) -> None:
    assert len(list((desk / ".orch" / "published").glob("*.md"))) == len(GOOD)
    *others, published = TRANSLATED
    for asset in others[:-1]:
        assert running.ui.partitions(asset)["materialized"] == set(TWENTY), asset
    assert running.ui.partitions(published)["materialized"] >= set(GOOD)
