"""Review: one number, notes with places, and the findings by code that cap the number."""

import json
from itertools import zip_longest

from assets.translation.languages import translation_settings
from assets.translation.structure.findings import findings
from assets.translation.structure.segmentation import segment
from assets.translation.texts import fetched, newest_translation
from orch_dagster.document_step import Outcome, Task


async def review(task: Task) -> Outcome:
    """The review of the newest text. The score is the reviewer's, or the cap where that is lower."""
    settings = translation_settings()
    source = (await fetched(task)).body
    text = await newest_translation(task)
    found = findings(source, text, settings.pair)
    chain = await task.chain(words=len(source.split()))
    answer = await chain.ask(
        chain.folder.prompt("review"),
        {
            **settings.languages,
            "findings": list(found.faults),
            "cap": found.cap,
            "pairs": pairs(source, text),
        },
    )
    score = min(answer.score, found.cap)
    document = {
        "score": score,
        "given": answer.score,
        "cap": found.cap,
        "findings": list(found.faults),
        "notes": [note.model_dump(mode="json") for note in answer.notes],
    }
    metadata = {"given": answer.score, "cap": found.cap, "notes": len(answer.notes)}
    shown = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    return Outcome(shown, words=len(text.split()), score=score, metadata=metadata)


def pairs(source: str, text: str) -> str:
    """Source and translation side by side, segment by segment."""
    both = zip_longest(segment(source).segments, segment(text).segments)
    return "\n".join(
        f'<pair id="{number}">\n<source>{left.text if left else ""}</source>\n'
        f"<translation>{right.text if right else ''}</translation>\n</pair>"
        for number, (left, right) in enumerate(both, start=1)
    )
