"""What the search prompts answer, and how their answers become one package for a page's head."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from assets.content.seo import markup
from assets.content.seo.markup import HEADLINE_MOST, ArticleMarkup, FaqMarkup
from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import Score5

Answers = Mapping[str, Any]
"""Answers by prompt name, as instances of their models."""

TITLE = (15, 60)
DESCRIPTION = (70, 160)
SLUG_MOST = 60
FEWEST_TERMS = 2
PILLAR = "{pillar}"

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MARKED_UP = re.compile(r"</?[a-zA-Z!]|\]\(|\*\*|`|\n|\r|\bhttps?://|\bTODO\b|\{|\}")

SearchIntent = Literal["informational", "commercial", "transactional", "navigational"]

Line = Annotated[str, Field(min_length=10, max_length=300)]
Term = Annotated[str, Field(min_length=3, max_length=40)]
QuestionText = Annotated[str, Field(min_length=8, max_length=110)]
AnswerText = Annotated[str, Field(min_length=40, max_length=480)]
TitleForm = Annotated[
    str,
    Field(
        min_length=10,
        max_length=60,
        pattern=r"^[^{}\n]*\{pillar\}[^{}\n]*$",
        examples=[
            "{pillar}: what to ask first",
            "{pillar} and what it takes",
            "What {pillar} asks of you",
            "{pillar}: the plain figures",
        ],
    ),
]
DescriptionText = Annotated[str, Field(min_length=DESCRIPTION[0], max_length=DESCRIPTION[1])]
SlugTerms = Annotated[str, Field(min_length=3, max_length=60)]


class Answer(BaseModel):
    """What every answer and the deliverable have in common: frozen, no extra keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Intent(Answer):
    """The search behind the page."""

    searcher: Line = Field(description="Who searches, and what just happened that made them")
    settles: Line = Field(description="What the page must do so that they do not search on")
    intent: SearchIntent = Field(description="The intent that rules the page")
    first_answer: Line = Field(description="The answer the page gives first, from the sources")
    gap: Line = Field(description="What the present results leave out and this page can give")
    not_chased: Annotated[
        tuple[Annotated[str, Field(min_length=2, max_length=60)], ...], Field(max_length=8)
    ] = Field(description="Terms that the brief rules out, as one would type them; empty if none")


class SupportingTerm(Answer):
    """One term beside the pillar, and why the page may claim it."""

    term: Term = Field(description="The term as one would type it")
    intent: SearchIntent = Field(description="What someone who types this term wants")
    answered_by: Line = Field(description="The words of the sources that answer it, quoted")


class Keywords(Answer):
    """The cluster that the page answers."""

    pillar_term: Term = Field(description="The pillar, small letters but for names")
    supporting: Annotated[tuple[SupportingTerm, ...], Field(min_length=3, max_length=8)] = Field(
        description="Supporting terms, the most useful first, none twice"
    )


class PlannedQuestion(Answer):
    """One question, and what answers it."""

    question: QuestionText = Field(description="The question in the reader's words, on one line")
    fact: Line = Field(description="The words of the sources that answer it, quoted")


class Questions(Answer):
    """The questions of the page, in a reader's order."""

    questions: Annotated[tuple[PlannedQuestion, ...], Field(min_length=3, max_length=6)] = Field(
        description="The questions, the one the searcher typed first"
    )


class FaqAnswer(Answer):
    """The answer to one question."""

    number: Annotated[int, Field(ge=1, le=6)] = Field(description="The question's number")
    text: AnswerText = Field(description="The answer on one line, whole without the article")


class FaqAnswers(Answer):
    """The answers to all questions."""

    answers: Annotated[tuple[FaqAnswer, ...], Field(min_length=3, max_length=6)] = Field(
        description="One answer for every question"
    )


class Snippet(Answer):
    """What a results page shows, and who publishes."""

    title_form: TitleForm = Field(description="The title, {pillar} standing for the pillar term")
    description: DescriptionText = Field(description="The description on one line")
    slug_terms: SlugTerms = Field(description="Two to five words of the address, with spaces")
    publisher_name: Annotated[str, Field(min_length=2, max_length=80)] = Field(
        description="The organisation's name as the brand identity gives it"
    )


