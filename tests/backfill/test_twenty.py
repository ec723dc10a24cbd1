"""Twenty articles in one run, one of them bad: it costs itself only."""

from logging import WARNING
from pathlib import Path

import dagster as dg
import pytest

from orch_dagster.core.decision import State, decide
from orch_dagster.library_pipeline import LibraryPipeline
from tests.backfill.articles import BAD, GOOD, TWENTY, asked, bad
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.conftest import Open
from tests.dagster_glue.packages import copied_libraries, edit, load_package
from tests.dagster_glue.studio import STRONG, Studio
from tests.dagster_glue.test_chunk import MADE, out_of_date

EDITED = "about 70"


def materialized(opened: Studio) -> dict[str, set[str]]:
    """By asset, the partitions that count as materialized."""
    keys = {asset: dg.AssetKey.from_user_string(asset) for asset in MADE}
    return {asset: opened.instance.get_materialized_partitions(k) for asset, k in keys.items()}


def check_that_the_bad_one_lacks_its_own_only(opened: Studio) -> None:
    """Nineteen have all; the bad one its card and what says why it has no note."""
    found = materialized(opened)
    lacking = {asset: set(TWENTY) - articles for asset, articles in found.items()}
    assert lacking == {asset: set() for asset in MADE} | {"note/deliverable": {BAD}, "row": {BAD}}
    rows = {path.stem for path in opened.file("content/row").iterdir()}
    assert rows == set(GOOD)
    assert BAD in opened.metadata("note/draft", BAD)["failure"]


def check_that_the_bad_one_is_named(opened: Studio, run: dg.DagsterRun) -> None:
    """In the run's log, with the reason; the others are not."""
    warnings = [e.user_message for e in opened.instance.all_logs(run.run_id) if e.level == WARNING]
    assert len(warnings) == 2
    assert all(said.startswith(f"{BAD}: note") for said in warnings)
    assert "note/text" in warnings[0]


def edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> LibraryPipeline:
    """The pipeline with one prompt of the note's chain changed."""
    package = copied_libraries(tmp_path, name, monkeypatch)
    edit(package / "note/prompts/02_text.md", "about 60", EDITED)
    return LibraryPipeline("content", load_package(package))


@pytest.mark.slow
@pytest.mark.parametrize("way", ["refused", "failing"])
def test_of_a_range_of_twenty_with_one_bad_nineteen_go_to_their_rows_in_that_run(
    studio: Open, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = studio(bad(way), STRONG)
    opened.register(*map(brief, TWENTY))
    run = opened.run_range(TWENTY[0], TWENTY[-1])
    assert run.status is dg.DagsterRunStatus.SUCCESS
    check_that_the_bad_one_lacks_its_own_only(opened)
    check_that_the_bad_one_is_named(opened, run)
    lacking = {"note/deliverable": {BAD}, "row": {BAD}}
    assert out_of_date(opened, opened.pipeline, TWENTY) == lacking
    changed = edited(tmp_path, monkeypatch, f"edited_{opened.folder.parent.name}")
    assert out_of_date(opened, changed, TWENTY)["note/draft"] == set(TWENTY)
    before = asked(opened.records())
    assert opened.run_range(TWENTY[0], TWENTY[-1]).status is dg.DagsterRunStatus.SUCCESS
    again = asked(opened.records()) - before
    assert set(again) == {f"{BAD}/note/text"}


@pytest.mark.slow
def test_of_a_listed_run_of_twenty_with_one_bad_nineteen_go_to_their_rows(
    studio: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = studio(bad("refused"), STRONG)
    opened.register(*map(brief, TWENTY))
    ledgers = opened.drive_all(*TWENTY)
    states = {a: decide(opened.declared.pipeline, one).state for a, one in ledgers.items()}
    assert states == dict.fromkeys(GOOD, State.FINISHED) | {BAD: State.REFUSED}
    [run] = opened.instance.get_runs()
    assert run.status is dg.DagsterRunStatus.SUCCESS
    check_that_the_bad_one_lacks_its_own_only(opened)
    changed = edited(tmp_path, monkeypatch, "edited_of_a_list")
    assert out_of_date(opened, changed, TWENTY)["note/draft"] == set(TWENTY)
    before = asked(opened.records())
    opened.drive_all(*TWENTY)
    again = asked(opened.records()) - before
    assert set(again) == {f"{BAD}/note/text"}
