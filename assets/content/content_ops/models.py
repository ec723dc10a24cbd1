"""What the distribution prompts answer, and how their answers become one dated plan."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import Score5

Answers = Mapping[str, Any]
"""Answers by prompt name, as instances of their models."""

PUBLICATION_DAY = timedelta(0)
SATURDAY = 5


class Channel(StrEnum):
    """Where something can go out; `website` is the brand's own, where the article stands."""

    NEWSLETTER = "newsletter"
    LINKEDIN = "linkedin"
    COMMUNITY = "community"
    PARTNER = "partner"
    INSTAGRAM = "instagram"
    PRESS = "press"
    FACEBOOK = "facebook"
    YOUTUBE = "youtube"
    X = "x"
    MESSENGER = "messenger"
    PODCAST = "podcast"
    EVENT = "event"
    PRINT = "print"
    WEBSITE = "website"


class Owner(StrEnum):
    """The role of the one person who does it."""

    EDITOR = "editor"
    SOCIAL_MANAGER = "social_manager"
    CRM_MANAGER = "crm_manager"
    COMMUNITY_MANAGER = "community_manager"
    PARTNERSHIPS_MANAGER = "partnerships_manager"
    PRESS_OFFICER = "press_officer"
    DESIGNER = "designer"
    VIDEO_PRODUCER = "video_producer"
    AUTHOR = "author"


class Format(StrEnum):
    """What a part of the article can be made into."""

    CHART = "chart"
    CHECKLIST = "checklist"
    SHORT_VIDEO = "short_video"
    CAROUSEL = "carousel"
    NEWSLETTER_ITEM = "newsletter_item"
    ONE_PAGER = "one_pager"
    QUOTE_CARD = "quote_card"
    AUDIO_CLIP = "audio_clip"
    SLIDES = "slides"
    TALK = "talk"
    GUEST_ARTICLE = "guest_article"
    POSTER = "poster"


Reader = Literal["primary", "secondary", "both"]
Line = Annotated[str, Field(min_length=10, max_length=200)]
Effort = Annotated[int, Field(ge=1, le=40)]


