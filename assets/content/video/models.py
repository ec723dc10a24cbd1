"""What the video prompts answer, and how their answers become three films with running times."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from assets.content.video import figures
from assets.content.video.formats import (
    FORMATS,
    WORDS_PER_MINUTE,
    Format,
    Platform,
    count_words,
    seconds,
)
from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import Score5

Answers = Mapping[str, Any]
"""Instances of the models below, by prompt name."""

SCRIPTS: Mapping[Platform, str] = {
    "youtube": "youtube",
    "linkedin": "linkedin",
    "instagram_reels": "vertical",
}
"""The prompt that writes each platform's script."""

Line = Annotated[str, Field(min_length=10, max_length=240)]
Seen = Annotated[str, Field(min_length=10, max_length=220)]
Title = Annotated[str, Field(min_length=10, max_length=70)]
Call = Annotated[str, Field(min_length=15, max_length=90)]
Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0)]


class Answer(BaseModel):
    """What every structured answer of this library has in common: frozen, no extra keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Angle(Answer):
    """What one film is about, and for whom."""

    viewer: Line = Field(
        description="Who watches this here, in which minute of the day, wanting what"
    )
    point: Line = Field(description="The one thing this viewer knows afterwards, as a sentence")
    evidence: Line = Field(
        description="What of the sources shows it, quoted; 'none' if nothing does"
    )
    place: Line = Field(description="Where it is filmed and what is in reach of one camera there")


class Angles(Answer):
    """Three films on one thesis, none a cut of another."""

    speaker: Line = Field(description="Who speaks in all three, as whom, in which manner")
    youtube: Angle = Field(description="The explaining film, sought and chosen")
    linkedin: Angle = Field(description="The film for people at work, seen between posts")
    vertical: Angle = Field(description="The short vertical film, met by chance")
    off_limits: Annotated[tuple[Line, ...], Field(max_length=6)] = Field(
        description="What the brief keeps from being said or shown; empty if nothing"
    )


class YoutubeBeat(Answer):
    """One beat of the explaining film."""

    spoken: Annotated[str, Field(min_length=160, max_length=420)] = Field(
        description="The words said, 28 to 70 of them"
    )
    seen: Seen = Field(description="What the picture shows meanwhile: subject, size, movement")


class YoutubeScript(Answer):
    """The explaining film."""

    title: Title = Field(description="The video's title as listed")
    hook: Annotated[str, Field(min_length=15, max_length=52)] = Field(
        description="The first words, at most 12 of them, five seconds"
    )
    hook_seen: Seen = Field(description="The first picture")
    beats: Annotated[tuple[YoutubeBeat, ...], Field(min_length=6, max_length=8)] = Field(
        description="The film in order, without hook and call to action"
    )


class LinkedinBeat(Answer):
    """One beat of the film for people at work."""

    spoken: Annotated[str, Field(min_length=90, max_length=220)] = Field(
        description="The words said, 16 to 36 of them"
    )
    seen: Seen = Field(description="What the picture shows meanwhile: subject, size, movement")


class LinkedinScript(Answer):
    """The film for people at work."""

    title: Title = Field(description="The headline set over the film")
    hook: Annotated[str, Field(min_length=15, max_length=46)] = Field(
        description="The first words, at most 10 of them, four seconds"
    )
    hook_seen: Seen = Field(description="The first picture, understood without sound")
    beats: Annotated[tuple[LinkedinBeat, ...], Field(min_length=4, max_length=5)] = Field(
        description="The film in order, without hook and call to action"
    )


class VerticalBeat(Answer):
    """One beat of the short vertical film."""

    spoken: Annotated[str, Field(min_length=60, max_length=160)] = Field(
        description="The words said, 10 to 26 of them"
    )
    seen: Seen = Field(description="What the picture shows meanwhile: subject, size, movement")


class VerticalScript(Answer):
    """The short vertical film."""

    title: Title = Field(description="The cover's line")
    hook: Annotated[str, Field(min_length=10, max_length=36)] = Field(
        description="The first words, at most 7 of them, three seconds"
    )
    hook_seen: Seen = Field(description="The first picture, already in movement")
    beats: Annotated[tuple[VerticalBeat, ...], Field(min_length=3, max_length=4)] = Field(
        description="The film in order, without hook and call to action"
    )


class Calls(Answer):
    """The last words of each film."""

    youtube_cta: Call = Field(description="What the explaining film asks for, spoken, one step")
    linkedin_cta: Call = Field(description="What the film for people at work asks for, spoken")
    vertical_cta: Call = Field(description="What the vertical film asks for, spoken")


class Hook(Answer):
    """The first seconds."""

    spoken: Annotated[str, Field(min_length=10, max_length=60)] = Field(description="Words said")
    seen: Seen = Field(description="The first picture")
    words: Count = Field(description="Words said")
    seconds: Seconds = Field(description="How long they take at the set's pace")


class Beat(Answer):
    """One stretch of the film."""

    starts_at: Seconds = Field(description="Seconds from the film's first frame")
    seconds: Seconds = Field(description="How long its words take at the set's pace")
    spoken: Annotated[str, Field(min_length=10, max_length=420)] = Field(description="Words said")
    seen: Seen = Field(description="What the picture shows meanwhile")


class Video(Answer):
    """One film."""

    platform: Platform = Field(description="Where it is shown")
    title: Title = Field(description="Title, headline or cover line")
    aspect_ratio: Literal["16:9", "4:5", "9:16"] = Field(description="Width to height")
    hook: Hook = Field(description="The first seconds")
    beats: Annotated[tuple[Beat, ...], Field(min_length=1, max_length=8)] = Field(
        description="The script in order"
    )
    call_to_action: Call = Field(description="The last words")
    words: Count = Field(description="All words said: hook, beats and call")
    seconds: Seconds = Field(description="The film's length: all words at the set's pace")


class VideoSet(Answer):
    """The three films of an article. Times are computed from words, never estimated."""

    speaker: Line = Field(description="Who speaks in all three")
    words_per_minute: Literal[150] = Field(description="The pace that all times are computed with")
    videos: Annotated[tuple[Video, ...], Field(min_length=3, max_length=3)] = Field(
        description="YouTube, LinkedIn, Instagram Reels, in this order"
    )


class HookEdit(Answer):
    """A hook, replaced."""

    platform: Platform = Field(description="The film")
    spoken: Annotated[str, Field(min_length=10, max_length=46)] = Field(description="The new words")


class BeatEdit(Answer):
    """One beat's words, replaced."""

    platform: Platform = Field(description="The film")
    beat: Annotated[int, Field(ge=1, le=8)] = Field(description="The number of the beat")
    spoken: Annotated[str, Field(min_length=80, max_length=220)] = Field(
        description="The new words, about as many as before"
    )


