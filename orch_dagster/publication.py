"""The port that texts go out through: what is published, and what carries it."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Protocol

from orch_dagster.core.ledger import Document


@dataclass(frozen=True, slots=True)
class Publication:
    """A text that goes out: what its head says, and its body in Markdown.

    `key` is the article's; the same key published again replaces what stood there. `note` says
    that a text went out below its threshold.
    """

    key: str
    title: str
    author: str | None
    date: str | None
    canonical_url: str | None
    category: str
    language: str
    score: int
    note: str | None
    body: str


class Publisher(Protocol):
    """Carries texts out: to files at any URL, to a webhook."""

    def render(self, publication: Publication) -> str:
        """The text as it goes out: a YAML head and the body."""
        ...

    def publish(self, publication: Publication) -> Awaitable[Document]:
        """Carry it out, in place of an earlier one of the same article; where it now lies.

        Raises:
            StepError: it could not be carried out.
        """
        ...
