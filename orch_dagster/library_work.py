"""A library's work on one article: the chain that drafts, and the pass that repairs and scores."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from orch_dagster.candidate import candidate_of, count_words, render
from orch_dagster.chain import AnswerError, Chain, answers_of, stop_of
from orch_dagster.core.brief import Brief
from orch_dagster.core.budget import Stop
from orch_dagster.core.decision import scoring_due
from orch_dagster.core.episode import Episode, Flag, Status
from orch_dagster.core.ledger import Ledger, Record
from orch_dagster.core.pipeline import INPUT
from orch_dagster.core.spending import Spending, Spent
from orch_dagster.library import DELIVERABLE, FINDINGS, SCORES, Library
from orch_dagster.means import Means
from orch_dagster.model import Model, ModelError, RefusalError
from orch_dagster.prompt import PromptError
from orch_dagster.prompt_folder import CANDIDATE, Answers
from orch_dagster.shelf import DRAFT, PASS, DocumentError, Shelf
from orch_dagster.subject import subject_of
from orch_dagster.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Desk:
    """What every library works with: the documents of its pipeline, the model, the means."""

    shelf: Shelf
    model: Model
    means: Means


@dataclass(frozen=True, slots=True)
class Drafted:
    """The chain's outcome on one article; the transcript is the draft, whole or not."""

    transcript: Transcript
    record: Record


@dataclass(frozen=True, slots=True)
class Passed:
    """The pass's outcome: the deliverable (None where there is none to give) and the episode."""

    deliverable: str | None
    episode: Episode
    record: Record
    failure: str | None
    total: Spent
    """What chain and pass cost together, for the input as it stands."""


async def write_draft(desk: Desk, library: Library, ledger: Ledger) -> Drafted:
    """Ask the chain's prompts that have no valid answer yet; the outcome is always a draft."""
    article = ledger.article
    transcript, stop = _blank(library, ledger, library.draft_step), None
    try:
        transcript = await desk.shelf.transcript(library.name, DRAFT, article) or transcript
        brief = await desk.shelf.brief(article)
        _refuse_unregistered(brief, ledger)
        transcript = _continued(transcript, {INPUT: brief.fingerprint()})
        chain = _chain(desk, library, brief, ledger, transcript, DRAFT)
        try:
            await _ask_all(chain, library)
        finally:
            transcript = chain.transcript
        transcript = transcript.ended(Status.COMPLETE, None)
    except _FAILURES as error:
        transcript, stop = transcript.ended(_status_of(error), str(error)), stop_of(error)
    return Drafted(transcript, _draft_record(library, ledger, transcript, stop))


async def run_pass(desk: Desk, library: Library, ledger: Ledger) -> Passed:
    """Repair and score the draft, or the latest deliverable; the outcome is always an episode."""
    article = ledger.article
    draft, transcript = None, None
    try:
        draft = await desk.shelf.transcript(library.name, DRAFT, article)
        brief = await desk.shelf.brief(article)
        draft = _usable(library, ledger, draft, brief)
        transcript = await _pass_transcript(desk, library, ledger, draft, brief)
        chain = _chain(desk, library, brief, ledger, transcript, PASS)
        try:
            work = await _repair_and_score(chain, library, brief, draft)
        finally:
            transcript = chain.transcript
        await desk.shelf.keep(PASS, transcript.ended(Status.COMPLETE, None))
    except _FAILURES as error:
        if transcript is not None:
            transcript = transcript.ended(_status_of(error), str(error))
            await desk.shelf.keep(PASS, transcript)
        return _failed(library, ledger, draft, transcript, error)
    return await _passed(desk, library, ledger, draft, transcript, work)


@dataclass(frozen=True, slots=True)
class _Work:
    """A finished pass: the deliverable, the pass's own answer, and what code still finds wrong."""

    text: str
    revision: Any
    faults: list[str]


class DraftError(Exception):
    """A draft that a pass cannot work on; `status` is what the episode says of it."""

    def __init__(self, message: str, status: Status) -> None:
        super().__init__(message)
        self.status = status


_FAILURES = (AnswerError, ModelError, PromptError, DocumentError, DraftError)
"""What can go wrong on one article and is told in its documents; anything else is our fault."""


async def _ask_all(chain: Chain, library: Library) -> None:
    answers: dict[str, Any] = {}
    for prompt in library.chain:
        answers[prompt.name] = await chain.ask(prompt, answers, chain.length_check(prompt))


def _refuse_unregistered(brief: Brief, ledger: Ledger) -> None:
    if ledger.input != brief.fingerprint():
        raise DocumentError(
            f"the brief of {ledger.article!r} in the store is not the one that is registered; "
            "register it with 'orch add'"
        )