class Answer(BaseModel):
    """What every answer and the deliverable have in common: frozen, no extra keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ChannelChoice(Answer):
    """One channel, and why."""

    channel: Channel = Field(description="The channel")
    reader: Reader = Field(description="Which audience it reaches")
    reason: Line = Field(description="The habit of that reader which makes it worth the work")
    owner: Owner = Field(description="The role that answers for it")


class Channels(Answer):
    """Where the article goes."""

    goal: Line = Field(description="One thing that can be counted at the end")
    channels: Annotated[tuple[ChannelChoice, ...], Field(min_length=2, max_length=6)] = Field(
        description="The channels, the most important first, none twice"
    )
    constraints: Annotated[tuple[Line, ...], Field(max_length=6)] = Field(
        description="Bans and duties that hold on all channels; empty if none"
    )


class Piece(Answer):
    """Something made from one part of the article."""

    format: Format = Field(description="What it is made into")
    source_part: Line = Field(description="Which part of the article, by the fact in it")
    use: Line = Field(description="What somebody does with it who never reads the article")
    reader: Reader = Field(description="Which audience it is for")
    effort_hours: Effort = Field(description="Hours of this team's work, 1 to 40")


class Repurposing(Answer):
    """The pieces."""

    pieces: Annotated[tuple[Piece, ...], Field(min_length=3, max_length=6)] = Field(
        description="Three to six pieces, each from a part of its own"
    )


class Action(Answer):
    """Something done on a channel."""

    channel: Channel = Field(description="Where it goes out")
    what: Line = Field(description="The instruction: verb, thing, place")
    owner: Owner = Field(description="The role that does it")
    weekdays_only: bool = Field(description="Whether it must not fall on a Saturday or Sunday")


class Ahead(Action):
    """An action before publication."""

    days_before: Annotated[int, Field(ge=1, le=30)] = Field(description="Days before publication")


class Release(Action):
    """A piece going out."""

    piece_number: Annotated[int, Field(ge=1, le=6)] = Field(description="The piece's number")
    days_after: Annotated[int, Field(ge=1, le=90)] = Field(description="Days after publication")


class Schedule(Answer):
    """All that goes out, but for the article itself, which code enters."""

    before: Annotated[tuple[Ahead, ...], Field(max_length=4)] = Field(
        description="What must happen before publication; empty if nothing"
    )
    on_the_day: Annotated[tuple[Action, ...], Field(min_length=1, max_length=3)] = Field(
        description="What goes out on the publication day"
    )
    releases: Annotated[tuple[Release, ...], Field(min_length=3, max_length=12)] = Field(
        description="When the pieces go out, each at least once"
    )


def duration(offset: timedelta) -> str:
    """Whole days as an ISO 8601 duration: "P3D", "P0D", and "-P3D" for three days before.

    ISO 8601-1 knows no sign; ISO 8601-2 and XML Schema put it in front, and pydantic reads it there.
    """
    return f"{'-' if offset < PUBLICATION_DAY else ''}P{abs(offset.days)}D"


Offset = Annotated[timedelta, PlainSerializer(duration, return_type=str, when_used="json")]


class EntryRevision(Answer):
    """New words or a new day for one entry."""

    entry_number: Annotated[int, Field(ge=1, le=19)] = Field(description="The entry's number")
    what: Line | None = Field(description="The new instruction, or null if it stays")
    owner: Owner | None = Field(description="The new owner, or null")
    days: Annotated[int, Field(ge=1, le=90)] | None = Field(
        description="New distance from publication in days, or null; before stays before"
    )


class PieceRevision(Answer):
    """A piece put right."""

    piece_number: Annotated[int, Field(ge=1, le=6)] = Field(description="The piece's number")
    source_part: Line | None = Field(description="The new part, or null if it stays")
    effort_hours: Effort | None = Field(description="The new effort, or null")


class Revision(Answer):
    """What the quality pass replaces, and how good the plan is then."""

    entries: Annotated[tuple[EntryRevision, ...], Field(max_length=8)] = Field(
        description="Entries to repair; empty if all stay"
    )
    pieces: Annotated[tuple[PieceRevision, ...], Field(max_length=6)] = Field(
        description="Pieces to repair; empty if all stay"
    )
    flags: Annotated[tuple[str, ...], Field(max_length=0)] = Field(description="Always empty")
    voice_consistency: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")
    coherence_score: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")


class Entry(Answer):
    """One line of the timeline. The publication itself is number 0, all others count from 1.

    `offset` is the distance from the publication day, in JSON an ISO 8601 duration.
    """

    number: Annotated[int, Field(ge=0)]
    offset: Offset
    channel: Channel
    what: str
    owner: Owner
    weekdays_only: bool
    piece_number: int | None


class PlannedPiece(Piece):
    """A piece with its number, by which the timeline refers to it."""

    number: Annotated[int, Field(ge=1)]


class DistributionPlan(Answer):
    """Who puts out what, where, how long before or after the article, and what is made from it.

    No date stands here, because the brief has none and the pipeline has no calendar: the plan says
    how far each entry lies from the publication day, and `dates` turns it into real days as soon as
    somebody names that day. The same plan stays right when publication is moved.
    """

    goal: str
    constraints: tuple[str, ...]
    channels: tuple[ChannelChoice, ...]
    timeline: tuple[Entry, ...]
    pieces: tuple[PlannedPiece, ...]


@dataclass(frozen=True, slots=True)
class Dated:
    """An entry on its day."""

    day: date
    entry: Entry


def dates(plan: DistributionPlan, publication: date) -> tuple[Dated, ...]:
    """The timeline in real days for an article published on `publication`, in order.

    The article comes out on the very day given. An entry with `weekdays_only` that would fall on a
    weekend moves away from publication: before it back to Friday, after it on to Monday; on the day
    itself it stays. So nothing changes sides.
    """
    dated = (Dated(_day(entry, publication), entry) for entry in plan.timeline)
    return tuple(sorted(dated, key=lambda item: item.day))


def compose(brief: Brief, answers: Answers) -> DistributionPlan:
    """The plan from the chain's answers: entries sorted by day, the publication among them."""
    channels: Channels = answers["channels"]
    schedule: Schedule = answers["timeline"]
    entries = [
        *(_entry(item, -item.days_before, None) for item in schedule.before),
        *(_entry(item, 0, None) for item in schedule.on_the_day),
        *(_entry(item, item.days_after, item.piece_number) for item in schedule.releases),
    ]
    return DistributionPlan(
        goal=channels.goal,
        constraints=channels.constraints,
        channels=channels.channels,
        timeline=_in_order([_publication(brief.title), *entries]),
        pieces=tuple(
            PlannedPiece(number=number, **piece.model_dump())
            for number, piece in enumerate(answers["repurposing"].pieces, start=1)
        ),
    )


