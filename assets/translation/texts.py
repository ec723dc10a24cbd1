"""Which text of an article counts: the fetched one, its translation, the newest of that."""

from dataclasses import dataclass

from orch_dagster.document_step import Task
from orch_dagster.shelf import DocumentError
from orch_dagster.strict_yaml import YamlError, read_mapping, split_head

FETCH, CATEGORIZE, TRANSLATE = "fetch-output", "categorize-output", "translate-output"
POLISH, REVIEW, PUBLISH = "polish-output", "review-output", "publish-output"

NOT_NEEDED = "---\nstatus: not needed\n---\n"
"""What polish writes until a review asks for it: a step that is skipped would skip review too."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The article as it was fetched: its head, and its body in Markdown."""

    title: str
    author: str | None
    date: str | None
    url: str | None
    canonical_url: str | None
    body: str


async def fetched(task: Task) -> Fetched:
    """The fetched article.

    Raises:
        DocumentError: it is not there, or its head is none of ours.
    """
    text = await task.read(FETCH, ".md")
    where = f"{FETCH} of {task.article!r}"
    try:
        parts = split_head(text)
        head = read_mapping(parts[0]) if parts else {}
    except YamlError as error:
        raise DocumentError(f"{where}: {error}") from error
    if parts is None or not isinstance(head.get("title"), str):
        raise DocumentError(f"{where}: has no YAML head with a title; delete it to fetch it again")
    plain = {name: _text(head.get(name)) for name in ("author", "date", "url", "canonical_url")}
    return Fetched(title=head["title"], body=parts[1].removeprefix("\n"), **plain)


async def newest_translation(task: Task) -> str:
    """The polished text where there is one, else the translation."""
    polished = await task.read(POLISH, ".md")
    return await task.read(TRANSLATE, ".md") if polished == NOT_NEEDED else polished


def _text(value: object) -> str | None:
    return None if value is None else str(value)
