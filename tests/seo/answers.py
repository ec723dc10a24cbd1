"""One set of sound answers for the search library, to be varied by tests."""

from typing import Any

from assets.content.seo.models import (
    FaqAnswer,
    FaqAnswers,
    Intent,
    Keywords,
    PlannedQuestion,
    Questions,
    Revision,
    Snippet,
    SupportingTerm,
)
from orch_dagster.core.brief import Brief

QUESTIONS = ("Why do hives die in winter?", "When is the last check?", "How many hives are lost")
TERMS = ("october varroa check", "hive insurance", "lost hive report")


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


def answers(**changes: Any) -> dict[str, Any]:
    """Every answer of the chain, by prompt name."""
    return {
        "intent": Intent(
            searcher="A keeper who has just lifted a lid and found no bees.",
            settles="They know which check they missed and when to make it.",
            intent="informational",
            first_answer="Most lost hives had not been treated by October.",
            gap="Nobody else publishes counts of untreated hives.",
            not_chased=("cheap bees",),
        ),
        "keywords": Keywords(
            pillar_term="winter hive loss",
            supporting=tuple(
                SupportingTerm(term=term, intent="informational", answered_by="58 of them were not")
                for term in TERMS
            ),
        ),
        "questions": Questions(
            questions=tuple(
                PlannedQuestion(question=text, fact="58 of 71 had not been treated")
                for text in QUESTIONS
            )
        ),
        "answers": FaqAnswers(
            answers=tuple(
                FaqAnswer(
                    number=number, text=f"Answer {number} is long enough to stand on its own."
                )
                for number in (1, 2, 3)
            )
        ),
        "snippet": Snippet(
            title_form="{pillar}: the check that was missed",
            description="What 71 lost hives had in common, and which check in October a keeper can "
            "still make before the frost.",
            slug_terms="Winter hive loss",
            publisher_name="Aller Valley Beekeepers",
        ),
    } | changes


def revision(**changes: Any) -> Revision:
    """The pass's answer with these replacements and good scores."""
    plain: dict[str, Any] = {
        "title_form": None,
        "description": None,
        "slug_terms": None,
        "questions": (),
        "drop_terms": (),
        "flags": (),
        "voice_consistency": 4.4,
        "coherence_score": 4.6,
    }
    return Revision(**(plain | changes))
