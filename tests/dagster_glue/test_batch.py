"""A run's tag chooses the model that asks in batches."""

import pytest
from dagster import DagsterRun, DagsterRunStatus
from dagster._core.definitions.job_base import InMemoryJob
from dagster._core.execution.api import execute_run_iterator
from dagster._core.storage.tags import (
    ASSET_PARTITION_RANGE_END_TAG,
    ASSET_PARTITION_RANGE_START_TAG,
)

from orch_dagster.step import BATCH_TAG
from tests.dagster_glue.briefs import brief
from tests.dagster_glue.conftest import Open
from tests.dagster_glue.studio import STRONG, Studio

SLUGS = ("one", "three", "two")


def _launched(studio: Studio, tags: dict[str, str]) -> DagsterRun:
    """A run of the whole job over all articles, with tags as people set them in the UI."""
    job = studio.workbench.job
    chunk = {ASSET_PARTITION_RANGE_START_TAG: SLUGS[0], ASSET_PARTITION_RANGE_END_TAG: SLUGS[-1]}
    created = studio.instance.create_run_for_job(job_def=job, tags={**chunk, **tags})
    for _ in execute_run_iterator(InMemoryJob(job), created, studio.instance):
        pass
    run = studio.instance.get_run_by_id(created.run_id)
    assert run is not None
    return run


def _batches(studio: Studio) -> dict[str | None, set[str]]:
    """The prompts that were asked, by batch; None stands for those asked at once."""
    found: dict[str | None, set[str]] = {}
    for record in studio.records():
        if record["event"] == "asked":
            found.setdefault(record["batch"], set()).add(record["trace"])
    return found


def test_a_run_with_the_tag_asks_each_step_of_all_articles_in_one_batch(
    studio: Open,
) -> None:
    opened = studio(STRONG)
    opened.register(*(brief(slug) for slug in SLUGS))
    assert _launched(opened, {BATCH_TAG: "true"}).status is DagsterRunStatus.SUCCESS
    batches = list(_batches(opened).values())
    assert None not in _batches(opened)
    first = {
        f"content/{slug}/{prompt}#1" for slug in SLUGS for prompt in ("note/outline", "card/idea")
    }
    assert batches[0] == first
    assert len(batches) <= len(opened.prompts())
    assert all(count == len(SLUGS) for count in opened.asked().values())
    for slug in SLUGS:
        assert opened.file(f"content/row/{slug}.json").exists()


@pytest.mark.parametrize("tags", [{}, {BATCH_TAG: "false"}])
def test_a_run_without_it_asks_at_once(studio: Open, tags: dict[str, str]) -> None:
    opened = studio(STRONG)
    opened.register(*(brief(slug) for slug in SLUGS))
    assert _launched(opened, tags).status is DagsterRunStatus.SUCCESS
    assert set(_batches(opened)) == {None}


def test_a_tag_that_says_neither_is_told(studio: Open) -> None:
    opened = studio(STRONG)
    opened.register(*(brief(slug) for slug in SLUGS))
    run = _launched(opened, {BATCH_TAG: "yes"})
    assert run.status is DagsterRunStatus.FAILURE
    said = [
        str(event.user_message) + str(event.dagster_event)
        for event in opened.instance.all_logs(run.run_id)
    ]
    assert any("run tag 'orch/batch': 'yes' is neither 'true' nor 'false'" in line for line in said)
    assert opened.asked() == {}
