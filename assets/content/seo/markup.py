"""Schema.org markup of the page as JSON-LD: built here from finished texts, never by a model."""

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

CONTEXT = "https://schema.org"
HEADLINE_MOST = 110

REQUIRED: Mapping[str, tuple[str, ...]] = {
    "Article": ("headline", "description", "author", "publisher"),
    "FAQPage": ("mainEntity",),
    "Question": ("name", "acceptedAnswer"),
    "Answer": ("text",),
    "Organization": ("name",),
}
"""What each type must carry.

FAQPage, Question and Answer: required by Google Search Central, "FAQ structured data"
(developers.google.com/search/docs/appearance/structured-data/faqpage). Article: that guide
(".../structured-data/article") requires nothing; it recommends author, headline, image,
datePublished and dateModified, and once capped headlines at 110 characters. We demand what a brief
can tell. Image, dates and the page's address are known to the CMS alone: they are left out here, and
whoever publishes adds them; an invented date would be worse than none. `publisher` and
`description` are schema.org properties of an Article (schema.org/Article).
"""


def _keyword(name: str) -> Any:
    return Field(validation_alias=f"@{name}", serialization_alias=f"@{name}")


class Node(BaseModel):
    """One JSON-LD object; in JSON its `type` is `@type`."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_by_name=True, serialize_by_alias=True
    )


class Organization(Node):
    """The brand, as author and publisher."""

    type: Annotated[Literal["Organization"], _keyword("type")] = "Organization"
    name: str


class Answer(Node):
    """The visible answer, word for word."""

    type: Annotated[Literal["Answer"], _keyword("type")] = "Answer"
    text: str


class Question(Node):
    """The visible question, word for word."""

    type: Annotated[Literal["Question"], _keyword("type")] = "Question"
    name: str
    acceptedAnswer: Answer


class ArticleMarkup(Node):
    """The article."""

    context: Annotated[Literal["https://schema.org"], _keyword("context")] = CONTEXT
    type: Annotated[Literal["Article"], _keyword("type")] = "Article"
    headline: str
    description: str
    author: Organization
    publisher: Organization
    keywords: tuple[str, ...]


class FaqMarkup(Node):
    """The question block."""

    context: Annotated[Literal["https://schema.org"], _keyword("context")] = CONTEXT
    type: Annotated[Literal["FAQPage"], _keyword("type")] = "FAQPage"
    mainEntity: tuple[Question, ...]


Markup = tuple[ArticleMarkup, FaqMarkup]


def build(
    *,
    headline: str,
    description: str,
    publisher: str,
    keywords: tuple[str, ...],
    questions: tuple[tuple[str, str], ...],
) -> Markup:
    """The two objects of a page; `questions` are pairs of question and answer as printed."""
    organization = Organization(name=publisher)
    article = ArticleMarkup(
        headline=headline,
        description=description,
        author=organization,
        publisher=organization,
        keywords=keywords,
    )
    entities = tuple(
        Question(name=question, acceptedAnswer=Answer(text=answer))
        for question, answer in questions
    )
    return article, FaqMarkup(mainEntity=entities)


def faults(markup: Markup) -> list[str]:
    """What is wrong with the markup once it is written out and read again, as sentences."""
    written = json.dumps([node.model_dump(mode="json", by_alias=True) for node in markup])
    nodes = json.loads(written)
    found = [
        f"JSON-LD {node.get('@type')}: @context is {node.get('@context')!r}, not {CONTEXT!r}"
        for node in nodes
        if node.get("@context") != CONTEXT
    ]
    types = [node.get("@type") for node in nodes]
    if types != ["Article", "FAQPage"]:
        found.append(f"JSON-LD holds {types}, not an Article and a FAQPage")
    for node in nodes:
        found += _missing(node)
    headline = nodes[0].get("headline") or ""
    if len(headline) > HEADLINE_MOST:
        found.append(f"JSON-LD headline has {len(headline)} characters, at most {HEADLINE_MOST}")
    return found


def _missing(value: Any) -> Iterator[str]:
    match value:
        case dict():
            kind = value.get("@type")
            if kind not in REQUIRED:
                yield f"JSON-LD holds an object of type {kind!r}"
            for name in REQUIRED.get(kind or "", ()):
                if not value.get(name):
                    yield f"JSON-LD {kind} has no {name!r}"
            for item in value.values():
                yield from _missing(item)
        case list():
            for item in value:
                yield from _missing(item)
