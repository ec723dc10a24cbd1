"""The content pipeline: one brief, the libraries in this folder's folders, one row."""

from functools import cache

from assets import content
from orch_dagster.library_pipeline import LibraryPipeline


@cache
def content_pipeline() -> LibraryPipeline:
    """The pipeline, loaded once a process."""
    return LibraryPipeline("content", content)
