"""One set of sound answers for the CRM library, to be varied by tests."""

from typing import Any

from assets.content.crm.models import (
    Bodies,
    Plan,
    PlannedStep,
    Revision,
    Segments,
    StepRevision,
    SubjectLine,
    SubjectLines,
    SubjectStyle,
    Trigger,
    WrittenBody,
    WrittenVariants,
)
from orch_dagster.core.brief import Brief

WORDS = ("lid", "frame", "brood", "smoker", "ledger")


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


def body(word: str) -> str:
    """A body long enough to be one."""
    return f"The {word} tells more than the weather does. " * 3 + (
        f"\n\nWe looked at every {word} of the 71 lost hives and wrote down what stood there, and "
        "in most of them it was the same thing."
    )


def answers(**changes: Any) -> dict[str, Any]:
    """Every answer of the chain, by prompt name."""
    numbered = list(enumerate(WORDS, start=1))
    return {
        "trigger": Trigger(
            entry="A keeper has reported a lost hive.",
            goal="The keeper books a check in October.",
            exit="A booking, a reply or the fifth e-mail.",
            forbidden=("Never telephone a keeper.",),
            other_channels=(),
        ),
        "subject_style": SubjectStyle(
            subject_rule="Names a part of the hive.",
            opening_rule="Begins at the hive stand.",
            button_rule="Says what happens next.",
            primary_stake="They have lost bees before.",
            secondary_stake="Their blossom waits for no one.",
            never=("Bee ready", "Buzzing news"),
        ),
        "plan": Plan(
            steps=tuple(
                PlannedStep(
                    purpose=f"Shows what the {word} tells.",
                    fact="58 of 71",
                    wait_days=wait,
                    sent_to="not_converted",
                    target="read_article",
                )
                for word, wait in zip(WORDS, (0, 2, 5, 7, 10), strict=True)
            )
        ),
        "subjects": SubjectLines(
            lines=tuple(
                SubjectLine(
                    step=n,
                    subject=f"The {word} in October",
                    preview=f"What {n} of us saw and told.",
                )
                for n, word in numbered
            )
        ),
        "bodies": Bodies(
            bodies=tuple(
                WrittenBody(step=n, body=body(word), button_label=f"See the {word}")
                for n, word in numbered
            )
        ),
        "segments": Segments(
            variants=tuple(
                WrittenVariants(
                    step=n,
                    primary_subject=f"Your {word}",
                    primary_opening=f"You lifted the {word} and saw nothing move.",
                    secondary_subject=f"Their {word}, your blossom",
                    secondary_opening=f"The {word} decides whether hives come in spring.",
                )
                for n, word in numbered
            )
        ),
    } | changes


def revision(*steps: StepRevision) -> Revision:
    """The pass's answer with these repairs and good scores."""
    return Revision(steps=steps, flags=(), voice_consistency=4.4, coherence_score=4.6)


def step_revision(step: int, **changes: Any) -> StepRevision:
    """A repair of one step that leaves all else as it is."""
    same = dict.fromkeys(("subject", "preview", "body", "button_label", "primary", "secondary"))
    return StepRevision(step=step, **(same | changes))
