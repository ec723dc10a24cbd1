"""What the article's prompts answer, and how their answers become one Markdown article."""

from collections import Counter
from collections.abc import Mapping
from itertools import accumulate
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assets.content.article import faults, paragraphs
from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import Score5

Answers = Mapping[str, Any]
"""Answers by prompt name: `str` for text, a model's instance for structured ones."""

PROSE = ("lede", "section_one", "section_two", "section_three")

Line = Annotated[str, Field(min_length=10, max_length=240)]
Passage = Annotated[str, Field(min_length=10, max_length=400)]
Phrase = Annotated[str, Field(min_length=2, max_length=60)]


class Answer(BaseModel):
    """What every structured answer of this library has in common: frozen, no extra keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Claim(Answer):
    """One thing the article must prove, and what proves it."""

    claim: Line = Field(description="One assertion the article has to make good, as a sentence")
    support: Annotated[str, Field(min_length=2, max_length=400)] = Field(
        description="The words of the sources that carry it, quoted; 'none' if nothing does"
    )


class BriefAnalysis(Answer):
    """What the article must prove, for whom, and what it must leave alone."""

    promise: Line = Field(description="What the reader can decide or do after reading")
    claims: Annotated[tuple[Claim, ...], Field(min_length=3, max_length=6)] = Field(
        description="The claims in the order in which they depend on each other"
    )
    objections: Annotated[tuple[Line, ...], Field(min_length=1, max_length=3)] = Field(
        description="What the primary reader will say against the thesis, in that reader's words"
    )
    reader_knows: Passage = Field(description="What the primary reader knows and must not be told")
    reader_needs: Passage = Field(description="What the primary reader needs explained once")
    second_reader: Passage = Field(description="The one thing the secondary audience comes for")
    fresh_ground: Passage = Field(
        description="What competitors leave unsaid that the sources can say"
    )
    off_limits: Annotated[tuple[Passage, ...], Field(max_length=8)] = Field(
        description="What the brief or sources forbid to print or to claim; empty if nothing"
    )


class VoiceCalibration(Answer):
    """The brand's voice as rules that a writer can obey."""

    tone: Line = Field(description="Distance to the reader, person, contractions, terms of trade")
    rhythm: Line = Field(description="Sentence and paragraph length, and where they may break")
    humour: Line = Field(description="What kind of wit is allowed and at whose expense, or none")
    use: Annotated[tuple[Phrase, ...], Field(min_length=3, max_length=10)] = Field(
        description="Words and turns that belong to this brand"
    )
    avoid: Annotated[tuple[Phrase, ...], Field(min_length=3, max_length=12)] = Field(
        description="Words and turns this brand would not print"
    )
    sample: Annotated[str, Field(min_length=120, max_length=700)] = Field(
        description="One paragraph in the voice, on the thesis, without figures or named cases"
    )


class SectionPlan(Answer):
    """One of the article's three sections."""

    heading: Annotated[str, Field(min_length=3, max_length=70)] = Field(
        description="The heading as printed: plain text on one line, no number, no final full stop"
    )
    purpose: Line = Field(description="What the reader believes after this section and not before")
    points: Annotated[tuple[Line, ...], Field(min_length=2, max_length=5)] = Field(
        description="What it says, in order, each with the fact it rests on"
    )


class Outline(Answer):
    """Three sections and what holds them together."""

    thread: Passage = Field(description="The line of argument that runs from the lede to the end")
    sections: Annotated[tuple[SectionPlan, ...], Field(min_length=3, max_length=3)] = Field(
        description="The three sections in order"
    )


class Transitions(Answer):
    """The bridges that code sets between sections."""

    into_section_two: Annotated[str, Field(min_length=20, max_length=320)] = Field(
        description="One or two sentences that close section one and make section two necessary"
    )
    into_section_three: Annotated[str, Field(min_length=20, max_length=320)] = Field(
        description="One or two sentences that close section two and make section three necessary"
    )