def _usable(library: Library, ledger: Ledger, draft: Transcript | None, brief: Brief) -> Transcript:
    where = f"{library.name}/draft of {ledger.article!r}"
    if draft is None:
        raise DraftError(f"{where}: not in the store", Status.FAILED)
    if draft.status is not Status.COMPLETE:
        raise DraftError(
            f"{where}: {draft.failure or 'not finished'}", draft.status or Status.FAILED
        )
    if draft.fingerprint() != ledger.fingerprint(library.draft_step):
        raise DraftError(f"{where}: not the one that is recorded", Status.FAILED)
    if draft.made_from.get(INPUT) != brief.fingerprint():
        raise DraftError(f"{where}: the brief changed after it was written", Status.FAILED)
    return draft


async def _pass_transcript(
    desk: Desk, library: Library, ledger: Ledger, draft: Transcript, brief: Brief
) -> Transcript:
    """The transcript that this pass goes on with; it says which text the pass works from."""
    article, step = ledger.article, library.steps[1]
    made_from = {library.draft_step: draft.fingerprint()}
    scoring = scoring_due(step, ledger)
    text = await desk.shelf.deliverable(library, article) if scoring > 1 else None
    stored = await desk.shelf.transcript(library.name, PASS, article)
    same = stored is not None and dict(stored.made_from) == made_from
    if stored and same and (stored.scoring == scoring or text is None):
        # Resumed; or the deliverable is lost, and is made again from the answers that made it.
        return _continued(stored, made_from)
    fresh = _continued(stored or _blank(library, ledger, step.name), made_from)
    if stored and same:
        # Each scoring asks anew, also where the last one changed nothing.
        fresh = fresh.for_next_scoring()
        kept = [a for a in fresh.answers if a.prompt != library.quality_pass.name]
        fresh = fresh.model_copy(update={"answers": tuple(kept)})
    if text is None:
        scoring = 1
        text = render(library.compose(brief, answers_of(library, draft)))
    before = ledger.current(step) if scoring > 1 else None
    scores = before.episode.scores if before and before.episode else None
    fresh = fresh.model_copy(update={"scoring": scoring, "base": text, "scores": scores})
    await desk.shelf.keep(PASS, fresh)
    return fresh


async def _repair_and_score(
    chain: Chain, library: Library, brief: Brief, draft: Transcript
) -> _Work:
    candidate = candidate_of(library, chain.transcript.base or "")
    answers: dict[str, Any] = {**answers_of(library, draft), CANDIDATE: candidate}
    answers[SCORES] = chain.transcript.scores
    answers[FINDINGS] = _check(library, brief, answers, candidate)

    def check(revision: Any) -> list[str]:
        return _check(library, brief, answers, _revised(library, candidate, revision))

    revision = await chain.ask(library.quality_pass, answers, check)
    revised = _revised(library, candidate, revision)
    answers[library.quality_pass.name] = revision
    answers[DELIVERABLE] = render(revised)
    for prompt in library.after_pass:
        answers[prompt.name] = await chain.ask(prompt, answers, chain.length_check(prompt))
    finish = library.hook("finish")
    finished = finish(brief, revised, answers) if finish else revised
    return _Work(render(finished), revision, _check(library, brief, answers, finished))


async def _passed(
    desk: Desk,
    library: Library,
    ledger: Ledger,
    draft: Transcript,
    transcript: Transcript,
    work: _Work,
) -> Passed:
    old = await desk.shelf.deliverable(library, ledger.article)
    if old is not None and old != work.text:
        await desk.shelf.keep_history(library, ledger.article, old)
    flags = {Flag(flag) for flag in work.revision.flags}
    if work.faults:
        flags.add(Flag.CHECK_FAILED)
    total = draft.spent + transcript.spent
    episode = Episode(
        library=library.name,
        status=Status.COMPLETE,
        word_count=count_words(work.text),
        **{gate.score: getattr(work.revision, gate.score) for gate in library.gates},
        meta_generated=True if library.declared.meta else None,
        assembly_ready=not work.faults,
        flags=tuple(sorted(flags)),
        token_usage=total.usage.total,
        latency_ms=total.latency_ms,
    )
    path = desk.shelf.deliverable_path(library, ledger.article)
    document = desk.shelf.store.describe(path, work.text.encode())
    record = Record(
        fingerprint=transcript.fingerprint(),
        made_from=transcript.made_from,
        status=Status.COMPLETE,
        episode=episode,
        scorings=transcript.scoring,
        failures=0,
        document=document,
        cost_usd=total.cost_usd,
        spending=transcript.spending,
    )
    return Passed(work.text, episode, record, "; ".join(work.faults) or None, total)


