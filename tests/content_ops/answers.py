"""One set of sound answers for the distribution library, to be varied by tests."""

from typing import Any

from assets.content.content_ops.models import (
    Action,
    Ahead,
    Channel,
    ChannelChoice,
    Channels,
    EntryRevision,
    Format,
    Owner,
    Piece,
    PieceRevision,
    Release,
    Repurposing,
    Revision,
    Schedule,
)
from orch_dagster.core.brief import Brief


def brief(**changes: Any) -> Brief:
    """A brief about beehives."""
    return Brief.model_validate(
        {
            "slug": "lost-hives",
            "title": "Where a third of the hives went",
            "brand_identity": "The Aller Valley Beekeepers are a cooperative of 41 members.",
            "brand_voice": "Calm, exact, in the first person plural.",
            "core_thesis": "Hives die of neglect in October, not of cold in January.",
            "primary_audience": "Keepers with two to ten hives.",
            "secondary_audience": "Orchard owners who rent hives in spring.",
            "competitive_context": "Suppliers say that a product would have helped.",
            "visual_style": "Close photographs of work, no swarms.",
            "seo_cluster": "Pillar: winter hive loss. Supporting: october varroa check.",
            "crm_trigger": "A keeper reports a loss. Never a telephone call.",
            "sources": "Of 212 hives 71 were lost; 58 of them had not been treated by October.",
        }
        | changes
    )


def release(piece: int, days: int, **changes: Any) -> Release:
    """Piece `piece` going out `days` after publication."""
    plain: dict[str, Any] = {
        "channel": Channel.COMMUNITY,
        "what": f"Post piece {piece} in the forum of day {days}.",
        "owner": Owner.COMMUNITY_MANAGER,
        "weekdays_only": True,
    }
    return Release(piece_number=piece, days_after=days, **(plain | changes))


def ahead(days: int) -> Ahead:
    """Something done `days` before publication."""
    return Ahead(
        days_before=days,
        channel=Channel.PARTNER,
        what=f"Show the orchard its paragraph, {days} days ahead.",
        owner=Owner.EDITOR,
        weekdays_only=True,
    )


def answers(**changes: Any) -> dict[str, Any]:
    """Every answer of the chain, by prompt name."""
    return {
        "channels": Channels(
            goal="Forty checks booked in four weeks.",
            channels=tuple(
                ChannelChoice(
                    channel=channel,
                    reader="primary",
                    reason="They ask there before they open a lid.",
                    owner=Owner.EDITOR,
                )
                for channel in (Channel.COMMUNITY, Channel.NEWSLETTER)
            ),
            constraints=("No member is named.",),
        ),
        "repurposing": Repurposing(
            pieces=tuple(
                Piece(
                    format=form,
                    source_part=f"The part that fits a {form.value}.",
                    use="Hangs in the shed and is looked at.",
                    reader="both",
                    effort_hours=3,
                )
                for form in (Format.CHECKLIST, Format.CHART, Format.TALK)
            )
        ),
        "timeline": Schedule(
            before=(ahead(3), ahead(10)),
            on_the_day=(
                Action(
                    channel=Channel.NEWSLETTER,
                    what="Send the letter to all members.",
                    owner=Owner.CRM_MANAGER,
                    weekdays_only=False,
                ),
            ),
            releases=(release(1, 9), release(2, 2), release(3, 28), release(1, 16)),
        ),
    } | changes


def revision(
    *, entries: tuple[EntryRevision, ...] = (), pieces: tuple[PieceRevision, ...] = ()
) -> Revision:
    """The pass's answer with these repairs and good scores."""
    return Revision(
        entries=entries, pieces=pieces, flags=(), voice_consistency=4.4, coherence_score=4.6
    )
