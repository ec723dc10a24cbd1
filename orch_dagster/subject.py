"""What a chain writes about: an article by its key, its length, and the fields prompts may see."""

from collections.abc import Mapping
from dataclasses import dataclass

from orch_dagster.core.brief import PROMPT_FIELDS, Brief


@dataclass(frozen=True, slots=True)
class Subject:
    """`words` is the length asked for; `fields` are the texts that a prompt's head can name."""

    article: str
    words: int
    fields: Mapping[str, str]

    def block(self, names: tuple[str, ...]) -> str:
        """These fields as they stand at the head of a request; nothing where none is read."""
        if not names:
            return ""
        lines = [f'<field name="{name}">{self.fields[name]}</field>' for name in names]
        return "\n".join(("<brief>", *lines, "</brief>", "", ""))


def subject_of(brief: Brief) -> Subject:
    """The subject that a brief describes; a field that it lacks is shown as "(none)"."""
    return Subject(
        article=brief.slug,
        words=brief.words,
        fields={name: _shown(brief, name) for name in PROMPT_FIELDS},
    )


def _shown(brief: Brief, name: str) -> str:
    if name == "related":
        return "\n".join(f"- {link.title}: {link.url}" for link in brief.related) or "(none)"
    value = getattr(brief, name)
    return "(none)" if value is None else value
