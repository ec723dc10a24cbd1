"""What the image prompts answer, and how their answers become three picture concepts."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from assets.content.image import bans, frames
from assets.content.image.frames import Layout, Ratio, Use, Zone
from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import Score5

Answers = Mapping[str, Any]
"""Instances of the models below, by prompt name."""

CONCEPTS: Mapping[Use, str] = {"hero": "hero", "social": "social_graphic", "thumbnail": "thumbnail"}
"""The prompt that conceives the picture of each use."""

ALT_LIMIT = 125
"""Characters of an alt text: screen readers that read longer ones in pieces break near here."""

Line = Annotated[str, Field(min_length=10, max_length=240)]
Passage = Annotated[str, Field(min_length=20, max_length=500)]
Directive = Annotated[str, Field(min_length=120, max_length=900)]
Composition = Annotated[str, Field(min_length=20, max_length=320)]
AltText = Annotated[str, Field(min_length=15, max_length=ALT_LIMIT)]
Exclusion = Annotated[str, Field(min_length=3, max_length=60)]


class Answer(BaseModel):
    """What every structured answer of this library has in common: frozen, no extra keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Ban(Answer):
    """One thing that may not be shown, and the words that would bring it in."""

    ban: Line = Field(
        description="What may not be shown, in one sentence, and where the brief says so"
    )
    terms: Annotated[
        tuple[
            Annotated[
                str,
                Field(
                    min_length=3,
                    max_length=40,
                    examples=["lens flare", "stock smile", "racing jersey", "tilted horizon"],
                ),
            ],
            ...,
        ],
        Field(min_length=1, max_length=4),
    ] = Field(description="Narrow words for it that no directive may hold, never a common word")


class VisualBrief(Answer):
    """The brief's visual style as rules for a picture desk."""

    medium: Line = Field(description="Photograph, drawing, chart or map; made how, in which light")
    world: Passage = Field(
        description="Places, objects and materials of this brand that can be shown"
    )
    people: Line = Field(description="Who may be in the picture, doing what, seen how; or nobody")
    palette: Annotated[
        tuple[Annotated[str, Field(min_length=3, max_length=40)], ...],
        Field(min_length=2, max_length=5),
    ] = Field(description="The colours of the picture in plain words, the leading one first")
    bans: Annotated[tuple[Ban, ...], Field(max_length=8)] = Field(
        description="What the brief or its sources forbid to show; empty if nothing"
    )


class Motif(Answer):
    """What one picture shows, and why that carries the thesis."""

    subject: Line = Field(description="The thing seen, with its place and moment, as one sentence")
    carries: Line = Field(description="What a viewer understands from it before reading a word")


class Motifs(Answer):
    """One motif for each use; no two show the same thing."""

    thread: Line = Field(description="What makes the three one series")
    hero: Motif = Field(description="The wide opening picture above the article")
    social: Motif = Field(
        description="The picture of a shared post, seen among strangers' pictures"
    )
    thumbnail: Motif = Field(description="The small picture of a list, read at two centimetres")


class Concept(Answer):
    """One picture, but for its frame."""

    directive: Directive = Field(
        description="What an image model is told: subject, action, place, light, lens, palette"
    )
    composition: Composition = Field(
        description="Distance, angle, layers, and what the free zone is filled with"
    )
    layout: Layout = Field(
        description="Where the subject sits and where words can be set over the picture"
    )


class HeroConcept(Concept):
    """The hero picture."""

    aspect_ratio: frames.HeroRatio = Field(description="The frame of the hero picture")


class SocialConcept(Concept):
    """The social graphic."""

    aspect_ratio: frames.SocialRatio = Field(description="The frame of the social graphic")


class ThumbnailConcept(Concept):
    """The thumbnail."""

    aspect_ratio: frames.ThumbnailRatio = Field(description="The frame of the thumbnail")


Exclusions = Annotated[tuple[Exclusion, ...], Field(min_length=3, max_length=12)]


class ExclusionList(Answer):
    """What each picture must be kept free of, beside the brief's own bans."""

    hero: Exclusions = Field(description="Short noun phrases to keep out of the hero picture")
    social: Exclusions = Field(description="Short noun phrases to keep out of the social graphic")
    thumbnail: Exclusions = Field(description="Short noun phrases to keep out of the thumbnail")