class QuestionRevision(Answer):
    """New words for one question or its answer."""

    number: Annotated[int, Field(ge=1, le=6)] = Field(description="The question's number")
    question: QuestionText | None = Field(description="The new question, or null if it stays")
    answer: AnswerText | None = Field(description="The new answer, or null if it stays")


class Revision(Answer):
    """What the quality pass replaces, and how good the package is then."""

    title_form: TitleForm | None = Field(description="The new title with {pillar}, or null")
    description: DescriptionText | None = Field(description="The new description, or null")
    slug_terms: SlugTerms | None = Field(description="New words of the address, or null")
    questions: Annotated[tuple[QuestionRevision, ...], Field(max_length=6)] = Field(
        description="Questions or answers to replace; empty if all stay"
    )
    drop_terms: Annotated[tuple[Annotated[int, Field(ge=1, le=8)], ...], Field(max_length=6)] = (
        Field(description="Numbers of supporting terms to take out; empty if all stay")
    )
    flags: Annotated[tuple[str, ...], Field(max_length=0)] = Field(description="Always empty")
    voice_consistency: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")
    coherence_score: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")


class ClusterTerm(Answer):
    """A supporting term of the finished cluster."""

    term: str
    intent: SearchIntent


class Cluster(Answer):
    """The keyword cluster: one pillar and what stands around it."""

    pillar: str
    intent: SearchIntent
    supporting: tuple[ClusterTerm, ...]


class VisibleQuestion(Answer):
    """A question and its answer, as the page prints them."""

    question: str
    answer: str


class SeoPackage(Answer):
    """All that goes into a page's head and its question block.

    `json_ld` repeats the visible texts word for word; dates, image and address are the CMS's to add.
    """

    title: str
    description: str
    slug: str
    publisher: str
    keywords: Cluster
    questions: tuple[VisibleQuestion, ...]
    json_ld: tuple[ArticleMarkup, FaqMarkup]


def compose(brief: Brief, answers: Answers) -> SeoPackage:
    """The package from the chain's answers. The headline is the article's title where that is short."""
    keywords: Keywords = answers["keywords"]
    snippet: Snippet = answers["snippet"]
    texts = {answer.number: answer.text.strip() for answer in answers["answers"].answers}
    title = _title(snippet.title_form, keywords.pillar_term)
    headline = " ".join(brief.title.split())
    return _package(
        title=title,
        description=snippet.description.strip(),
        slug=slug(snippet.slug_terms),
        publisher=snippet.publisher_name.strip(),
        keywords=Cluster(
            pillar=keywords.pillar_term.strip(),
            intent=answers["intent"].intent,
            supporting=tuple(
                ClusterTerm(term=item.term.strip(), intent=item.intent)
                for item in keywords.supporting
            ),
        ),
        questions=tuple(
            VisibleQuestion(question=_asked(item.question), answer=texts[number])
            for number, item in enumerate(answers["questions"].questions, start=1)
        ),
        headline=headline if len(headline) <= HEADLINE_MOST else title,
    )


def accept(prompt: str, answer: Any, answers: Answers) -> list[str]:
    """What is wrong with one answer in the light of earlier ones, each as a sentence."""
    match answer:
        case Keywords():
            terms = [answer.pillar_term, *(item.term for item in answer.supporting)]
            found = _term_faults(terms, not_chased=answers["intent"].not_chased)
            return found + _plain_faults({f"the term {term!r}": term for term in terms})
        case Questions():
            repeated = _repeated([plain(item.question) for item in answer.questions])
            return [f"the question {text!r} is asked twice" for text in repeated]
        case FaqAnswers():
            return _numbering_faults(
                [item.number for item in answer.answers], of=len(answers["questions"].questions)
            )
        case Snippet():
            found = _slug_word_faults(answer.slug_terms)
            return found + _plain_faults({"publisher_name": answer.publisher_name})
        case Revision():
            return _revision_faults(answer, answers["candidate"])
        case _:
            return []


