"""Briefs from files and folders to rows, and the formats in which tools read them."""

import csv
import io
from pathlib import Path

import pytest

from orch_dagster.core.row import Row
from tests.dagster_glue.briefs import write_brief
from tests.dagster_glue.studio import STRONG, weak
from tests.end_to_end.conftest import Serve
from tests.end_to_end.orch import Orch

FIELDS = {"article", "pipeline", "state", "status", "flags", "libraries"}
LIBRARY_FIELDS = {"scores", "passes", "tokens", "cost_usd", "deliverable", "sha256", "bytes"}
DOWN = {"match": "*/stuck/note/text#*", "status": 400, "body": {"error": {"message": "no"}}}
REFUSES = {"match": "*/refused/note/text#*", "refusal": "No."}


@pytest.mark.slow
def test_good_briefs_run_where_others_are_bad(orch: Orch, serve: Serve) -> None:
    server = serve(STRONG)
    orch = Orch(orch.folder, server.settings, orch.project)
    inbox = orch.folder / "inbox"
    write_brief(inbox, "one")
    write_brief(inbox, "two")
    write_brief(inbox, "three", title="", words=3)
    (inbox / "four.yaml").write_bytes(b"slug: four\n\xff\n")
    done = orch.run("run", "inbox", "--json")
    assert done.status == 2
    assert [report["article"] for report in done.json] == ["one", "two"]
    assert [report["status"] for report in done.json] == ["assembled", "assembled"]
    mistakes = [line for line in done.err.splitlines() if line.startswith("error: ")]
    assert len(mistakes) == 3
    assert "three.yaml: field 'title' is empty" in done.err
    assert "three.yaml: field 'words'" in done.err
    assert "four.yaml: not UTF-8" in done.err
    _check_that_nothing_is_known_of_the_bad_ones(orch)
    _check_formats(orch)
    before = server.asked()
    assert orch.run("run", "inbox/one.yaml").status == 0
    assert server.asked() == before


def _check_that_nothing_is_known_of_the_bad_ones(orch: Orch) -> None:
    assert [report["article"] for report in orch.run("status", "--json").json] == ["one", "two"]
    written = {path.stem for path in orch.store.rglob("*") if path.is_file()}
    assert written == {"one", "two"}


def _check_formats(orch: Orch) -> None:
    rows = orch.run("rows", "--format", "json").json
    assert [row["article"] for row in rows] == ["one", "two"]
    for report in (*rows, *orch.run("run", "inbox/one.yaml", "--json").json):
        assert set(report) >= FIELDS
        assert report["pipeline"] == "content"
        for library in report["libraries"].values():
            assert set(library) >= LIBRARY_FIELDS
            assert library["deliverable"].startswith("file://")
    lines = list(csv.DictReader(io.StringIO(orch.run("rows", "--format", "csv").out)))
    assert {(line["article"], line["library"]) for line in lines} == {
        (article, library) for article in ("one", "two") for library in ("card", "note")
    }
    assert set(lines[0]["scores"].split()) == {"voice_consistency=4.6", "coherence_score=4.4"}
    table = orch.run("rows").out
    assert "one" in table
    assert "assembled" in table


@pytest.mark.slow
def test_stuck_and_refused_articles_end_with_one(orch: Orch, serve: Serve) -> None:
    server = serve(DOWN, REFUSES, STRONG)
    orch = Orch(orch.folder, server.settings, orch.project)
    for slug in ("stuck", "refused", "fine"):
        write_brief(orch.folder / "inbox", slug)
    done = orch.run("run", "inbox", "--json")
    assert done.status == 1
    states = {report["article"]: report["state"] for report in done.json}
    assert states == {"stuck": "stuck", "refused": "refused", "fine": "assembled"}
    assert {report["article"]: report["status"] for report in done.json} == {
        "stuck": None,
        "refused": None,
        "fine": "assembled",
    }
    asked = server.asked()
    assert asked["refused/note/text#1"] == 1
    assert asked["stuck/note/text#1"] == 4
    shown = orch.run("show", "refused")
    assert "refused" in shown.out


@pytest.mark.slow
def test_a_row_that_waits_for_approval_counts_as_ended(orch: Orch, serve: Serve) -> None:
    orch = Orch(orch.folder, serve(weak("note"), STRONG).settings, orch.project)
    path = write_brief(orch.folder, "cellar")
    done = orch.run("run", str(path), "--json")
    assert done.status == 0
    [report] = done.json
    assert report["status"] == "needs_review"
    assert report["flags"] == ["below_threshold"]
    assert report["libraries"]["note"]["passes"] == 3
    Row.model_validate_json((orch.store / "row" / "cellar.json").read_bytes())
    assert "scoring 2 of 3" in done.err


@pytest.mark.slow
def test_status_sees_lost_documents_only_when_it_looks(orch: Orch, serve: Serve) -> None:
    server = serve(STRONG)
    orch = Orch(orch.folder, server.settings, orch.project)
    path = write_brief(orch.folder, "cellar")
    assert orch.run("run", str(path)).status == 0
    (orch.store / "note" / "deliverable" / "cellar.md").unlink()
    [plain] = orch.run("status", "--json").json
    [looked] = orch.run("status", "--json", "--verify").json
    assert (plain["state"], looked["state"]) == ("assembled", "running")
    assert looked["next"] == "note: its document is gone from the store"
    before = server.asked()
    assert orch.run("run", str(path)).status == 0
    assert server.asked() == before
    assert (orch.store / "note" / "deliverable" / "cellar.md").exists()


def test_a_slug_that_is_none_is_refused_before_anything_is_written(orch: Orch) -> None:
    for number, slug in enumerate(["../x", "a/b", "x" * 300, "Winter", ""]):
        write_brief(orch.folder / "inbox", f"brief-{number}", slug=slug)
    done = orch.run("add", "inbox")
    assert done.status == 2
    for number in range(5):
        assert f"brief-{number}.yaml: field 'slug'" in done.err
    assert len(done.err.splitlines()) == 5
    assert {path.name for path in orch.folder.iterdir()} == {"inbox"}


def test_an_added_brief_waits(orch: Orch) -> None:
    path = write_brief(orch.folder, "cellar")
    done = orch.run("add", str(path))
    assert done.status == 0
    assert done.out.startswith("registered cellar")
    [report] = orch.run("status", "--json").json
    assert report["state"] == "new"
    assert [path.name for path in orch.store.rglob("*.json")] == ["cellar.json"]


def test_a_path_that_is_not_there_is_named(orch: Orch, empty: Path) -> None:
    done = orch.run("run", "nowhere.yaml")
    assert done.status == 2
    assert done.err == "error: nowhere.yaml: no such file or folder\n"
    assert list(empty.iterdir()) == []
