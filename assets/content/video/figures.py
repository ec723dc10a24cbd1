"""Figures: which ones a text states that the brief does not have."""

import re

from orch_dagster.core.brief import PROMPT_FIELDS, Brief

_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")


def invented(text: str, brief: Brief) -> list[str]:
    """The figures of a text, written in digits, that stand in no field of the brief."""
    known = {_value(figure) for figure in _FIGURE.findall(_said(brief))}
    return [f for f in dict.fromkeys(_FIGURE.findall(text)) if _value(f) not in known]


def _said(brief: Brief) -> str:
    fields = (getattr(brief, name) for name in PROMPT_FIELDS if name != "related")
    return "\n".join(field for field in fields if field)


def _value(figure: str) -> str:
    """A figure without its thousands marks: `1,204` and `1204` are the same."""
    return re.sub(r",(?=\d{3}\b)", "", figure)
