"""An article that has come to its end is read from one event, and reads as if all had been opened."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

import dagster as dg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orch_dagster.basis import Basis, ledger_of
from orch_dagster.core.episode import Status
from orch_dagster.core.ledger import Ledger, Record
from orch_dagster.core.pipeline import INPUT, Step
from orch_dagster.drive import approve, look
from orch_dagster.event_log import read_ledgers, read_own_bases, record_metadata, register
from orch_dagster.library_pipeline import LibraryPipeline
from orch_dagster.portions import AT_ONCE
from orch_dagster.report import article_report
from orch_dagster.step import DeclaredPipeline
from orch_dagster.verify import missing_steps
from tests.dagster_glue import libraries
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.studio import STRONG, Studio, weak
from tests.heartbeat.conftest import OpenLab
from tests.heartbeat.history import (
    MODEL_ARTICLE,
    make_unreadable,
    materialize_record,
    write_history,
)
from tests.heartbeat.runs import create

NUMBERS = count()

OTHERS = ("steps", "foreign step", "brief", "see", "end", "foreign end")


@pytest.fixture(scope="module")
def declared() -> DeclaredPipeline:
    return LibraryPipeline("content", libraries).declared


@pytest.fixture(scope="module")
def log() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


def whole(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, articles: Sequence[str]
) -> dict[str, Basis]:
    """The bases from the newest event of each step, every one opened."""
    steps = (INPUT, *declared.records)
    return read_own_bases(instance, declared, articles, steps=steps)


def ledgers(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, articles: Sequence[str]
) -> dict[str, Ledger]:
    return read_ledgers(instance, declared, articles, own_run=None, missing={})


class Teller:
    """Tells the history of one article: each word is something that happens to it."""

    def __init__(self, instance: dg.DagsterInstance, declared: DeclaredPipeline) -> None:
        self.article = f"article-{next(NUMBERS)}"
        self._instance, self._declared = instance, declared
        self._seen: Basis | None = None
        self.happens("brief", 0)

    def happens(self, what: str, number: int) -> None:
        """One thing; `number` picks the step, or the version of the brief."""
        steps = self._declared.pipeline.steps
        match what:
            case "brief":
                self._register(f"{INPUT} of {self.article}{'!' * (number % 2)}")
            case "steps":
                for step in steps[number % len(steps) :]:
                    self._materialize(step, voice=3.0 + number % 2)
            case "foreign step":
                self._report(steps[number % len(steps)].name, {})
            case "see":
                self._seen = self._basis()
            case "end":
                self._end(self._seen or self._basis())
                self._seen = None
            case "foreign end":
                self._report(self._declared.pipeline.finish.name, {})

    def _register(self, fingerprint: str) -> None:
        register(
            self._instance,
            self._declared,
            article=self.article,
            fingerprint=fingerprint,
            metadata={},
        )

    def _materialize(self, step: Step, voice: float) -> None:
        materialize_record(self._instance, self._declared, step, self.article, voice=voice)

    def _basis(self) -> Basis:
        return whole(self._instance, self._declared, [self.article])[self.article]

    def _end(self, seen: Basis) -> None:
        finish = self._declared.pipeline.finish
        record = Record(
            fingerprint=f"end of {self.article}",
            made_from={need: f"{need} of {self.article}" for need in finish.needs},
            status=Status.COMPLETE,
            episode=None,
            scorings=0,
            failures=0,
            document=None,
            cost_usd=None,
        )
        basis = seen.without(finish.name)
        self._report(finish.name, {**record_metadata(record), **basis.metadata()})

    def _report(self, step: str, metadata: Mapping[str, dg.MetadataValue]) -> None:
        self._instance.report_runless_asset_event(
            dg.AssetMaterialization(
                self._declared.records[step], partition=self.article, metadata=metadata
            )
        )


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(st.sampled_from(OTHERS), st.integers(0, 3)), max_size=8))
def test_whatever_happened_it_reads_as_if_every_event_had_been_opened(
    log: dg.DagsterInstance, declared: DeclaredPipeline, history: list[tuple[str, int]]
) -> None:
    teller = Teller(log, declared)
    for what, number in [("steps", 0), ("end", 0), *history]:
        teller.happens(what, number)
        [found] = ledgers(log, declared, [teller.article]).values()
        [all_opened] = whole(log, declared, [teller.article]).values()
        assert found == ledger_of(all_opened, teller.article)


def test_an_ended_article_is_read_from_one_event(
    instance: dg.DagsterInstance, declared: DeclaredPipeline
) -> None:
    articles = [f"article-{number}" for number in range(5)]
    write_history(instance, declared, brief(MODEL_ARTICLE), articles)
    before = ledgers(instance, declared, articles)
    states = [article_report(declared.pipeline, ledger)["state"] for ledger in before.values()]
    assert states == ["assembled"] * len(articles)
    assert before == {
        article: ledger_of(basis, article)
        for article, basis in whole(instance, declared, articles).items()
    }
    make_unreadable(instance, declared)
    assert ledgers(instance, declared, articles) == before
    assert ledgers(instance, declared, articles[:1]) == {articles[0]: before[articles[0]]}


def test_more_articles_than_one_query_takes_are_all_read(
    instance: dg.DagsterInstance, declared: DeclaredPipeline
) -> None:
    articles = [f"article-{number:04}" for number in range(AT_ONCE + 3)]
    write_history(instance, declared, brief(MODEL_ARTICLE), articles)
    make_unreadable(instance, declared)
    found = ledgers(instance, declared, articles)
    assert list(found) == articles
    assert all(ledger.input == f"{INPUT} of {article}" for article, ledger in found.items())


def _states(studio: Studio, found: Mapping[str, Ledger]) -> dict[str, str]:
    pipeline = studio.declared.pipeline
    return {name: article_report(pipeline, ledger)["state"] for name, ledger in found.items()}


def test_articles_of_every_kind_read_the_same_in_one_look(lab: OpenLab) -> None:
    flagged = {**STRONG, "match": "*/approved/*quality_pass#*"}
    refuses = {"match": "*/refused/note/text#*", "refusal": "No."}
    low = [{**weak("note"), "match": f"*/{name}/note/quality_pass#*"} for name in ("low", "lifted")]
    opened = lab(flagged, refuses, *low, STRONG)
    studio = opened.studio
    names = ["whole", "lost", "low", "lifted", "changed", "again", "refused", "queued"]
    studio.register(*map(brief, names))
    studio.drive_all(*names)
    assert list(approve(studio.workbench, "lifted")) == []
    studio.register(brief("changed", title="Another title"), brief("again"), brief("fresh"))
    studio.file("content/note/deliverable/lost.md").unlink()
    create(studio, {"dagster/partition": "queued"}, dg.DagsterRunStatus.QUEUED)
    names.append("fresh")
    found = ledgers(studio.instance, studio.declared, names)
    opened_all = whole(studio.instance, studio.declared, names)
    assert {n: (one.input, one.records) for n, one in found.items()} == {
        n: (one.input, one.records) for n, one in opened_all.items()
    }
    assert _states(studio, found) == {
        "whole": "assembled",
        "lost": "assembled",
        "low": "needs_review",
        "lifted": "assembled",
        "changed": "running",
        "again": "assembled",
        "refused": "refused",
        "queued": "running",
        "fresh": "new",
    }
    missing = missing_steps(studio.store, studio.declared, found.values())
    assert {name: steps for name, steps in missing.items() if steps} == {"lost": {"note"}}
    assert _states(studio, look(studio.workbench, ["lost", "whole"])) == {
        "lost": "running",
        "whole": "assembled",
    }


def test_ended_articles_of_every_kind_are_read_from_their_ends(lab: OpenLab) -> None:
    low = {**weak("note"), "match": "*/lifted/note/quality_pass#*"}
    studio = lab(low, STRONG).studio
    names = ["alone", "lifted", "one", "other"]
    studio.register(*map(brief, names))
    studio.drive("alone")
    studio.drive("lifted")
    studio.run_range("one", "other")
    assert list(approve(studio.workbench, "lifted")) == []
    before = ledgers(studio.instance, studio.declared, names)
    make_unreadable(studio.instance, studio.declared)
    assert ledgers(studio.instance, studio.declared, names) == before
    assert before["lifted"].records["row"].approved
    assert all(ledger.records["note"].spending.current.calls for ledger in before.values())
