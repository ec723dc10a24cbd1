"""Fetch: a URL or a file becomes clean Markdown under a head that says where it comes from."""

from typing import Any

import yaml

from assets.translation.source import read_source
from orch_dagster.document_step import Outcome, Task


async def fetch(task: Task) -> Outcome:
    """The article in Markdown, with title, author, date and addresses in its head."""
    source = await read_source(task)
    article: Any = await source.fetched_by(task.bench.resources.fetcher)
    head = {
        "title": article.title,
        "author": article.author,
        "date": article.date,
        "url": source.url,
        "canonical_url": article.canonical_url,
    }
    shown = yaml.safe_dump(head, allow_unicode=True, sort_keys=False, width=10_000)
    words = len(article.markdown.split())
    metadata = {"title": article.title, "source": source.url or source.name or "", "words": words}
    return Outcome(f"---\n{shown}---\n\n{article.markdown}", words=words, metadata=metadata)