def revise(candidate: SeoPackage, revision: Revision) -> SeoPackage:
    """The package with the replaced parts in it and its JSON-LD built anew."""
    new = {item.number: item for item in revision.questions}
    questions = tuple(
        _revised_question(old, new.get(number))
        for number, old in enumerate(candidate.questions, start=1)
    )
    kept = tuple(
        item
        for number, item in enumerate(candidate.keywords.supporting, start=1)
        if number not in revision.drop_terms
    )
    form, terms = revision.title_form, revision.slug_terms
    return _package(
        title=_title(form, candidate.keywords.pillar) if form else candidate.title,
        description=(revision.description or candidate.description).strip(),
        slug=slug(terms) if terms else candidate.slug,
        publisher=candidate.publisher,
        keywords=candidate.keywords.model_copy(update={"supporting": kept}),
        questions=questions,
        headline=candidate.json_ld[0].headline,
    )


def show(candidate: SeoPackage) -> str:
    """The package as the quality pass sees it: numbered lines, without the JSON-LD that code makes."""
    terms = [
        f"Term {number}: {item.term} ({item.intent})"
        for number, item in enumerate(candidate.keywords.supporting, start=1)
    ]
    questions = [
        f"Question {number}: {item.question}\nAnswer {number}: {item.answer}"
        for number, item in enumerate(candidate.questions, start=1)
    ]
    head = [
        f"Title ({len(candidate.title)} characters): {candidate.title}",
        f"Description ({len(candidate.description)}): {candidate.description}",
        f"Slug: {candidate.slug}",
        f"Pillar: {candidate.keywords.pillar} ({candidate.keywords.intent})",
    ]
    return "\n".join([*head, *terms, *questions])


def check(brief: Brief, answers: Answers, candidate: SeoPackage) -> list[str]:
    """What code finds wrong with a package, each as a sentence naming what and where."""
    cluster = candidate.keywords
    terms = [cluster.pillar, *(item.term for item in cluster.supporting)]
    found = [
        *_length_faults("the title", candidate.title, TITLE),
        *_length_faults("the description", candidate.description, DESCRIPTION),
        *_slug_faults(candidate.slug),
        *_term_faults(terms, not_chased=answers["intent"].not_chased),
        *_question_faults(candidate.questions),
        *_plain_faults(_texts(candidate)),
        *markup.faults(candidate.json_ld),
        *_mirror_faults(candidate),
    ]
    if plain(cluster.pillar) not in plain(candidate.title):
        found.append(f"the pillar {cluster.pillar!r} is not in the title {candidate.title!r}")
    if len(cluster.supporting) < FEWEST_TERMS:
        found.append(f"the cluster has fewer than {FEWEST_TERMS} supporting terms")
    return found


def slug(words: str) -> str:
    """Words as a slug: Latin letters without accents and digits, joined by hyphens; may be empty."""
    latin = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    parts = re.findall(r"[a-z0-9]+", latin.replace("'", ""))
    while len("-".join(parts)) > SLUG_MOST and len(parts) > 1:
        parts.pop()
    return "-".join(parts)