class PullQuote(Answer):
    """The sentence set large, and where."""

    sentence: Annotated[str, Field(min_length=25, max_length=180)] = Field(
        description="The sentence, on one line, without quotation marks around it"
    )
    section: Annotated[int, Field(ge=1, le=3)] = Field(
        description="The section it stands in: 1, 2 or 3"
    )
    position: Literal["early", "late"] = Field(
        description="early: after the section's first paragraph; late: before its last"
    )


class Footnote(Answer):
    """One note, and what it rests on."""

    paragraph: Annotated[int, Field(ge=1, le=400)] = Field(
        description="The number in [pN] of the paragraph that gets the mark"
    )
    note: Annotated[str, Field(min_length=15, max_length=400)] = Field(
        description="The note as printed, on one line, without its mark"
    )
    support: Annotated[str, Field(min_length=2, max_length=500)] = Field(
        description="The words of the sources that the note rests on, quoted; 'none' if nothing does"
    )
    needs_review: bool = Field(description="Whether a person must check this note before print")


class Footnotes(Answer):
    """The article's notes; their marks and numbers are set by code."""

    notes: Annotated[tuple[Footnote, ...], Field(max_length=8)] = Field(
        description="The notes in the order of their paragraphs; empty if nothing needs one"
    )


class Edit(Answer):
    """One paragraph, replaced."""

    paragraph: Annotated[int, Field(ge=1, le=2_000)] = Field(
        description="The number in [pN] of the paragraph to replace"
    )
    text: Annotated[str, Field(max_length=2_400)] = Field(
        description="The whole new paragraph; two with a blank line between add one; empty deletes it"
    )


class Revision(Answer):
    """What the quality pass repairs, and how good the article is once that is done."""

    edits: Annotated[tuple[Edit, ...], Field(max_length=12)] = Field(
        description="The repairs, most important first; empty if nothing is worth changing"
    )
    flags: Annotated[tuple[Literal["footnote_requires_review"], ...], Field(max_length=1)] = Field(
        description="footnote_requires_review if a person must check a note or a claim, else empty"
    )
    voice_consistency: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")
    coherence_score: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")


class Meta(Answer):
    """What search results and shared links show."""

    title: Annotated[str, Field(min_length=15, max_length=60)] = Field(
        description="The title for search results, on one line"
    )
    description: Annotated[str, Field(min_length=70, max_length=160)] = Field(
        description="What the page answers, in one or two sentences on one line"
    )
    keywords: Annotated[
        tuple[Annotated[str, Field(min_length=2, max_length=50)], ...],
        Field(min_length=3, max_length=8),
    ] = Field(description="Search terms, the most important first, none twice")


def show(candidate: str) -> str:
    """The candidate as the quality pass sees it: paragraphs numbered, head left out."""
    return paragraphs.number_paragraphs(candidate)


def compose(brief: Brief, answers: Answers) -> str:
    """The draft: title, lede, three headed sections, bridges, quote, related links and notes."""
    outline: Outline = answers["structure"]
    bridges: Transitions = answers["transitions"]
    notes = _in_order(answers["footnotes"])
    lede, *sections = _marked(answers, notes)
    _set_quote(sections, answers["pull_quote"])
    sections[0].append(bridges.into_section_two.strip())
    sections[1].append(bridges.into_section_three.strip())
    written = [f"# {faults.escape(brief.title)}", *lede]
    for plan, section in zip(outline.sections, sections, strict=True):
        written += [f"## {faults.escape(plan.heading)}", *section]
    definitions = [f"[^{n}]: {note.note.strip()}" for n, note in enumerate(notes, start=1)]
    return "\n\n".join([*written, *_related(brief), *definitions]) + "\n"


def accept(prompt: str, answer: Any, answers: Answers) -> list[str]:
    """What is wrong with one answer in the light of earlier ones, each as a sentence."""
    match answer:
        case str():
            return _prose_faults(prompt, answer, answers)
        case Outline():
            return _outline_faults(answer)
        case Transitions():
            return _bridge_faults(answer, answers)
        case PullQuote():
            return faults.of_line("the pull quote", answer.sentence)
        case Footnotes():
            return _note_faults(answer, answers)
        case Revision():
            return _revision_faults(answer, answers)
        case Meta():
            return _meta_faults(answer)
        case _:
            return []


