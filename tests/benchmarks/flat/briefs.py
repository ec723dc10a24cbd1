"""As many briefs as are wanted, made from the three that ship with the project."""

from pathlib import Path

from orch_dagster.brief_file import brief_files, read_brief
from orch_dagster.core.brief import PROMPT_FIELDS, Brief

FOLDER = Path(__file__).parents[3] / "assets" / "briefs"


def many_briefs(count: int) -> tuple[Brief, ...]:
    """The shipped briefs in turn; each text ends in its own number, so that no two are the same.

    Two requests that are the same would be asked once, and articles of one text have one answer.
    """
    shipped = [read_brief(path) for path in brief_files(FOLDER)]
    return tuple(_numbered(shipped[n % len(shipped)], n + 1) for n in range(count))


def _numbered(brief: Brief, number: int) -> Brief:
    texts = {
        name: f"{text} Edition {number}."
        for name in PROMPT_FIELDS
        if isinstance(text := getattr(brief, name), str)
    }
    return brief.model_copy(update={**texts, "slug": f"{brief.slug}-{number:04}"})
