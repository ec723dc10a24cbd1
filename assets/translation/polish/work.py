"""Polish: reads the review's notes and repairs the segments they name; nothing else is touched."""

import json
from typing import Any

from assets.translation.languages import translation_settings
from assets.translation.segments import repair_check, shown, texts_of
from assets.translation.structure.article import Segment
from assets.translation.structure.rendering import render
from assets.translation.structure.segmentation import segment
from assets.translation.texts import NOT_NEEDED, REVIEW, TRANSLATE, fetched, newest_translation
from assets.translation.translate.models import Glossary
from orch_dagster.document_step import TRANSCRIPT, Outcome, Task


async def polish(task: Task) -> Outcome:
    """The newest text with the noted segments repaired, or "not needed" while no review asks."""
    if task.heed is None:
        return Outcome(NOT_NEEDED, words=0, metadata={"polished": False})
    text = await newest_translation(task)
    notes = json.loads(await task.read(REVIEW, ".json"))["notes"]
    article = segment(text)
    noted = tuple(one for one in article.segments if one.id in {n["segment"] for n in notes})
    if not noted:
        return Outcome(text, words=len(text.split()), metadata={"polished": 0})
    repaired = await _repaired(task, noted, notes)
    polished = render(article, repaired)
    return Outcome(polished, words=len(polished.split()), metadata={"polished": len(noted)})


async def _repaired(task: Task, noted: tuple[Segment, ...], notes: list[Any]) -> dict[int, str]:
    settings = translation_settings()
    source = segment((await fetched(task)).body)
    words = sum(one.words for one in noted)
    chain = await task.chain(words=words)
    originals = {one.id: one for one in source.segments}
    answer = await chain.ask(
        chain.folder.prompt("piece"),
        {
            **settings.languages,
            "glossary": await _glossary(task),
            "notes": [note for note in notes if note["segment"] in {one.id for one in noted}],
            "pairs": shown(noted, {one.id: _text(originals.get(one.id)) for one in noted}),
            "piece": shown(noted),
        },
        repair_check(noted, originals, settings.pair),
    )
    texts = texts_of(answer)
    return {one.id: texts[one.id] for one in noted if one.id in texts}


def _text(segment: Segment | None) -> str:
    return segment.text if segment else ""


async def _glossary(task: Task) -> Glossary:
    """The translator's glossary; an empty one where another translator made none."""
    transcript = await task.bench.shelf.transcript(TRANSLATE, TRANSCRIPT, task.article)
    answer = transcript.answer("glossary") if transcript else None
    if answer is None or answer.fault is not None:
        return Glossary(terms=(), tone="")
    return Glossary.model_validate_json(answer.text)
