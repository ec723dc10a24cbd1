"""What the CRM prompts answer, and how their answers become one nurture sequence."""

import re
from collections.abc import Iterator, Mapping
from itertools import accumulate, pairwise
from typing import Annotated, Any, Literal

from markdown_it import MarkdownIt
from pydantic import BaseModel, ConfigDict, Field

from orch_dagster.core.brief import Brief
from orch_dagster.core.episode import Score5

Answers = Mapping[str, Any]
"""Answers by prompt name, as instances of their models."""

STEPS = 5
SUBJECT_MOST, PREVIEW_MOST, BODY_MOST, LABEL_MOST = 60, 110, 1_400, 30

ECHO_WORDS = 4
"""From so many words on, a preview that begins with the subject is one inbox line said twice."""

_FORBIDDEN = {
    "link_open": "a link",
    "image": "an image",
    "heading_open": "a heading",
    "html_block": "HTML",
    "html_inline": "HTML",
    "fence": "a code fence",
    "code_block": "an indented block of code",
}
_ADDRESS = re.compile(r"https?://|\bwww\.|\bmailto:|[\w.+-]+@[\w-]+\.\w+", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"\{\{|\}\}|\{%|\*\|\w+\|\*|%%\w+%%|\[\s*(?:first|last|your|name|insert)\b[^\]]*\]|\bTODO\b",
    re.IGNORECASE,
)

Recipients = Literal["not_converted", "converted", "everyone"]
Target = Literal[
    "read_article", "book_appointment", "reply", "download", "register", "see_offer", "give"
]

Line = Annotated[str, Field(min_length=10, max_length=300)]
Turn = Annotated[str, Field(min_length=2, max_length=80)]
Subject = Annotated[str, Field(min_length=4, max_length=SUBJECT_MOST)]
Preview = Annotated[str, Field(min_length=20, max_length=PREVIEW_MOST)]
Body = Annotated[str, Field(min_length=200, max_length=BODY_MOST)]
Label = Annotated[str, Field(min_length=2, max_length=LABEL_MOST)]
Opening = Annotated[str, Field(min_length=30, max_length=320)]
StepNumber = Annotated[int, Field(ge=1, le=STEPS)]


class Answer(BaseModel):
    """What every answer and the deliverable have in common: frozen, no extra keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Trigger(Answer):
    """The trigger as rules."""

    entry: Line = Field(description="Who enters the sequence, as a condition on data")
    goal: Line = Field(description="The one act of the reader that counts as conversion")
    exit: Line = Field(description="What ends the sequence for a person")
    forbidden: Annotated[tuple[Line, ...], Field(max_length=6)] = Field(
        description="What the trigger bars, each as an order; empty if nothing"
    )
    other_channels: Annotated[tuple[Line, ...], Field(max_length=3)] = Field(
        description="What the trigger wants outside e-mail; empty if nothing"
    )


class SubjectStyle(Answer):
    """The brand's voice in an inbox."""

    subject_rule: Line = Field(description="How a subject begins, what it names and leaves out")
    opening_rule: Line = Field(description="How the first lines address the reader")
    button_rule: Line = Field(description="How the words on the button are chosen")
    primary_stake: Line = Field(description="Why the primary audience opens")
    secondary_stake: Line = Field(description="Why the secondary audience opens")
    never: Annotated[tuple[Turn, ...], Field(min_length=2, max_length=8)] = Field(
        description="Subjects or turns this brand would not send"
    )


class PlannedStep(Answer):
    """One e-mail before it is written."""

    purpose: Line = Field(description="What the reader has after this e-mail and not before")
    fact: Annotated[str, Field(min_length=2, max_length=300)] = Field(
        description="The words of the sources it rests on, quoted; 'none' if it needs none"
    )
    wait_days: Annotated[int, Field(ge=0, le=30)] = Field(
        description="Days since the step before, for the first since the trigger; 0 for the first alone"
    )
    sent_to: Recipients = Field(description="Who gets it, by whether they have done the act")
    target: Target = Field(description="What its button leads to")


class Plan(Answer):
    """The five steps in order."""

    steps: Annotated[tuple[PlannedStep, ...], Field(min_length=STEPS, max_length=STEPS)] = Field(
        description="The five steps in order"
    )


