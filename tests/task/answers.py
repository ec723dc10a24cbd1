"""One set of sound answers for the task library, to be varied by tests."""

from typing import Any

from assets.content.task.models import (
    Breakdown,
    Link,
    Order,
    Revision,
    Role,
    Scope,
    TaskRevision,
    Work,
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


def work(title: str, hours: int = 3, role: Role = Role.EDITOR) -> Work:
    """One task before it has a day."""
    return Work(title=title, role=role, effort_hours=hours, done=f"{title}: it is on file.")


def link(task: int, *needs: int, waiting: int = 0) -> Link:
    """What one task waits for."""
    return Link(task_number=task, depends_on=needs, waiting_days=waiting)


def answers(*links: Link) -> dict[str, Any]:
    """Every answer of the chain, by prompt name."""
    return {
        "scope": Scope(
            outcome="The article stands online with the loss table.",
            decider="The managing editor says yes to the table.",
            duties=("Show three members their counts.", "Print no name."),
            risks=("It is read as a verdict on one product.",),
        ),
        "breakdown": Breakdown(
            before=(
                work("Recount the losses", 5, Role.FACT_CHECKER),
                work("Ask the three members", 2),
                work("Draw the loss table", 8, Role.DESIGNER),
                work("Write the piece", 14, Role.WRITER),
            ),
            approval=work("Approve table and text", 1, Role.MANAGING_EDITOR),
            publication=work("Publish with the table", 1, Role.WEB_PRODUCER),
            after=(work("Answer the first letters", 4),),
        ),
        "order": Order(links=links or (link(2, 1), link(3, 1), link(4, 2, 3, waiting=5))),
    }


def revision(*tasks: TaskRevision) -> Revision:
    """The pass's answer with these repairs and good scores."""
    return Revision(tasks=tasks, flags=(), voice_consistency=4.4, coherence_score=4.6)


def task_revision(task: int, **changes: Any) -> TaskRevision:
    """A repair of one task that leaves all else as it is."""
    same = dict.fromkeys(("title", "role", "effort_hours", "done"))
    return TaskRevision(task_number=task, **(same | changes))