class CallEdit(Answer):
    """A call to action, replaced."""

    platform: Platform = Field(description="The film")
    call_to_action: Call = Field(description="The new words")


class Revision(Answer):
    """What the quality pass repairs, and how good the films are once that is done."""

    hooks: Annotated[tuple[HookEdit, ...], Field(max_length=3)] = Field(
        description="Hooks to replace; empty if all hold"
    )
    beats: Annotated[tuple[BeatEdit, ...], Field(max_length=6)] = Field(
        description="Beats to replace; empty if all hold"
    )
    calls: Annotated[tuple[CallEdit, ...], Field(max_length=3)] = Field(
        description="Calls to action to replace; empty if all hold"
    )
    flags: Annotated[tuple[Literal["check_failed"], ...], Field(max_length=0)] = Field(
        description="Always empty: nothing here needs a word to assembly"
    )
    voice_consistency: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")
    coherence_score: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")


Script = YoutubeScript | LinkedinScript | VerticalScript


def compose(brief: Brief, answers: Answers) -> VideoSet:
    """The three films; every time in them is computed from the words."""
    calls: Calls = answers["calls_to_action"]
    return VideoSet(
        speaker=answers["angles"].speaker,
        words_per_minute=WORDS_PER_MINUTE,
        videos=tuple(
            _from_script(platform, answers[prompt], getattr(calls, f"{prompt}_cta"))
            for platform, prompt in SCRIPTS.items()
        ),
    )


def show(candidate: VideoSet) -> str:
    """The films as the quality pass sees them: numbered lines with their times."""
    lines = [f"Speaker: {candidate.speaker}"]
    for video in candidate.videos:
        form = FORMATS[video.platform]
        lines += [
            "",
            f"[{video.platform}] {video.title} ({video.seconds:.0f} s; {form.shortest:.0f} to "
            f"{form.longest:.0f})",
            f"hook ({video.hook.seconds} s, at most {form.hook_seconds:.0f}): {video.hook.spoken}",
        ]
        lines += [f"{n}. {beat.spoken}" for n, beat in enumerate(video.beats, start=1)]
        lines.append(f"call: {video.call_to_action}")
    return "\n".join(lines)


def accept(prompt: str, answer: Any, answers: Answers) -> list[str]:
    """What is wrong with one answer in the light of earlier ones, each as a sentence."""
    match answer:
        case YoutubeScript() | LinkedinScript() | VerticalScript():
            platform: Platform = next(name for name, script in SCRIPTS.items() if script == prompt)
            spoken = [beat.spoken for beat in answer.beats]
            return [*_hook_faults(platform, answer.hook), *_repeats(platform, spoken)]
        case Calls():
            return [
                fault
                for platform, script in SCRIPTS.items()
                for fault in _call_faults(platform, getattr(answer, f"{script}_cta"))
            ]
        case Revision():
            return _edit_faults(answer, answers["candidate"])
        case _:
            return []


def revise(candidate: VideoSet, revision: Revision) -> VideoSet:
    """The candidate with the edits in place and all times computed anew.

    An edit of a beat that does not exist changes nothing; `accept` refuses it first.
    """
    hooks = {edit.platform: edit.spoken for edit in revision.hooks}
    calls = {edit.platform: edit.call_to_action for edit in revision.calls}
    beats = {(edit.platform, edit.beat): edit.spoken for edit in revision.beats}
    videos = tuple(
        _video(
            video.platform,
            title=video.title,
            hook=(hooks.get(video.platform, video.hook.spoken), video.hook.seen),
            beats=[
                (beats.get((video.platform, number), beat.spoken), beat.seen)
                for number, beat in enumerate(video.beats, start=1)
            ],
            call=calls.get(video.platform, video.call_to_action),
        )
        for video in candidate.videos
    )
    return candidate.model_copy(update={"videos": videos})