class SubjectLine(Answer):
    """Subject and preview of one e-mail."""

    step: StepNumber = Field(description="The step, 1 to 5")
    subject: Subject = Field(description="The subject, at most 60 characters")
    preview: Preview = Field(
        description="What stands beside it in the inbox, not the subject again"
    )


class SubjectLines(Answer):
    """Subjects and previews of all steps."""

    lines: Annotated[tuple[SubjectLine, ...], Field(min_length=STEPS, max_length=STEPS)] = Field(
        description="One for each step"
    )


class WrittenBody(Answer):
    """Body and button of one e-mail."""

    step: StepNumber = Field(description="The step, 1 to 5")
    body: Body = Field(description="The body in Markdown, without greeting, link or signature")
    button_label: Label = Field(description="The words on the one button")


class Bodies(Answer):
    """Bodies and buttons of all steps."""

    bodies: Annotated[tuple[WrittenBody, ...], Field(min_length=STEPS, max_length=STEPS)] = Field(
        description="One for each step"
    )


class WrittenVariants(Answer):
    """The two doors of one e-mail."""

    step: StepNumber = Field(description="The step, 1 to 5")
    primary_subject: Subject = Field(description="The subject for the primary audience")
    primary_opening: Opening = Field(description="The opening for the primary audience")
    secondary_subject: Subject = Field(description="The subject for the secondary audience")
    secondary_opening: Opening = Field(description="The opening for the secondary audience")


class Segments(Answer):
    """The variants of all steps."""

    variants: Annotated[tuple[WrittenVariants, ...], Field(min_length=STEPS, max_length=STEPS)] = (
        Field(description="One for each step")
    )


class Variant(Answer):
    """What one audience gets in place of the default subject, and before the body."""

    subject: Subject = Field(description="The subject for this audience")
    opening: Opening = Field(description="The lines before the body for this audience")


class StepRevision(Answer):
    """New words for one e-mail."""

    step: StepNumber = Field(description="The step, 1 to 5")
    subject: Subject | None = Field(description="The new default subject, or null if it stays")
    preview: Preview | None = Field(description="The new preview, or null")
    body: Body | None = Field(description="The new body, whole, or null")
    button_label: Label | None = Field(description="The new words on the button, or null")
    primary: Variant | None = Field(description="The new variant for the primary audience, or null")
    secondary: Variant | None = Field(
        description="The new variant for the secondary audience, or null"
    )


class Revision(Answer):
    """What the quality pass replaces, and how good the sequence is then."""

    steps: Annotated[tuple[StepRevision, ...], Field(max_length=STEPS)] = Field(
        description="The e-mails to repair; empty if all stay"
    )
    flags: Annotated[tuple[str, ...], Field(max_length=0)] = Field(description="Always empty")
    voice_consistency: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")
    coherence_score: Score5 = Field(description="0.0 to 5.0 by the rubric, after the repairs")


class CallToAction(Answer):
    """The one button; its address is the CRM's to fill in."""

    label: Label
    target: Target


class Variants(Answer):
    """Both audiences' doors to one e-mail."""

    primary: Variant
    secondary: Variant


class Step(Answer):
    """One e-mail. It is read as opening of the variant, body, button."""

    step: StepNumber
    delay_days: Annotated[int, Field(ge=0)] = Field(description="Days since the trigger")
    sent_to: Recipients
    subject: Subject
    preview: Preview
    body: Body
    call_to_action: CallToAction
    variants: Variants


class NurtureSequence(Answer):
    """Five e-mails, whom they reach and what ends them."""

    entry: str
    goal: str
    exit: str
    forbidden: tuple[str, ...]
    other_channels: tuple[str, ...]
    steps: tuple[Step, ...]