def accept(prompt: str, answer: Any, answers: Answers) -> list[str]:
    """What is wrong with one answer in the light of earlier ones, each as a sentence."""
    match answer:
        case Channels():
            repeated = _repeated([item.channel.value for item in answer.channels])
            return [f"the channel {name!r} is chosen twice" for name in repeated]
        case Schedule():
            numbers = [item.piece_number for item in answer.releases]
            return _release_faults(numbers, of=len(answers["repurposing"].pieces))
        case Revision():
            return _revision_faults(answer, answers["candidate"])
        case _:
            return []


def revise(candidate: DistributionPlan, revision: Revision) -> DistributionPlan:
    """The plan with the replaced parts in it, in order and numbered anew."""
    new = {item.entry_number: item for item in revision.entries}
    pieces = {item.piece_number: item for item in revision.pieces}
    return candidate.model_copy(
        update={
            "timeline": _in_order(
                [_revised_entry(entry, new.get(entry.number)) for entry in candidate.timeline]
            ),
            "pieces": tuple(
                _revised_piece(piece, pieces.get(piece.number)) for piece in candidate.pieces
            ),
        }
    )


def show(candidate: DistributionPlan) -> str:
    """The plan as the quality pass sees it: one line for each entry and piece."""
    entries = [
        f"[{item.number}] {item.offset.days:+d} {item.channel}, {item.owner}"
        + (f", piece {item.piece_number}" if item.piece_number else "")
        + f": {item.what}"
        for item in candidate.timeline
    ]
    pieces = [
        f"[piece {item.number}] {item.format}, {item.effort_hours} h: {item.source_part}"
        for item in candidate.pieces
    ]
    return "\n".join([f"Goal: {candidate.goal}", *entries, *pieces])


def check(brief: Brief, answers: Answers, candidate: DistributionPlan) -> list[str]:
    """What code finds wrong with a plan, each as a sentence naming what and where."""
    timeline = candidate.timeline
    released = [item.piece_number for item in timeline if item.piece_number is not None]
    return [
        *_order_faults(timeline),
        *_channel_faults(candidate),
        *_release_faults(released, of=len(candidate.pieces)),
        *_number_faults(timeline),
        *(
            f"two entries of one day say the same: {text[:60]!r}"
            for text in _repeated(
                [_plain(f"{item.offset} {item.channel} {item.what}") for item in timeline]
            )
        ),
        *(
            f"two pieces are made from the same part: {text[:60]!r}"
            for text in _repeated([_plain(item.source_part) for item in candidate.pieces])
        ),
    ]


def _entry(action: Action, days: int, piece: int | None) -> Entry:
    return Entry(
        number=1,
        offset=timedelta(days=days),
        channel=action.channel,
        what=action.what.strip(),
        owner=action.owner,
        weekdays_only=action.weekdays_only,
        piece_number=piece,
    )


def _publication(title: str) -> Entry:
    return Entry(
        number=0,
        offset=PUBLICATION_DAY,
        channel=Channel.WEBSITE,
        what=f"Publish the article: {' '.join(title.split())}",
        owner=Owner.EDITOR,
        weekdays_only=False,
        piece_number=None,
    )