def _failed(
    library: Library,
    ledger: Ledger,
    draft: Transcript | None,
    transcript: Transcript | None,
    error: Exception,
) -> Passed:
    status = _status_of(error)
    total = (draft.spent if draft else Spent()) + (transcript.spent if transcript else Spent())
    episode = Episode(
        library=library.name,
        status=status,
        meta_generated=False if library.declared.meta else None,
        assembly_ready=False,
        token_usage=total.usage.total,
        latency_ms=total.latency_ms,
    )
    made_from, stop = _as_recorded(ledger, library.draft_step), stop_of(error)
    record = Record(
        fingerprint=f"{status}-{transcript.fingerprint() if transcript else 'none'}",
        made_from=made_from,
        status=status,
        episode=episode,
        scorings=scoring_due(library.steps[1], ledger),
        failures=_failures(ledger, library.name, made_from, stop),
        stop=stop,
        document=None,
        cost_usd=total.cost_usd,
        spending=transcript.spending if transcript else _on_record(ledger, library.name),
    )
    return Passed(None, episode, record, str(error), total)


def _draft_record(
    library: Library, ledger: Ledger, transcript: Transcript, stop: Stop | None
) -> Record:
    failed = transcript.status is not Status.COMPLETE
    made_from = _as_recorded(ledger, INPUT) if failed else transcript.made_from
    return Record(
        fingerprint=transcript.fingerprint(),
        made_from=made_from,
        status=transcript.status or Status.FAILED,
        episode=None,
        scorings=0,
        failures=_failures(ledger, library.draft_step, made_from, stop) if failed else 0,
        stop=stop,
        document=None,
        cost_usd=transcript.spent.cost_usd,
        spending=transcript.spending,
    )


def _blank(library: Library, ledger: Ledger, step: str) -> Transcript:
    """The transcript of a step that has none; what it cost before, if it was lost, is on record."""
    return Transcript(
        article=ledger.article,
        library=library.name,
        made_from={},
        settled=Spending(earlier=_on_record(ledger, step).total),
    )


def _on_record(ledger: Ledger, step: str) -> Spending:
    before = ledger.records.get(step)
    return before.spending if before else Spending()


def _as_recorded(ledger: Ledger, need: str) -> dict[str, str]:
    """What a failure counts against: the input as it is recorded, whatever the store holds.

    So a store that does not hold what is recorded ends in a stuck article, not in endless runs.
    """
    fingerprint = ledger.fingerprint(need)
    return {} if fingerprint is None else {need: fingerprint}


def _failures(ledger: Ledger, step: str, made_from: Mapping[str, str], stop: Stop | None) -> int:
    """How often in a row this step has failed on the same input; a stop is no failure of its own."""
    before = ledger.records.get(step)
    same = before is not None and dict(before.made_from) == dict(made_from)
    return (before.failures if before and same else 0) + (1 if stop is None else 0)


def _continued(stored: Transcript, made_from: Mapping[str, str]) -> Transcript:
    """A transcript to go on with: stored answers stand, money spent on another input does not."""
    same = dict(stored.made_from) == dict(made_from)
    going_on = stored if same else stored.for_other_input()
    return going_on.model_copy(update={"made_from": made_from, "status": None, "failure": None})


def _chain(
    desk: Desk,
    library: Library,
    brief: Brief,
    ledger: Ledger,
    transcript: Transcript,
    folder: str,
) -> Chain:
    step = library.draft_step if folder == DRAFT else library.name
    return Chain(
        pipeline=desk.shelf.pipeline,
        folder=library,
        subject=subject_of(brief),
        model=desk.model,
        transcript=transcript,
        save=lambda now: desk.shelf.keep(folder, now),
        allowances=desk.means.allowances(
            desk.shelf.pipeline, ledger, step=step, spent=transcript.spent
        ),
    )


def _check(library: Library, brief: Brief, answers: Answers, candidate: Any) -> list[str]:
    check = library.hook("check")
    return list(check(brief, answers, candidate)) if check else []


def _revised(library: Library, candidate: Any, revision: Any) -> Any:
    revise = library.hook("revise")
    return revise(candidate, revision) if revise else revision.deliverable


def _status_of(error: Exception) -> Status:
    match error:
        case DraftError(status=status):
            return status
        case RefusalError():
            return Status.REFUSED
        case _:
            return Status.FAILED