class AltTexts(Answer):
    """What stands in for each picture where it is not seen."""

    hero: AltText = Field(description="Alt text of the hero picture, one line")
    social: AltText = Field(description="Alt text of the social graphic, one line")
    thumbnail: AltText = Field(description="Alt text of the thumbnail, one line")


class Point(Answer):
    """A place in the frame, in per cent from its left and upper edge."""

    x: Annotated[int, Field(ge=0, le=100)] = Field(description="Per cent of the width")
    y: Annotated[int, Field(ge=0, le=100)] = Field(description="Per cent of the height")


class Picture(Answer):
    """One picture, ready to be commissioned or generated."""

    use: Use = Field(description="What the picture is for")
    aspect_ratio: Ratio = Field(description="Width to height")
    width: Annotated[int, Field(ge=1)] = Field(description="Pixels, by the ratio")
    height: Annotated[int, Field(ge=1)] = Field(description="Pixels, by the ratio")
    directive: Directive = Field(description="What an image model is told to make")
    negative_directive: Annotated[str, Field(min_length=3, max_length=2_000)] = Field(
        description="What it is told to leave out: comma-separated noun phrases, the bans first"
    )
    alt_text: AltText = Field(description="What the picture shows, for those who do not see it")
    focal_point: Point = Field(description="What every crop must keep, as for CSS object-position")
    composition: Composition = Field(description="A note for whoever makes or crops the picture")
    text_zone: Zone | None = Field(
        description="The rectangle in which words can be set over the picture, in per cent of the "
        "frame; null where there is none"
    )


class ImageSet(Answer):
    """The three pictures of an article: hero, social graphic, thumbnail."""

    thread: Line = Field(description="What makes the three one series")
    bans: tuple[str, ...] = Field(
        description="Words that may not stand in a directive: the brief's own, then the art desk's"
    )
    pictures: Annotated[tuple[Picture, ...], Field(min_length=3, max_length=3)] = Field(
        description="Hero, social graphic and thumbnail, in this order"
    )


class PictureEdit(Answer):
    """What the quality pass replaces of one picture; null keeps what stands there."""

    use: Use = Field(description="The picture that is repaired")
    directive: Directive | None = Field(description="The whole new directive, or null")
    composition: Composition | None = Field(description="The whole new note, or null")
    alt_text: AltText | None = Field(description="The whole new alt text, or null")


class Revision(Answer):
    """What the quality pass repairs, and how good the series is once that is done."""

    pictures: Annotated[tuple[PictureEdit, ...], Field(max_length=3)] = Field(
        description="The repairs, at most one entry a picture; empty if none is worth making"
    )
    flags: Annotated[tuple[Literal["check_failed"], ...], Field(max_length=0)] = Field(
        description="Always empty: nothing here needs a word to assembly"
    )
    voice_consistency: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")
    coherence_score: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")


def compose(brief: Brief, answers: Answers) -> ImageSet:
    """The three pictures; frame, zone and the bans in every negative directive are set by code."""
    visual: VisualBrief = answers["visual_brief"]
    forbidden = bans.of_style(brief.visual_style)
    terms = [term for ban in visual.bans for term in ban.terms]
    words = tuple(dict.fromkeys([*forbidden, *terms]))
    return ImageSet(
        thread=answers["motifs"].thread,
        bans=words,
        pictures=tuple(_picture(use, answers, words) for use in CONCEPTS),
    )


def show(candidate: ImageSet) -> str:
    """The set as the quality pass sees it: what it can change, and the bans once."""
    lines = [f"Series: {candidate.thread}", f"Bans: {'; '.join(candidate.bans) or 'none'}"]
    for picture in candidate.pictures:
        zone = "words over it" if picture.text_zone else "no words over it"
        lines += [
            "",
            f"[{picture.use}] {picture.aspect_ratio}, {zone}",
            f"directive: {picture.directive}",
            f"composition: {picture.composition}",
            f"alt_text: {picture.alt_text}",
        ]
    return "\n".join(lines)


def accept(prompt: str, answer: Any, answers: Answers) -> list[str]:
    """What is wrong with one answer in the light of earlier ones, each as a sentence."""
    match answer:
        case Motifs():
            subjects: Mapping[Use, str] = {use: getattr(answer, use).subject for use in CONCEPTS}
            return _same("motif", subjects)
        case AltTexts():
            texts: Mapping[Use, str] = {use: getattr(answer, use) for use in CONCEPTS}
            found = [f for use, text in texts.items() for f in _alt_faults(use, text)]
            return [*found, *_same("alt text", texts)]
        case Revision():
            uses = [edit.use for edit in answer.pictures]
            return [f"{use} is edited twice" for use in CONCEPTS if uses.count(use) > 1]
        case _:
            return []


