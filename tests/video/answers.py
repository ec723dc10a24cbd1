"""A brief about a night bakery, and answers that a sound chain could give to it."""

from collections.abc import Sequence
from typing import Any

from assets.content.video.models import (
    Angle,
    Angles,
    BeatEdit,
    CallEdit,
    Calls,
    HookEdit,
    LinkedinBeat,
    LinkedinScript,
    Revision,
    VerticalBeat,
    VerticalScript,
    VideoSet,
    YoutubeBeat,
    YoutubeScript,
    compose,
)
from orch_dagster.core.brief import Brief

SOURCES = """
Dough rests 18 hours, from noon to six in the morning; in the cold room at 6 degrees the last ten of
them. It needs a pinch of yeast where most recipes take a spoon. Two mixes run side by side so that
one can be thrown away when the flour is damp; that happened twice last winter.

Of 1,204 loaves 9% were misshapen in our own count, one oven, four weeks in October. It is our list
and not a study. Misshapen loaves go to the canteens at half price since then; before, they went to
a pig farm for nothing. Nine canteens take them; two asked not to be named.

The night shift is three people, from ten to six. The oven was rebuilt in 2011 and has no display,
so the baker listens to the crust: it crackles for about four minutes when a loaf is done. Visitors
may come on the first Friday of a month, by the side door, and must keep off the peel.

Day two: a loaf of rested dough can be dented with a thumb and comes back; one of quick dough does
not. We tried it with 40 loaves of each before the whole shift and wrote it down. Do not say that it
is healthier, nobody has measured that. Not for print: the name of the second mill.
"""
THINGS = ("dough", "oven", "rack", "crust", "yeast", "tray", "flour", "blade")


def brief(**changes: Any) -> Brief:
    """A valid brief with figures in its sources."""
    return Brief.model_validate(
        {
            "slug": "night-bakery",
            "title": "Why we bake at night",
            "brand_identity": "Krume bakes for nine canteens.",
            "brand_voice": "Plain, a little gruff.",
            "core_thesis": "Dough that rests needs less yeast and keeps longer.",
            "primary_audience": "People who bake at home.",
            "secondary_audience": "Canteen managers.",
            "competitive_context": "Factories bake in two hours.",
            "visual_style": "Night, steam, hands.",
            "seo_cluster": "long fermentation bread",
            "crm_trigger": "A reader saves the recipe.",
            "sources": SOURCES,
        }
        | changes
    )


def spoken(thing: str, words: int) -> str:
    """So many spoken words about a thing."""
    row = f"the {thing} stands on the bench all night and nobody touches it until four ".split()
    return f"{' '.join((row * 8)[:words]).capitalize()}."


def angle(point: str) -> Angle:
    """An angle with this point."""
    return Angle(
        viewer="Someone with a stale loaf on a Tuesday.",
        point=point,
        evidence="'Dough rests 18 hours'",
        place="The bench beside the oven.",
    )


def answers(**changes: Any) -> dict[str, Any]:
    """Every answer of the chain, by prompt name."""
    seen = "Hands fold dough in a tub, close."
    return {
        "angles": Angles(
            speaker="The baker on the night shift, to a neighbour.",
            youtube=angle("Rested dough needs half the yeast."),
            linkedin=angle("Crooked loaves can be sold."),
            vertical=angle("A crooked loaf tastes the same."),
            off_limits=(),
        ),
        "youtube": YoutubeScript(
            title="Why your bread is stale on day two",
            hook="Your bread is stale on day two. Here is why.",
            hook_seen="A thumb presses a loaf and the dent stays.",
            beats=tuple(YoutubeBeat(spoken=spoken(t, 40), seen=seen) for t in THINGS[:6]),
        ),
        "linkedin": LinkedinScript(
            title="We stopped hiding crooked loaves",
            hook="We throw away nothing since October.",
            hook_seen="A crooked loaf slides into a bag.",
            beats=tuple(LinkedinBeat(spoken=spoken(t, 25), seen=seen) for t in THINGS[:4]),
        ),
        "vertical": VerticalScript(
            title="Half price, same dough",
            hook="This crooked loaf costs half.",
            hook_seen="A bent loaf slides down the rack.",
            beats=tuple(VerticalBeat(spoken=spoken(t, 16), seen=seen) for t in THINGS[:3]),
        ),
        "calls_to_action": Calls(
            youtube_cta="The recipe with all its times is in the article.",
            linkedin_cta="Ask us for the October ledger, we print it.",
            vertical_cta="Ask for the crooked ones at the counter.",
        ),
    } | changes


def video_set() -> VideoSet:
    """The set that the sound answers make."""
    return compose(brief(), answers())


def revision(
    *,
    hooks: Sequence[HookEdit] = (),
    beats: Sequence[BeatEdit] = (),
    calls: Sequence[CallEdit] = (),
) -> Revision:
    """The pass's answer with these edits and good scores."""
    return Revision(
        hooks=tuple(hooks),
        beats=tuple(beats),
        calls=tuple(calls),
        flags=(),
        voice_consistency=4.4,
        coherence_score=4.5,
    )
