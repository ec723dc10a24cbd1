"""What the schedule may take and spend in one night."""

from dataclasses import dataclass

from orch_dagster.core.budget import Budget

NIGHTLY = "0 2 * * *"
"""At two every night, in cron's words."""


@dataclass(frozen=True, slots=True)
class Night:
    """When, and how much: `articles` and `budget` are the most that one night takes and spends.

    `is_on` says whether it begins without having been switched on in the UI.
    """

    cron: str
    timezone: str
    articles: int
    budget: Budget
    is_on: bool
