"""A night without a limit in money."""

from orch_dagster.core.budget import NO_LIMIT
from orch_dagster.night import NIGHTLY, Night

NIGHT = Night(cron=NIGHTLY, timezone="UTC", articles=100, budget=NO_LIMIT, is_on=False)