def revise(candidate: ImageSet, revision: Revision) -> ImageSet:
    """The candidate with the edited parts in place."""
    changes = {
        edit.use: edit.model_dump(exclude={"use"}, exclude_none=True) for edit in revision.pictures
    }
    pictures = tuple(p.model_copy(update=changes.get(p.use, {})) for p in candidate.pictures)
    return candidate.model_copy(update={"pictures": pictures})


def check(brief: Brief, answers: Answers, candidate: ImageSet) -> list[str]:
    """What code finds wrong with the set, each as a sentence naming what and where."""
    found: list[str] = []
    uses = tuple(picture.use for picture in candidate.pictures)
    if uses != tuple(CONCEPTS):
        found.append(f"the pictures are {', '.join(uses)}; they must be {', '.join(CONCEPTS)}")
    for picture in candidate.pictures:
        found += _alt_faults(picture.use, picture.alt_text)
        found += _frame_faults(picture)
        found += _ban_faults(picture, candidate.bans)
    missing = [ban for ban in bans.of_style(brief.visual_style) if ban not in candidate.bans]
    found += [f"visual_style forbids {ban!r}, and the set does not" for ban in missing]
    found += _same("alt text", {picture.use: picture.alt_text for picture in candidate.pictures})
    return found + _same("directive", {p.use: p.directive for p in candidate.pictures})


def _picture(use: Use, answers: Answers, words: tuple[str, ...]) -> Picture:
    concept: HeroConcept | SocialConcept | ThumbnailConcept = answers[CONCEPTS[use]]
    width, height = frames.size(concept.aspect_ratio)
    listed: tuple[str, ...] = getattr(answers["exclusions"], use)
    exclusions = [entry.strip(" .,;") for entry in listed]
    x, y = frames.focal_point(concept.layout)
    return Picture(
        use=use,
        aspect_ratio=concept.aspect_ratio,
        width=width,
        height=height,
        directive=concept.directive,
        negative_directive=", ".join(dict.fromkeys([*words, *exclusions])),
        alt_text=getattr(answers["alt_texts"], use),
        focal_point=Point(x=x, y=y),
        composition=concept.composition,
        text_zone=frames.text_zone(concept.layout),
    )


def _alt_faults(use: Use, text: str) -> list[str]:
    found = []
    if len(text) > ALT_LIMIT:
        found.append(f"{use}: the alt text has {len(text)} characters, at most {ALT_LIMIT} may be")
    if text != " ".join(text.split()):
        found.append(f"{use}: the alt text must stand on one line, with single spaces")
    if opening := bans.announcement(text):
        found.append(f"{use}: the alt text begins with {opening!r}; begin with what is seen")
    return found


def _frame_faults(picture: Picture) -> list[str]:
    found = []
    if picture.aspect_ratio not in frames.RATIOS[picture.use]:
        fitting = ", ".join(frames.RATIOS[picture.use])
        found.append(f"{picture.use}: {picture.aspect_ratio} does not fit this use; {fitting} do")
    if (picture.width, picture.height) != frames.size(picture.aspect_ratio):
        found.append(f"{picture.use}: width and height do not make {picture.aspect_ratio}")
    zone, point = picture.text_zone, picture.focal_point
    if zone is not None and zone.holds(point.x, point.y):
        found.append(f"{picture.use}: the focal point lies where words are to be set")
    return found


def _ban_faults(picture: Picture, words: tuple[str, ...]) -> list[str]:
    shown = {
        "directive": picture.directive,
        "composition note": picture.composition,
        "alt text": picture.alt_text,
    }
    found = [
        f"{picture.use}: the {part} names {word!r}, which may not be shown; leave the words out"
        for part, text in shown.items()
        for word in words
        if bans.names(text, word)
    ]
    left_out = [word for word in words if not bans.names(picture.negative_directive, word)]
    return found + [
        f"{picture.use}: the negative directive does not hold {word!r}" for word in left_out
    ]


def _same(what: str, texts: Mapping[Use, str]) -> list[str]:
    seen: dict[str, Use] = {}
    found = []
    for use, text in texts.items():
        other = seen.setdefault(bans.plain(text), use)
        if other != use:
            found.append(f"{use} and {other} have the same {what}")
    return found
