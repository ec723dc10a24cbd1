"""What can go wrong when an article goes out."""

from orch_dagster.step import StepError


class PublishError(StepError):
    """The article is not out, or not everywhere; the sentence says where and what to do."""
