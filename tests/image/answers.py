"""A brief about a lock-keeper's company, and answers that a sound chain could give to it."""

from typing import Any

from assets.content.image.models import (
    AltTexts,
    Ban,
    ExclusionList,
    HeroConcept,
    ImageSet,
    Motif,
    Motifs,
    PictureEdit,
    Revision,
    SocialConcept,
    ThumbnailConcept,
    VisualBrief,
    compose,
)
from orch_dagster.core.brief import Brief


def brief(**changes: Any) -> Brief:
    """A valid brief whose visual style forbids three things."""
    return Brief.model_validate(
        {
            "slug": "small-leaks",
            "title": "Small leaks",
            "brand_identity": "Ebb & Sons keeps eleven locks on an old canal.",
            "brand_voice": "Dry and exact.",
            "core_thesis": "A small leak mended in March saves a gate in November.",
            "primary_audience": "Boat owners.",
            "secondary_audience": "Parish councils.",
            "competitive_context": "Contractors replace whole gates.",
            "visual_style": "Documentary, overcast. Never a holiday boat, no sunsets and drones. "
            "Tar black and moss.",
            "seo_cluster": "lock repair",
            "crm_trigger": "A leak is reported.",
        }
        | changes
    )


def directive(subject: str) -> str:
    """A directive of the right length about a subject."""
    return (
        f"{subject}, seen from three metres off at knee height in a dripping brick chamber, early "
        "March, flat overcast light, tar black and moss green, documentary photograph with grain."
    )


def answers(**changes: Any) -> dict[str, Any]:
    """Every answer of the chain, by prompt name."""
    return {
        "visual_brief": VisualBrief(
            medium="Photographs from a tripod, overcast, no flash.",
            world="Oak gates with iron straps, windlass, ropes, wet brick.",
            people="The keeper at work, seen from the side.",
            palette=("tar black", "moss green"),
            bans=(Ban(ban="No guests on deck, the style says work.", terms=("sun deck",)),),
        ),
        "motifs": Motifs(
            thread="One strand of hemp at three distances.",
            hero=Motif(subject="A keeper kneels at the gate.", carries="The leak is finger-thin."),
            social=Motif(subject="A hand holds a coil of hemp.", carries="The remedy is small."),
            thumbnail=Motif(subject="A windlass on a nail.", carries="Somebody is at work."),
        ),
        "hero": HeroConcept(
            directive=directive("A lock-keeper kneels at an oak gate"),
            composition="Dark planks fill the right half.",
            layout="subject left, words right",
            aspect_ratio="16:9",
        ),
        "social_graphic": SocialConcept(
            directive=directive("A gloved hand holds a coil of tarred hemp"),
            composition="Iron strap across the frame, wall above.",
            layout="subject low, words above",
            aspect_ratio="4:5",
        ),
        "thumbnail": ThumbnailConcept(
            directive=directive("A single windlass hangs from a nail"),
            composition="Dark iron on a pale wall, whole outline.",
            layout="subject centred, no words",
            aspect_ratio="4:3",
        ),
        "exclusions": ExclusionList(
            hero=("second keeper", "watermark", "extra fingers"),
            social=("watermark", "second hand", "logo."),
            thumbnail=("watermark", "shadow of a person", "rope"),
        ),
        "alt_texts": AltTexts(
            hero="A lock-keeper kneels at a tall gate and presses hemp into a leak.",
            social="A gloved hand holds a thin coil of hemp against rusty iron.",
            thumbnail="Iron windlass hanging from a nail on a white wall.",
        ),
    } | changes


def image_set() -> ImageSet:
    """The set that the sound answers make."""
    return compose(brief(), answers())


def edit(**changes: Any) -> PictureEdit:
    """An edit of the hero that changes only what is named."""
    plain = {"use": "hero", "directive": None, "composition": None, "alt_text": None}
    return PictureEdit(**(plain | changes))


def revision(*edits: PictureEdit) -> Revision:
    """The pass's answer with these edits and good scores."""
    return Revision(pictures=edits, flags=(), voice_consistency=4.4, coherence_score=4.5)