def revise(candidate: str, revision: Revision) -> str:
    """The candidate with the edits applied, without its YAML head.

    Footnote marks and the quotation sign are not the editor's to keep: they are set again here.
    Raises IndexError for a paragraph that does not exist; `accept` refuses such an edit first.
    """
    old = paragraphs.paragraphs(candidate)
    texts = {
        edit.paragraph: _furnished(old[edit.paragraph - 1], edit.text) for edit in revision.edits
    }
    return paragraphs.replace_paragraphs(candidate, texts) + "\n"


def finish(brief: Brief, candidate: str, answers: Answers) -> str:
    """The deliverable: the candidate under a YAML head of title, description and keywords."""
    meta: Meta = answers["meta"]
    head = yaml.safe_dump(
        {**meta.model_dump(), "keywords": list(meta.keywords)},
        allow_unicode=True,
        sort_keys=False,
        width=1_000,
    )
    return f"---\n{head}---\n\n{paragraphs.body(candidate)}\n"


def check(brief: Brief, answers: Answers, deliverable: str) -> list[str]:
    """What code finds wrong with an article, each as a sentence naming what and where.

    The head is looked at once there is an answer to put in it, so a draft can be checked too.
    """
    outline: Outline = answers["structure"]
    headings = [plan.heading for plan in outline.sections]
    return [
        *(_head_faults(deliverable) if "meta" in answers else []),
        *faults.of_length(deliverable, asked=brief.words),
        *faults.of_headings(deliverable, brief=brief, headings=headings),
        *faults.of_footnotes(deliverable),
        *faults.of_paragraphs(deliverable),
        *faults.of_links(deliverable, brief=brief),
        *faults.of_related(deliverable, brief=brief),
    ]


def _in_order(answer: Footnotes) -> list[Footnote]:
    return sorted(answer.notes, key=lambda note: note.paragraph)


def _marked(answers: Answers, notes: list[Footnote]) -> list[list[str]]:
    """The lede's and the sections' paragraphs, with the notes' marks at the ends."""
    parts = [paragraphs.blocks(answers[name]) for name in PROSE]
    starts = accumulate((len(part) for part in parts), initial=1)
    marked: list[list[str]] = []
    for start, part in zip(starts, parts, strict=False):
        marked.append([text + _marks(number, notes) for number, text in enumerate(part, start)])
    return marked


def _marks(paragraph: int, notes: list[Footnote]) -> str:
    numbers = [n for n, note in enumerate(notes, start=1) if note.paragraph == paragraph]
    return "".join(f"[^{n}]" for n in numbers)


def _set_quote(sections: list[list[str]], quote: PullQuote) -> None:
    section = sections[quote.section - 1]
    place = 1 if quote.position == "early" else max(1, len(section) - 1)
    section.insert(place, f"> {quote.sentence.strip()}")


def _related(brief: Brief) -> list[str]:
    if not brief.related:
        return []
    links = [f"- [{faults.escape(item.title)}](<{item.url}>)" for item in brief.related]
    return [f"## {paragraphs.RELATED_HEADING}", "\n".join(links)]


def _furnished(old: str, new: str) -> str:
    text, _ = paragraphs.split_marks(new)
    _, marks = paragraphs.split_marks(old)
    quoted = paragraphs.is_quote(old) and text and not paragraphs.is_quote(text)
    return f"{'> ' if quoted else ''}{text}{marks if text else ''}"


def _prose_faults(prompt: str, text: str, answers: Answers) -> list[str]:
    earlier = {name: answers[name] for name in PROSE if name in answers and name != prompt}
    known = {
        faults.plain(block) for other in earlier.values() for block in paragraphs.blocks(other)
    }
    repeated = [
        f"the paragraph that begins {faults.opening(block)} was already written in an earlier part"
        for block in paragraphs.blocks(text)
        if faults.plain(block) in known
    ]
    return [*faults.of_prose(text, lists=0 if prompt == "lede" else 1), *repeated]