def plain(text: str) -> str:
    """A text's words alone: what two texts are compared by."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def _package(
    *,
    title: str,
    description: str,
    slug: str,
    publisher: str,
    keywords: Cluster,
    questions: tuple[VisibleQuestion, ...],
    headline: str,
) -> SeoPackage:
    json_ld = markup.build(
        headline=headline,
        description=description,
        publisher=publisher,
        keywords=(keywords.pillar, *(item.term for item in keywords.supporting)),
        questions=tuple((item.question, item.answer) for item in questions),
    )
    return SeoPackage(
        title=title,
        description=description,
        slug=slug,
        publisher=publisher,
        keywords=keywords,
        questions=questions,
        json_ld=json_ld,
    )


def _title(form: str, pillar: str) -> str:
    title = form.replace(PILLAR, pillar.strip()).strip()
    return title[:1].upper() + title[1:]


def _asked(question: str) -> str:
    return f"{question.strip().rstrip('?.!… ')}?"


def _revised_question(old: VisibleQuestion, new: QuestionRevision | None) -> VisibleQuestion:
    if new is None:
        return old
    return VisibleQuestion(
        question=_asked(new.question) if new.question else old.question,
        answer=(new.answer or old.answer).strip(),
    )


def _revision_faults(revision: Revision, candidate: SeoPackage) -> list[str]:
    numbers = [item.number for item in revision.questions]
    last, terms = len(candidate.questions), len(candidate.keywords.supporting)
    found = [f"there is no question {n}, the last is {last}" for n in numbers if n > last]
    found += [f"question {n} is replaced twice" for n in _repeated(numbers)]
    found += [
        f"there is no term {n}, the last is {terms}" for n in revision.drop_terms if n > terms
    ]
    return found + (_slug_word_faults(revision.slug_terms) if revision.slug_terms else [])


def _numbering_faults(numbers: list[int], *, of: int) -> list[str]:
    found = [f"question {n} is answered twice" for n in _repeated(numbers)]
    found += [f"question {n} is not answered" for n in range(1, of + 1) if n not in numbers]
    return found + [f"there is no question {n}, the last is {of}" for n in numbers if n > of]


def _slug_word_faults(words: str) -> list[str]:
    return [] if slug(words) else [f"slug_terms {words!r} holds no Latin letter or digit"]


def _slug_faults(text: str) -> list[str]:
    found = [] if _SLUG.fullmatch(text) else [f"the slug {text!r} is no slug: a-z, 0-9 and hyphens"]
    return found + _length_faults("the slug", text, (1, SLUG_MOST))


def _length_faults(what: str, text: str, bounds: tuple[int, int]) -> list[str]:
    low, high = bounds
    if low <= len(text) <= high:
        return []
    return [f"{what} has {len(text)} characters, {low} to {high} are allowed"]


def _term_faults(terms: list[str], *, not_chased: Iterable[str]) -> list[str]:
    words = [plain(term) for term in terms]
    found = [f"the term {term!r} stands twice" for term in _repeated(words)]
    barred = [plain(term) for term in not_chased]
    return found + [
        f"the term {word!r} is one that the brief rules out"
        for word in words
        if any(f" {ban} " in f" {word} " for ban in barred if ban)
    ]


def _question_faults(questions: tuple[VisibleQuestion, ...]) -> list[str]:
    found = [
        f"question {number} does not end in a question mark: {item.question!r}"
        for number, item in enumerate(questions, start=1)
        if not item.question.endswith("?")
    ]
    repeated = _repeated([plain(item.question) for item in questions])
    found += [f"the question {text!r} is asked twice" for text in repeated]
    repeated = _repeated([plain(item.answer) for item in questions])
    return found + [f"two questions have the same answer: {text[:60]!r}" for text in repeated]


def _texts(candidate: SeoPackage) -> dict[str, str]:
    texts = {"the title": candidate.title, "the description": candidate.description}
    for number, item in enumerate(candidate.questions, start=1):
        texts |= {f"question {number}": item.question, f"answer {number}": item.answer}
    return texts


def _plain_faults(texts: Mapping[str, str]) -> list[str]:
    hits = {what: _MARKED_UP.search(text) for what, text in texts.items()}
    return [
        f"{what} must be plain text on one line, it holds {hit[0]!r}"
        for what, hit in hits.items()
        if hit
    ]


def _mirror_faults(candidate: SeoPackage) -> list[str]:
    article, faq = candidate.json_ld
    marked = [(item.name, item.acceptedAnswer.text) for item in faq.mainEntity]
    found = []
    if marked != [(item.question, item.answer) for item in candidate.questions]:
        found.append("the questions of the JSON-LD are not the visible ones")
    if article.description != candidate.description:
        found.append("the description of the JSON-LD is not the visible one")
    return found


def _repeated(values: list[Any]) -> list[Any]:
    return sorted({value for value in values if values.count(value) > 1})
