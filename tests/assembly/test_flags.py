"""What flags do to a row: pick a variant, wait for a person; and how a person lifts that."""

from typing import Any

from assets import content
from orch_dagster.drive import approve
from orch_dagster.report import row_reports
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.conftest import Open
from tests.dagster_glue.studio import STRONG, Studio


def flagged(library: str, flag: str) -> dict[str, Any]:
    """The rule under which a library's quality pass raises a flag."""
    return {
        "match": f"*/{library}/quality_pass#*",
        "set": {"voice_consistency": 4.6, "coherence_score": 4.4, "flags": [flag]},
    }


def row_of(opened: Studio, article: str) -> Any:
    """The row's own record in the event log."""
    return opened.metadata("row", article)["row"]


def test_nine_libraries_make_a_row_of_nine_with_url_size_and_hash(studio: Open):
    opened = studio(STRONG, package=content)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    row = row_of(opened, "cellar")
    assert opened.faults == []
    assert len(row["libraries"]) == 9
    for library in row["libraries"].values():
        document = library["deliverable"]
        assert document["bytes"] > 0
        assert len(document["sha256"]) == 64
        assert document["url"].startswith("file://")
    assert row["status"] == "assembled"


def test_use_variant_b_makes_the_row_reference_variant_b(studio: Open):
    opened = studio(flagged("social", "use_variant_b"), STRONG, package=content)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    libraries = row_of(opened, "cellar")["libraries"]
    assert libraries["social"]["variant"] == "b"
    assert {library["variant"] for name, library in libraries.items() if name != "social"} == {"a"}
    assert opened.report("cellar")["state"] == "assembled"


def test_a_footnote_to_be_checked_holds_the_row_until_a_person_approves(studio: Open):
    opened = studio(flagged("article", "footnote_requires_review"), STRONG, package=content)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    assert opened.report("cellar")["state"] == "needs_review"
    before = opened.asked()
    assert list(approve(opened.workbench, "cellar")) == []
    assert opened.report("cellar")["state"] == "assembled"
    assert opened.asked() == before
    [row] = row_reports(opened.instance, opened.declared, ["cellar"])
    assert row["status"] == "assembled"
    assert row["flags"] == ["footnote_requires_review"]
    assert opened.drive("cellar")[-1].actions == ()


def test_a_changed_brief_is_not_approved_by_the_approval_of_the_old_one(studio: Open):
    opened = studio(flagged("article", "footnote_requires_review"), STRONG, package=content)
    opened.register(brief("cellar"))
    opened.drive("cellar")
    list(approve(opened.workbench, "cellar"))
    opened.register(brief("cellar", title="What a shared cellar loses"))
    opened.drive("cellar")
    assert opened.report("cellar")["state"] == "needs_review"
