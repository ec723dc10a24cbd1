"""The schedule: each night it takes what is new or out of date, up to a count and a budget."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import dagster as dg

from orch_dagster.core.budget import Budget
from orch_dagster.core.decision import Decision, groups, renewal
from orch_dagster.event_log import read_ledgers
from orch_dagster.means import budget_tag
from orch_dagster.night import Night
from orch_dagster.process import bury_dead_runs
from orch_dagster.runs import article_tags, decision_tags
from orch_dagster.step import DeclaredPipeline

ARTICLES_AT_ONCE = 100
"""How many articles are read together."""

MOST_LOOKED_AT = 3_000
"""Articles that one night reads at most: an evaluation has 60 s. The next night goes on there."""


def nightly(
    declared: DeclaredPipeline, night: Night, *, articles_per_run: int
) -> dg.ScheduleDefinition:
    """The schedule of one pipeline."""

    @dg.schedule(
        name=f"{declared.name}_nightly",
        job_name=declared.name,
        cron_schedule=night.cron,
        execution_timezone=night.timezone,
        default_status=dg.DefaultScheduleStatus.RUNNING
        if night.is_on
        else dg.DefaultScheduleStatus.STOPPED,
        description=f"Takes up to {night.articles} articles that are new or out of date: edited "
        f"briefs, edited prompts. Spends at most: {night.budget.describe()}.",
    )
    def take(context: dg.ScheduleEvaluationContext) -> list[dg.RunRequest] | dg.SkipReason:
        requests = requests_of_night(
            context.instance,
            declared,
            night,
            date=context.scheduled_execution_time.isoformat(),
            articles_per_run=articles_per_run,
        )
        return requests or dg.SkipReason("nothing is new or out of date")

    return take


def requests_of_night(
    instance: dg.DagsterInstance,
    declared: DeclaredPipeline,
    night: Night,
    *,
    date: str,
    articles_per_run: int,
) -> list[dg.RunRequest]:
    """The runs of one night. Its budget is shared out by articles: each run is its own process."""
    bury_dead_runs(instance)
    due = _due(instance, declared, night.articles)
    runs = list(groups(declared.pipeline, due, most=articles_per_run))
    return [
        dg.RunRequest(
            run_key=f"{declared.name} {date} {number}",
            asset_selection=list(declared.selection(steps)),
            tags={
                **article_tags(tuple(group)),
                **decision_tags(group),
                **budget_tag(
                    f"night {date}, run {number}", _share(night.budget, len(group), len(due))
                ),
            },
        )
        for number, (steps, group) in enumerate(runs, start=1)
    ]


def _share(budget: Budget, part: int, whole: int) -> Budget:
    return Budget(
        usd=None if budget.usd is None else budget.usd * part / whole,
        tokens=None if budget.tokens is None else budget.tokens * part // whole,
    )


def _due(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, most: int
) -> dict[str, Decision]:
    """What is due, by article. Each night goes on where the last one came to."""
    place = f"orch/{declared.name}_nightly"
    start = instance.daemon_cursor_storage.get_cursor_values({place}).get(place) or None
    due: dict[str, Decision] = {}
    for page in _pages(instance, declared, start):
        start = page.start
        found = _due_of(instance, declared, page.articles)
        due |= dict(list(found.items())[: most - len(due)])
        if len(due) == most:
            break
        start = page.end
    instance.daemon_cursor_storage.set_cursor_values({place: start or ""})
    return due


def _due_of(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, articles: Sequence[str]
) -> dict[str, Decision]:
    ledgers = read_ledgers(instance, declared, articles, own_run=None, missing={})
    found = {
        article: renewal(declared.pipeline, ledger.refunded())
        for article, ledger in ledgers.items()
    }
    return {article: decision for article, decision in found.items() if decision.actions}


@dataclass(frozen=True, slots=True)
class _Page:
    """Some articles, and where this page begins and the next one does; None is the first of all."""

    articles: Sequence[str]
    start: str | None
    end: str | None


def _pages(
    instance: dg.DagsterInstance, declared: DeclaredPipeline, start: str | None
) -> Iterator[_Page]:
    """The articles from there to the last, then from the first on, as far as one night goes."""
    seen, to_come = 0, 1 if start is None else 2
    while seen < MOST_LOOKED_AT and to_come:
        found = instance.get_paginated_dynamic_partitions(
            declared.articles, limit=ARTICLES_AT_ONCE, ascending=True, cursor=start
        )
        end = found.cursor if found.has_more else None
        yield _Page(found.results, start, end)
        seen += len(found.results)
        start = end
        to_come -= end is None
