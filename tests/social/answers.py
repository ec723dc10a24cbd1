"""A brief about a lending library for tools, and answers that a sound chain could give to it."""

from typing import Any

from assets.content.social.models import (
    Angle,
    Angles,
    BlueskyPost,
    Conversation,
    FacebookPost,
    InstagramPost,
    LinkedinPost,
    PostEdit,
    PostSet,
    Revision,
    ThreadsPost,
    VariantB,
    XPost,
    compose,
)
from orch_dagster.core.brief import Brief

X_TEXT = "Our most borrowed drill runs 11 minutes a loan (median, 214 loans, our own meter)."
B_TEXT = "We bought nine drills because people asked for drills. They were asking for holes."


def brief(**changes: Any) -> Brief:
    """A valid brief with figures and a related article."""
    return Brief.model_validate(
        {
            "slug": "eleven-minutes",
            "title": "Eleven minutes",
            "brand_identity": "The Bench lends tools on an island.",
            "brand_voice": "Dry, friendly.",
            "core_thesis": "Lend drills by the afternoon.",
            "primary_audience": "Islanders.",
            "secondary_audience": "Councils.",
            "competitive_context": "Shops sell cheap drills.",
            "visual_style": "Workbench light.",
            "seo_cluster": "tool library, repair cafe",
            "crm_trigger": "A loan runs out.",
            "sources": "Median running time 11 minutes, 214 loans, our own meter. Ask @thebench.",
            "related": [{"title": "The meter", "url": "https://bench.example/meter"}],
        }
        | changes
    )


def angle(point: str) -> Angle:
    """An angle with this point."""
    return Angle(point=point, support="'11 minutes, 214 loans'", company="People on the ferry.")


def answers(**changes: Any) -> dict[str, Any]:
    """Every answer of the chain, by prompt name."""
    return {
        "angles": Angles(
            tone="We say what we counted, then stop.",
            never=("sharing is caring", "circular economy"),
            x=angle("The drill runs eleven minutes."),
            linkedin=angle("We bought nine drills too many."),
            instagram=angle("The label says eleven minutes."),
            facebook=angle("Drills by the afternoon now."),
            threads=angle("A wrench came back after years."),
            bluesky=angle("The meter counts motor time."),
            off_limits=(),
        ),
        "x": XPost(text=X_TEXT, topics=("tool library",), link=True),
        "linkedin": LinkedinPost(
            text="We bought nine drills too many.\n\nThe meter in the handle says why. " * 4,
            topics=("tool library", "repair cafe"),
            link=True,
        ),
        "instagram": InstagramPost(
            text="The label on this drill says how long it runs in a loan. " * 3,
            topics=("tool library", "lending shelf"),
        ),
        "facebook": FacebookPost(
            text="From Saturday you can have the big drill for an afternoon, for half the fee.  Ring.",
            topics=(),
            link=True,
        ),
        "conversation": Conversation(
            threads=ThreadsPost(
                text="Somebody brought back a pipe wrench after four years. It was cleaner than before.",
                topics=("tool library",),
                link=False,
            ),
            bluesky=BlueskyPost(
                text="Method note: the meter counts motor time, so a drill held ready is idle.",
                topics=("tool library", "Tool Library"),
                link=True,
            ),
        ),
        "variant_b": VariantB(
            text=B_TEXT, topics=(), link=False, differs="Bets on an admitted mistake."
        ),
    } | changes


def post_set() -> PostSet:
    """The set that the sound answers make."""
    return compose(brief(), answers())


def revision(*edits: PostEdit, variant_b: str | None = None) -> Revision:
    """The pass's answer with these edits and good scores."""
    return Revision(
        posts=edits, variant_b=variant_b, flags=(), voice_consistency=4.4, coherence_score=4.5
    )