def _outline_faults(outline: Outline) -> list[str]:
    headings = [plan.heading for plan in outline.sections]
    found = [fault for heading in headings for fault in faults.of_heading(heading)]
    if len({faults.plain(heading) for heading in headings}) < len(headings):
        found.append("two headings are the same")
    return found


def _bridge_faults(bridges: Transitions, answers: Answers) -> list[str]:
    pair = (bridges.into_section_two, bridges.into_section_three)
    found = [fault for text in pair for fault in faults.of_line("a bridge", text)]
    written = {faults.plain(b) for name in PROSE for b in paragraphs.blocks(answers[name])}
    if faults.plain(pair[0]) == faults.plain(pair[1]):
        found.append("both bridges say the same")
    found += [
        f"the bridge {faults.opening(text)} repeats a paragraph of the article"
        for text in pair
        if faults.plain(text) in written
    ]
    return found


def _note_faults(answer: Footnotes, answers: Answers) -> list[str]:
    last = sum(len(paragraphs.blocks(answers[name])) for name in PROSE)
    found: list[str] = []
    for number, note in enumerate(answer.notes, start=1):
        found += faults.of_line(f"note {number}", note.note)
        if note.paragraph > last:
            found.append(f"note {number} is for [p{note.paragraph}], but the last is [p{last}]")
    if len({faults.plain(note.note) for note in answer.notes}) < len(answer.notes):
        found.append("two notes say the same")
    return found


def _revision_faults(revision: Revision, answers: Answers) -> list[str]:
    candidate: str = answers["candidate"]
    old = paragraphs.paragraphs(candidate)
    numbers = [edit.paragraph for edit in revision.edits]
    found = [f"[p{number}] is edited twice" for number, n in Counter(numbers).items() if n > 1]
    found += [f"there is no [p{n}], the last is [p{len(old)}]" for n in numbers if n > len(old)]
    for edit in revision.edits:
        if edit.paragraph <= len(old):
            found += _edit_faults(edit, old[edit.paragraph - 1])
    if not revision.flags and any(note.needs_review for note in answers["footnotes"].notes):
        found.append("a note was marked for a person: set the flag footnote_requires_review")
    return found or faults.of_repeats(revise(candidate, revision))


def _edit_faults(edit: Edit, old: str) -> list[str]:
    text, marks = paragraphs.split_marks(edit.text)
    _, kept = paragraphs.split_marks(old)
    where = f"[p{edit.paragraph}]"
    if not text:
        needed = [kept and "carries a footnote", paragraphs.is_quote(old) and "is the pull quote"]
        return [f"{where} {why}, so it cannot be deleted" for why in needed if why]
    found = [] if marks in ("", kept) else [f"{where}: leave footnote marks out, code sets them"]
    if paragraphs.is_quote(old):
        return found + faults.of_line(where, text.removeprefix(">").strip())
    return found + [f"{where}: {fault}" for fault in faults.of_prose(text, lists=1)]


def _meta_faults(meta: Meta) -> list[str]:
    found = [
        *faults.of_line("the title", meta.title),
        *faults.of_line("the description", meta.description),
    ]
    for word in meta.keywords:
        found += faults.of_line("a keyword", word)
    if len({word.casefold() for word in meta.keywords}) < len(meta.keywords):
        found.append("a keyword stands twice")
    return found


def _head_faults(deliverable: str) -> list[str]:
    head = paragraphs.head(deliverable)
    if head is None:
        return ["the article has no YAML head"]
    try:
        Meta.model_validate(yaml.safe_load(head))
    except yaml.YAMLError:
        return ["the YAML head does not parse"]
    except ValidationError as error:
        fields = {
            ".".join(str(part) for part in e["loc"]) or "head": e["msg"] for e in error.errors()
        }
        return [f"the YAML head is wrong at {field!r}: {text}" for field, text in fields.items()]
    return []
