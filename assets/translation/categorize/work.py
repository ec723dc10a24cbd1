"""Categorize: one of the configured list."""

import json

from assets.translation.languages import translation_settings
from assets.translation.structure.pieces import outline
from assets.translation.structure.segmentation import segment
from assets.translation.texts import fetched
from orch_dagster.document_step import Outcome, Task

_BEGINNING = 1_500
"""Characters of the article that the categorizer sees beside the outline."""


async def categorize(task: Task) -> Outcome:
    """The article's category."""
    article = await fetched(task)
    chain = await task.chain(words=len(article.body.split()))
    answer = await chain.ask(
        chain.folder.prompt("category"),
        {
            "categories": list(translation_settings().categories),
            "title": article.title,
            "outline": outline(segment(article.body)) or "(no headings)",
            "beginning": article.body[:_BEGINNING],
        },
    )
    text = json.dumps({"category": answer.category}, ensure_ascii=False) + "\n"
    return Outcome(text, words=1, metadata={"category": answer.category})