def compose(brief: Brief, answers: Answers) -> NurtureSequence:
    """The sequence from the chain's answers; delays are summed up from the waits."""
    trigger: Trigger = answers["trigger"]
    plan: Plan = answers["plan"]
    lines = {item.step: item for item in answers["subjects"].lines}
    bodies = {item.step: item for item in answers["bodies"].bodies}
    variants = {item.step: item for item in answers["segments"].variants}
    delays = accumulate(step.wait_days for step in plan.steps)
    return NurtureSequence(
        **trigger.model_dump(),
        steps=tuple(
            Step(
                step=number,
                delay_days=delay,
                sent_to=planned.sent_to,
                subject=lines[number].subject,
                preview=lines[number].preview,
                body=bodies[number].body,
                call_to_action=CallToAction(
                    label=bodies[number].button_label, target=planned.target
                ),
                variants=_variants(variants[number]),
            )
            for number, (planned, delay) in enumerate(zip(plan.steps, delays, strict=True), start=1)
        ),
    )


def accept(prompt: str, answer: Any, answers: Answers) -> list[str]:
    """What is wrong with one answer in the light of earlier ones, each as a sentence."""
    match answer:
        case Plan():
            return [
                f"step {number} waits 0 days, so it would go out together with the one before"
                for number, step in enumerate(answer.steps, start=1)
                if number > 1 and step.wait_days == 0
            ]
        case SubjectLines():
            return _numbering_faults([item.step for item in answer.lines]) or _line_pair_faults(
                answer
            )
        case Bodies():
            return _numbering_faults([item.step for item in answer.bodies])
        case Segments():
            numbering = _numbering_faults([item.step for item in answer.variants])
            return numbering or _variant_faults(answer, answers["subjects"])
        case Revision():
            repeated = _repeated([item.step for item in answer.steps])
            return [f"step {number} is repaired twice" for number in repeated]
        case _:
            return []


def revise(candidate: NurtureSequence, revision: Revision) -> NurtureSequence:
    """The sequence with the replaced parts in it."""
    new = {item.step: item for item in revision.steps}
    steps = tuple(
        _revised(step, new[step.step]) if step.step in new else step for step in candidate.steps
    )
    return candidate.model_copy(update={"steps": steps})


def show(candidate: NurtureSequence) -> str:
    """The sequence as the quality pass sees it: e-mail by e-mail, without the JSON around it."""
    return "\n\n".join(_shown(step) for step in candidate.steps)


def check(brief: Brief, answers: Answers, candidate: NurtureSequence) -> list[str]:
    """What code finds wrong with a sequence, each as a sentence naming what and where."""
    found = []
    if [step.step for step in candidate.steps] != list(range(1, STEPS + 1)):
        found.append(
            f"the sequence has steps {[step.step for step in candidate.steps]}, not 1 to 5"
        )
    for before, after in pairwise(candidate.steps):
        if after.delay_days <= before.delay_days:
            found.append(
                f"step {after.step} goes out on day {after.delay_days}, not after step "
                f"{before.step} on day {before.delay_days}"
            )
    found += _difference_faults(candidate)
    for step in candidate.steps:
        found += _step_faults(step)
    return found