def check(brief: Brief, answers: Answers, candidate: VideoSet) -> list[str]:
    """What code finds wrong with the films, each as a sentence naming what and where."""
    found: list[str] = []
    platforms = tuple(video.platform for video in candidate.videos)
    if platforms != tuple(SCRIPTS):
        found.append(f"the films are for {', '.join(platforms)}; needed: {', '.join(SCRIPTS)}")
    for video in candidate.videos:
        found += _video_faults(video)
        found += [
            f"{video.platform}: the figure {figure!r} stands nowhere in the brief"
            for figure in figures.invented(" ".join(_spoken(video)), brief)
        ]
    return found


def _from_script(platform: Platform, script: Script, call: str) -> Video:
    return _video(
        platform,
        title=script.title,
        hook=(script.hook, script.hook_seen),
        beats=[(beat.spoken, beat.seen) for beat in script.beats],
        call=call,
    )


def _video(
    platform: Platform,
    *,
    title: str,
    hook: tuple[str, str],
    beats: Iterable[tuple[str, str]],
    call: str,
) -> Video:
    opening, first_picture = hook
    words = count_words(opening)
    timed: list[Beat] = []
    for spoken, seen in beats:
        timed.append(
            Beat(
                starts_at=seconds(words),
                seconds=seconds(count_words(spoken)),
                spoken=spoken,
                seen=seen,
            )
        )
        words += count_words(spoken)
    words += count_words(call)
    return Video(
        platform=platform,
        title=title,
        aspect_ratio=FORMATS[platform].aspect_ratio,
        hook=Hook(
            spoken=opening,
            seen=first_picture,
            words=count_words(opening),
            seconds=seconds(count_words(opening)),
        ),
        beats=tuple(timed),
        call_to_action=call,
        words=words,
        seconds=seconds(words),
    )


def _spoken(video: Video) -> list[str]:
    return [video.hook.spoken, *(beat.spoken for beat in video.beats), video.call_to_action]


def _video_faults(video: Video) -> list[str]:
    form = FORMATS[video.platform]
    spoken = _spoken(video)
    words = sum(count_words(text) for text in spoken)
    found = [
        *_length_faults(video.platform, form, seconds(words)),
        *_hook_faults(video.platform, video.hook.spoken),
        *_call_faults(video.platform, video.call_to_action),
        *_repeats(video.platform, [beat.spoken for beat in video.beats]),
    ]
    if (video.words, video.seconds) != (words, seconds(words)):
        found.append(
            f"{video.platform}: {words} words take {seconds(words)} s, not {video.seconds} s"
        )
    if video.aspect_ratio != form.aspect_ratio:
        found.append(f"{video.platform}: the frame is {form.aspect_ratio} here")
    return found


def _length_faults(platform: Platform, form: Format, length: float) -> list[str]:
    if form.shortest <= length <= form.longest:
        return []
    return [
        f"{platform}: the film runs {length:.0f} s at {WORDS_PER_MINUTE} words a minute; "
        f"{form.shortest:.0f} to {form.longest:.0f} s are asked for"
    ]


def _hook_faults(platform: Platform, hook: str) -> list[str]:
    limit = FORMATS[platform].hook_seconds
    length = seconds(count_words(hook))
    found = []
    if length > limit:
        most = int(limit * WORDS_PER_MINUTE / 60)
        found.append(
            f"{platform}: the hook takes {length} s, at most {limit:.0f} s ({most} words) may be"
        )
    return found + _line_faults(platform, "hook", hook)


def _call_faults(platform: Platform, call: str) -> list[str]:
    return _line_faults(platform, "call to action", call)


def _line_faults(platform: Platform, what: str, text: str) -> list[str]:
    if text == " ".join(text.split()):
        return []
    return [f"{platform}: the {what} must stand on one line"]


def _repeats(platform: Platform, spoken: list[str]) -> list[str]:
    if len({_plain(text) for text in spoken}) == len(spoken):
        return []
    return [f"{platform}: two beats say the same words"]


def _edit_faults(revision: Revision, candidate: VideoSet) -> list[str]:
    lengths = {video.platform: len(video.beats) for video in candidate.videos}
    found = [
        f"{edit.platform}: there is no beat {edit.beat}, the last is {lengths[edit.platform]}"
        for edit in revision.beats
        if edit.beat > lengths[edit.platform]
    ]
    edited = [
        *(f"the hook of {edit.platform}" for edit in revision.hooks),
        *(f"beat {edit.beat} of {edit.platform}" for edit in revision.beats),
        *(f"the call of {edit.platform}" for edit in revision.calls),
    ]
    twice = sorted({what for what in edited if edited.count(what) > 1})
    return found + [f"{what} is edited twice" for what in twice]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!?")
