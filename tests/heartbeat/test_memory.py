"""Memory is per run: nothing of an earlier brief gets into a row, and nothing is paid twice."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from orch_dagster.core.brief import Brief
from orch_dagster.core.decision import State, decide
from orch_dagster.core.ledger import Ledger
from orch_dagster.core.pipeline import INPUT
from orch_dagster.core.row import Row
from orch_dagster.drive import look
from orch_dagster.progress import Moment, Progress, listening
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.studio import STRONG, Studio, weak
from tests.heartbeat.conftest import OpenLab


def test_a_brief_changed_after_the_row_makes_everything_that_reads_it_anew(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    opened.daemon.live()
    before = _row(opened.studio)
    changed = brief("cellar", sources="Slate shelves keep cool. Sand keeps carrots till March.")
    opened.studio.register(changed)
    [run] = opened.daemon.live()
    assert "made from an input that no longer stands" in run.tags["orch/reason"]
    after = _check_that_all_is_of(opened.studio, changed)
    assert not set(before.made_from.values()) & set(after.made_from.values())
    # 'meta' reads the outline and the card's pass its candidate, which are others now.
    assert opened.studio.asked() == dict.fromkeys(opened.studio.prompts(), 2)


def test_answers_stand_whose_declared_inputs_are_the_same(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    opened.daemon.live()
    before, asked = _row(opened.studio), opened.studio.asked()
    changed = brief("cellar", crm_trigger="Asks for the plan of the shelves.")  # no prompt reads it
    opened.studio.register(changed)
    [run] = opened.daemon.live()
    assert opened.studio.selection(run) == set(_assets(opened.studio))
    after = _check_that_all_is_of(opened.studio, changed)
    assert opened.studio.asked() == asked
    assert not set(before.made_from.values()) & set(after.made_from.values())


def test_a_brief_that_was_weak_starts_with_all_its_passes_when_it_is_changed(lab: OpenLab) -> None:
    opened = lab(weak("note"), STRONG)
    opened.studio.register(brief("cellar"))
    opened.daemon.live()
    assert _state(opened.studio) is State.NEEDS_REVIEW
    opened.studio.register(brief("cellar", title="Another title altogether"))
    runs = opened.daemon.live()
    assert [run.tags["orch/decision"] for run in runs] == ["run", "rework", "rework"]
    assert opened.studio.asked()["note/quality_pass"] == 6


def test_a_brief_changed_while_the_chains_are_asked_never_mixes_in_a_row(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    changed = brief("cellar", title="Another title altogether")
    with _registering(opened.studio, changed, "note/outline"):
        runs = opened.daemon.live()
    assert len(runs) == 2
    _check_that_all_is_of(opened.studio, changed)
    assert "Another title" in opened.studio.file("content/note/deliverable/cellar.md").read_text()


def test_a_brief_changed_during_a_quality_pass_never_mixes_in_a_row(lab: OpenLab) -> None:
    opened = lab(STRONG)
    opened.studio.register(brief("cellar"))
    changed = brief("cellar", title="Another title altogether")
    with _registering(opened.studio, changed, "note/quality_pass"):
        opened.daemon.live()
    _check_that_all_is_of(opened.studio, changed)
    again = opened.studio.asked() - Counter(dict.fromkeys(opened.studio.prompts(), 2))
    assert not again  # each prompt once for each brief, at most


def test_a_brief_that_is_changed_and_changed_back_is_not_paid_for_again(lab: OpenLab) -> None:
    opened = lab(STRONG)
    first = brief("cellar")
    opened.studio.register(first)
    with _registering(opened.studio, brief("cellar", title="Another title"), "note/outline"):
        opened.daemon.beat()
    opened.studio.register(first)
    opened.daemon.live()
    _check_that_all_is_of(opened.studio, first)


@contextmanager
def _registering(studio: Studio, changed: Brief, prompt: str) -> Iterator[None]:
    """Inside the block the brief is changed at the moment when a prompt is first asked."""
    waiting = [changed]

    def hear(progress: Progress) -> None:
        here = f"{progress.library}/{progress.prompt}"
        if here == prompt and progress.moment is Moment.ASKED and waiting:
            studio.register(waiting.pop())

    with listening(hear):
        yield
    assert not waiting


def _check_that_all_is_of(studio: Studio, of: Brief) -> Row:
    """The row, after a look whether each of its episodes is made from a draft of this brief."""
    row, ledger = _row(studio), _ledger(studio)
    assert _state(studio) is State.FINISHED
    for library in studio.pipeline.libraries:
        draft, episode = (ledger.records[step.name] for step in library.steps)
        assert draft.made_from == {INPUT: of.fingerprint()}
        assert episode.made_from == {library.draft_step: draft.fingerprint}
        assert row.made_from[library.name] == episode.fingerprint
        assert row.libraries[library.name].deliverable == episode.document
    return row


def _row(studio: Studio) -> Row:
    return Row.model_validate_json(studio.file("content/row/cellar.json").read_bytes())


def _ledger(studio: Studio) -> Ledger:
    return look(studio.workbench, ["cellar"])["cellar"]


def _state(studio: Studio) -> State:
    return decide(studio.declared.pipeline, _ledger(studio)).state


def _assets(studio: Studio) -> list[str]:
    steps = tuple(studio.declared.records)
    return [key.to_user_string() for key in studio.declared.selection(steps)]
