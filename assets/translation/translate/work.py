"""Translate: a glossary once, then piece by piece; what must survive is set back by code."""

import asyncio
from typing import Any

from assets.translation.languages import translation_settings
from assets.translation.segments import piece_check, shown, texts_of
from assets.translation.structure.pieces import Piece, outline, pieces
from assets.translation.structure.rendering import render
from assets.translation.structure.segmentation import segment
from assets.translation.texts import fetched
from orch_dagster.chain import Chain, Part
from orch_dagster.document_step import Outcome, Task
from orch_dagster.step import StepError


async def translate(task: Task) -> Outcome:
    """The article in the target language, its structure untouched."""
    settings = translation_settings()
    source = await fetched(task)
    article = segment(source.body)
    chain = await task.chain(words=article.words)
    plan = outline(article) or "(no headings)"
    glossary = await chain.ask(
        chain.folder.prompt("glossary"),
        {**settings.languages, "title": source.title, "outline": plan, "text": source.body},
    )
    given = {**settings.languages, "glossary": glossary, "outline": plan, "title": source.title}
    parts = pieces(article, words=settings.piece_words)
    done = await asyncio.gather(*(_piece(chain, part, len(parts), given) for part in parts))
    translations = {number: text for texts in done for number, text in texts.items()}
    text = render(article, translations)
    return Outcome(text, words=len(text.split()), metadata={"pieces": len(parts)})


async def _piece(chain: Chain, piece: Piece, count: int, given: dict[str, Any]) -> dict[int, str]:
    answer = await chain.ask_part(
        chain.folder.prompt("piece"),
        Part(label=f"piece_{piece.number:02}", words=piece.words),
        {**given, "place": f"{piece.number} of {count}", "piece": shown(piece.segments)},
        piece_check(piece.segments, translation_settings().pair),
    )
    texts = texts_of(answer)
    if set(texts) != set(piece.ids):
        raise StepError(
            f"translate: piece {piece.number} of {count} came back with other segments than it "
            "has, also after one repair"
        )
    return texts