def plain(text: str) -> str:
    """A text's words alone: what two texts are compared by."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def _variants(written: WrittenVariants) -> Variants:
    return Variants(
        primary=Variant(subject=written.primary_subject, opening=written.primary_opening),
        secondary=Variant(subject=written.secondary_subject, opening=written.secondary_opening),
    )


def _revised(step: Step, new: StepRevision) -> Step:
    action, variants = step.call_to_action, step.variants
    return step.model_copy(
        update={
            "subject": new.subject or step.subject,
            "preview": new.preview or step.preview,
            "body": new.body or step.body,
            "call_to_action": action.model_copy(update={"label": new.button_label or action.label}),
            "variants": Variants(
                primary=new.primary or variants.primary,
                secondary=new.secondary or variants.secondary,
            ),
        }
    )


def _shown(step: Step) -> str:
    action, variants = step.call_to_action, step.variants
    return "\n".join(
        (
            f"[step {step.step}] day {step.delay_days}, to {step.sent_to}",
            f"Subject: {step.subject}",
            f"Preview: {step.preview}",
            f"Primary: {variants.primary.subject} / {variants.primary.opening}",
            f"Secondary: {variants.secondary.subject} / {variants.secondary.opening}",
            f"Body: {step.body}",
            f"Button: {action.label} ({action.target})",
        )
    )


def _difference_faults(candidate: NurtureSequence) -> list[str]:
    columns = {
        "default": [step.subject for step in candidate.steps],
        "primary": [step.variants.primary.subject for step in candidate.steps],
        "secondary": [step.variants.secondary.subject for step in candidate.steps],
    }
    found = [
        f"two {name} subjects are the same: {text!r}"
        for name, subjects in columns.items()
        for text in _repeated([plain(subject) for subject in subjects])
    ]
    repeated = _repeated([plain(step.body) for step in candidate.steps])
    return found + [f"two bodies are the same: {text[:60]!r}" for text in repeated]


def _step_faults(step: Step) -> Iterator[str]:
    where = f"step {step.step}"
    variants = step.variants
    lines = {
        "subject": (step.subject, SUBJECT_MOST),
        "preview": (step.preview, PREVIEW_MOST),
        "primary subject": (variants.primary.subject, SUBJECT_MOST),
        "secondary subject": (variants.secondary.subject, SUBJECT_MOST),
        "button": (step.call_to_action.label, LABEL_MOST),
        "primary opening": (variants.primary.opening, 320),
        "secondary opening": (variants.secondary.opening, 320),
    }
    for name, (text, most) in lines.items():
        yield from (f"{where}: the {name} {fault}" for fault in _line_faults(text, most))
    subjects = (step.subject, variants.primary.subject, variants.secondary.subject)
    for subject in dict.fromkeys(subjects):
        yield from (f"{where}: {fault}" for fault in _echo_faults(subject, step.preview))
    if plain(variants.primary.subject) == plain(variants.secondary.subject):
        yield f"{where}: both audiences get the same subject"
    if plain(variants.primary.opening) == plain(variants.secondary.opening):
        yield f"{where}: both audiences get the same opening"
    yield from (f"{where}: the body {fault}" for fault in _body_faults(step.body))


def _line_pair_faults(answer: SubjectLines) -> list[str]:
    return [
        f"step {item.step}: {fault}"
        for item in answer.lines
        for fault in _echo_faults(item.subject, item.preview)
    ]


def _variant_faults(answer: Segments, lines: SubjectLines) -> list[str]:
    previews = {line.step: line.preview for line in lines.lines}
    return [
        f"step {item.step}: {fault}"
        for item in answer.variants
        for subject in (item.primary_subject, item.secondary_subject)
        for fault in _echo_faults(subject, previews[item.step])
    ]


def _echo_faults(subject: str, preview: str) -> list[str]:
    words, seen = plain(subject), plain(preview)
    long = len(words.split()) >= ECHO_WORDS
    echoes = words == seen or (long and f"{seen} ".startswith(f"{words} "))
    return [f"the preview repeats the subject {subject!r}"] if echoes else []


def _line_faults(text: str, most: int) -> Iterator[str]:
    if not text.strip():
        yield "is empty"
    if len(text) > most:
        yield f"has {len(text)} characters, at most {most} are allowed"
    if "\n" in text or "\r" in text:
        yield "must stand on one line"
    if hit := _ADDRESS.search(text) or _PLACEHOLDER.search(text):
        yield f"holds {hit[0]!r}"


def _body_faults(text: str) -> Iterator[str]:
    if len(text) > BODY_MOST:
        yield f"has {len(text)} characters, at most {BODY_MOST} are allowed"
    tokens = [
        t
        for token in MarkdownIt("commonmark").parse(text)
        for t in (token, *(token.children or []))
    ]
    kinds = {_FORBIDDEN[token.type] for token in tokens if token.type in _FORBIDDEN}
    for kind in sorted(kinds):
        yield f"holds {kind}; the button is the only way on, around it stand paragraphs and lists"
    if "a link" not in kinds and (hit := _ADDRESS.search(text)):
        yield f"holds the address {hit[0]!r}; the button is the only way on"
    if hit := _PLACEHOLDER.search(text):
        yield f"holds the placeholder {hit[0]!r}"


def _numbering_faults(numbers: list[int]) -> list[str]:
    found = [f"step {number} stands twice" for number in _repeated(numbers)]
    return found + [f"step {n} is missing" for n in range(1, STEPS + 1) if n not in numbers]


def _repeated(values: list[Any]) -> list[Any]:
    return sorted({value for value in values if values.count(value) > 1})
