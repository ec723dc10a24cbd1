"""A brief about a piano workshop, and answers that a sound chain could give to it."""

from typing import Any

from assets.content.article.models import (
    BriefAnalysis,
    Claim,
    Edit,
    Footnote,
    Footnotes,
    Meta,
    Outline,
    PullQuote,
    Revision,
    SectionPlan,
    Transitions,
    VoiceCalibration,
)
from orch_dagster.core.brief import Brief

HEADINGS = (
    "The part that does not wear out",
    "What a year of tuning shows",
    "Before a school signs",
)
SOURCES = (
    "The workshop ledger holds 412 rebuilds since 1998 and two cracked frames. After a year 31 of 36 "
    "rebuilt uprights were within 4 cents; of new ones at the same price 19 of 33. Moisture reading: "
    "20, a quarter of an hour. Method: https://pianos.example/method."
)
OBJECTS = (
    "frame", "string", "felt", "lid", "pedal", "bench", "hammer", "bridge", "key", "pin", "damper",
    "soundboard", "hinge", "caster", "ledger", "van", "invoice", "tuner", "classroom", "corridor",
    "chapel", "boiler", "caretaker", "bursar", "governor", "timetable", "window", "radiator",
)  # fmt: skip


def brief(**changes: Any) -> Brief:
    """A valid brief of 400 words with sources and two related articles."""
    return Brief.model_validate(
        {
            "slug": "rebuilt-pianos",
            "title": "The old frame and the new strings",
            "brand_identity": "Hollin & Daughters rebuilds pianos for schools.",
            "brand_voice": "Dry, exact, fond of the trade.",
            "core_thesis": "A rebuilt upright is the safer purchase for a school.",
            "primary_audience": "School bursars who sign for instruments twice in a career.",
            "secondary_audience": "Peripatetic music teachers.",
            "competitive_context": "Dealers sell new imports with a five-year guarantee.",
            "visual_style": "Workshop light, tools in use.",
            "seo_cluster": "school piano, rebuilt upright piano",
            "crm_trigger": "A school asks for a second quotation.",
            "sources": SOURCES,
            "related": [
                {
                    "title": "What a moisture reading tells",
                    "url": "https://pianos.example/moisture",
                },
                {"title": "Ten weeks [and a van]", "url": "https://pianos.example/wait?a=1&b=2"},
            ],
            "words": 400,
        }
        | changes
    )


def prose(part: int, paragraphs: int) -> str:
    """Paragraphs of about 30 words, each unlike all others of all parts."""
    texts = []
    for number in range(paragraphs):
        first, second = (OBJECTS[(part * 7 + number * 2 + step) % len(OBJECTS)] for step in (0, 1))
        texts.append(
            f"The {first} came in before the {second} that week, and whoever keeps the book wrote it "
            f"down in that order. Nothing else about the {first} seemed worth a line to them."
        )
    return "\n\n".join(texts)


def answers(**changes: Any) -> dict[str, Any]:
    """Every answer of the chain and the meta, by prompt name."""
    return {
        "brief_analysis": BriefAnalysis(
            promise="The bursar can put two questions to any dealer and judge the answers.",
            claims=tuple(
                Claim(claim=f"Claim {word} that a bursar may well dispute.", support="412 rebuilds")
                for word in ("one", "two", "three")
            ),
            objections=("A school cannot ask for a guarantee on an old frame.",),
            reader_knows="Knows what a piano costs and how long budgets take.",
            reader_needs="Needs to be told what a frame is and what holds pitch.",
            second_reader="How often a rebuilt instrument must be tuned.",
            fresh_ground="Dealers never publish how new imports hold their pitch.",
            off_limits=("Do not say that rebuilt pianos sound better.",),
        ),
        "voice_calibration": VoiceCalibration(
            tone="Third person, terms of the trade explained once.",
            rhythm="Short statement, longer reason, four sentences to a paragraph.",
            humour="Dry, at the expense of pianos.",
            use=("frame", "holds its pitch", "the ledger"),
            avoid=("timeless", "passion", "heritage"),
            sample="A frame is cast once and then left alone. " * 4,
        ),
        "structure": Outline(
            thread="The frame outlives what is bolted to it, so ask what was replaced.",
            sections=tuple(
                SectionPlan(
                    heading=heading,
                    purpose="The reader asks what is new in the instrument.",
                    points=("Two cracked frames in 412 rebuilds.", "Everything else was replaced."),
                )
                for heading in HEADINGS
            ),
        ),
        "lede": prose(0, 1),
        "section_one": prose(1, 3),
        "section_two": prose(2, 4),
        "section_three": prose(3, 3),
        "transitions": Transitions(
            into_section_two="That settles the frame. It says nothing yet about pitch.",
            into_section_three="Pitch can be measured; patience has to be arranged beforehand.",
        ),
        "pull_quote": PullQuote(
            sentence="A piano is as old as the part that hardly ages.", section=2, position="late"
        ),
        "footnotes": Footnotes(
            notes=(
                Footnote(
                    paragraph=5,
                    note="Workshop figures: 36 rebuilt and 33 new uprights after one year.",
                    support="31 of 36 rebuilt uprights were within 4 cents",
                    needs_review=False,
                ),
                Footnote(
                    paragraph=2,
                    note='Ledger "Rebuilds since 1998".',
                    support="The workshop ledger holds 412 rebuilds since 1998",
                    needs_review=True,
                ),
            )
        ),
        "meta": Meta(
            title="Rebuilt or new? A school piano that stays in tune",
            description="What to ask about a rebuilt upright before a school signs, and when to leave.",
            keywords=("school piano", "rebuilt upright piano", "tuning"),
        ),
    } | changes


def revision(*edits: tuple[int, str]) -> Revision:
    """The pass's answer with these edits and good scores."""
    return Revision(
        edits=tuple(Edit(paragraph=number, text=text) for number, text in edits),
        flags=("footnote_requires_review",),
        voice_consistency=4.4,
        coherence_score=4.6,
    )