def _in_order(entries: list[Entry]) -> tuple[Entry, ...]:
    """Sorted by day, the publication first on its own, the others numbered from 1."""
    ordered = sorted(entries, key=lambda item: (item.offset, item.number != 0))
    before = [item for item in ordered if item.offset < PUBLICATION_DAY]
    numbers = iter(range(1, len(ordered) + 1))
    return tuple(
        item if item.number == 0 else item.model_copy(update={"number": next(numbers)})
        for item in [*before, *ordered[len(before) :]]
    )


def _revised_entry(entry: Entry, new: EntryRevision | None) -> Entry:
    if new is None or entry.number == 0:
        return entry
    side = -1 if entry.offset < PUBLICATION_DAY else 1
    moved = timedelta(days=side * new.days) if new.days and entry.offset else entry.offset
    return entry.model_copy(
        update={
            "what": (new.what or entry.what).strip(),
            "owner": new.owner or entry.owner,
            "offset": moved,
        }
    )


def _revised_piece(piece: PlannedPiece, new: PieceRevision | None) -> PlannedPiece:
    if new is None:
        return piece
    return piece.model_copy(
        update={
            "source_part": (new.source_part or piece.source_part).strip(),
            "effort_hours": new.effort_hours or piece.effort_hours,
        }
    )


def _revision_faults(revision: Revision, candidate: DistributionPlan) -> list[str]:
    entries = [item.entry_number for item in revision.entries]
    pieces = [item.piece_number for item in revision.pieces]
    last, most = len(candidate.timeline) - 1, len(candidate.pieces)
    found = [f"there is no entry {n}, the last is {last}" for n in entries if n > last]
    found += [f"entry {n} is repaired twice" for n in _repeated(entries)]
    found += [f"there is no piece {n}, the last is {most}" for n in pieces if n > most]
    return found + [f"piece {n} is repaired twice" for n in _repeated(pieces)]


def _release_faults(numbers: list[int], *, of: int) -> list[str]:
    found = [
        f"there is no piece {n}, the last is {of}" for n in sorted(set(numbers)) if not 1 <= n <= of
    ]
    missing = [n for n in range(1, of + 1) if n not in numbers]
    return found + [f"piece {n} never goes out in the timeline" for n in missing]


def _order_faults(timeline: tuple[Entry, ...]) -> list[str]:
    if not timeline:
        return ["the timeline is empty"]
    found = [
        f"entry {after.number} (day {after.offset.days:+d}) stands after entry {before.number} "
        f"(day {before.offset.days:+d})"
        for before, after in pairwise(timeline)
        if after.offset < before.offset
    ]
    if min(item.offset for item in timeline) > PUBLICATION_DAY:
        found.append("the timeline begins after the publication day")
    found += [
        f"entry {item.number} lies {item.offset} from publication, which is not whole days"
        for item in timeline
        if item.offset % timedelta(days=1)
    ]
    return found + [
        f"entry {item.number} puts out piece {item.piece_number} before the article"
        for item in timeline
        if item.piece_number is not None and item.offset < PUBLICATION_DAY
    ]


def _channel_faults(plan: DistributionPlan) -> list[str]:
    known = {channel.value for channel in Channel}
    used = [(f"entry {item.number}", item.channel) for item in plan.timeline]
    used += [("the channel list", item.channel) for item in plan.channels]
    return [f"{where}: channel {name!r} is unknown" for where, name in used if name not in known]


def _number_faults(timeline: tuple[Entry, ...]) -> list[str]:
    numbers = [item.number for item in timeline]
    found = [f"entry number {n} stands twice" for n in _repeated(numbers)]
    if 0 not in numbers:
        found.append("the publication itself is not in the timeline")
    return found


def _day(entry: Entry, publication: date) -> date:
    day = publication + entry.offset
    beyond = day.weekday() - SATURDAY
    if not entry.weekdays_only or beyond < 0 or entry.offset == PUBLICATION_DAY:
        return day
    back = entry.offset < PUBLICATION_DAY
    return day - timedelta(days=1 + beyond) if back else day + timedelta(days=2 - beyond)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _repeated(values: list[Any]) -> list[Any]:
    return sorted({value for value in values if values.count(value) > 1})
