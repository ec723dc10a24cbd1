"""The row: references and figures of what stands, and nothing else."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.core.decision import Finish, finish_of
from orch_dagster.core.episode import Flag
from orch_dagster.core.ledger import Document, Ledger
from orch_dagster.core.row import Row, assemble
from tests.fakes.episodes import episode
from tests.fakes.ledgers import done, record
from tests.fakes.pipelines import content

PIPELINE = content("article", "seo")


def row(found: Ledger, *, approved: bool = False) -> Row:
    finish = finish_of(PIPELINE, found)
    assert finish is not None
    return assemble(PIPELINE, found, finish, approved=approved)


def with_library(name: str, **changes: Any) -> Ledger:
    return done(PIPELINE, **{name: changes})


def test_a_row_has_the_figures_of_every_library():
    document = Document(url="memory://content/seo.json", bytes=77, sha256="a" * 64)
    found = row(with_library("seo", document=document, scorings=2, cost_usd=0.25))
    assert set(found.libraries) == {"article", "seo"}
    seo = found.libraries["seo"]
    assert (seo.deliverable, seo.passes, seo.cost_usd) == (document, 2, 0.25)
    assert seo.scores == {"voice_consistency": 4.5, "coherence_score": 5.0}
    assert (seo.word_count, seo.tokens, seo.latency_ms) == (2643, 18420, 94300)


def test_totals_add_up_and_the_slowest_library_is_the_rows_latency():
    slow = episode(library="seo", word_count=7, token_usage=100, latency_ms=200_000)
    found = row(with_library("seo", episode=slow, cost_usd=0.25))
    assert (found.word_count, found.tokens, found.latency_ms) == (2650, 18520, 200_000)
    assert found.cost_usd == 0.75


def test_a_cost_that_is_not_known_stays_unknown_in_the_total():
    found = row(with_library("seo", cost_usd=None))
    assert found.cost_usd is None
    assert found.libraries["article"].cost_usd == 0.5


def test_a_row_says_which_episodes_it_was_made_from():
    assert row(done(PIPELINE)).made_from == {"article": "article-1", "seo": "seo-1"}


@pytest.mark.parametrize(
    ("flag", "status"),
    [("use_variant_b", "assembled"), ("footnote_requires_review", "needs_review")],
)
def test_a_flag_decides_whether_the_row_waits_for_a_person(flag: str, status: str):
    found = row(with_library("article", episode=episode(flags=[flag])))
    assert (found.flags, found.status) == ((Flag(flag),), status)


def test_a_row_below_the_threshold_says_so_with_the_score():
    weak = episode(library="seo", voice_consistency=3.5)
    found = row(with_library("seo", episode=weak, scorings=3))
    assert found.flags == (Flag.BELOW_THRESHOLD,)
    assert found.status == "needs_review"
    assert found.decision == "seo: voice_consistency 3.5 stays under 4 after 3 scorings"
    assert row(done(PIPELINE)).decision == "every gate passed"


def test_approval_lifts_the_review_and_nothing_else():
    flagged = with_library("article", episode=episode(flags=["footnote_requires_review"]))
    waiting, approved = row(flagged), row(flagged, approved=True)
    assert approved.status == "assembled"
    assert approved.model_copy(update={"status": "needs_review", "approved": False}) == waiting


def test_a_row_holds_no_text_of_a_deliverable():
    texts = {name for name, field in Row.model_fields.items() if field.annotation is str}
    assert texts == {"article", "pipeline", "status", "decision"}


@given(st.sampled_from([step.name for step in PIPELINE.steps]))
def test_no_row_is_made_from_a_record_that_does_not_stand(step: str):
    whole = done(PIPELINE)
    stale = record(made_from={"brief": "older"}, episode=episode())
    finish = Finish("row", (), "every gate passed")
    for records in (
        {name: made for name, made in whole.records.items() if name != step},
        {**whole.records, step: stale},
    ):
        found = replace(whole, records=records)
        assert finish_of(PIPELINE, found) is None
        with pytest.raises(ValueError, match="has no current record"):
            assemble(PIPELINE, found, finish, approved=False)


def test_a_row_is_the_same_when_it_is_made_again():
    assert row(done(PIPELINE)) == row(done(PIPELINE))
