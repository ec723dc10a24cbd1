"""What a brief gives to be stated, and what a text states beside it."""

import re

from orch_dagster.core.brief import PROMPT_FIELDS, Brief

_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_HANDLE = re.compile(r"(?<![\w.])@\w[\w.-]*\w")


def said(brief: Brief) -> str:
    """All that the brief's fields say, with the addresses of related articles."""
    fields = (getattr(brief, name) for name in PROMPT_FIELDS if name != "related")
    addresses = (str(item.url) for item in brief.related)
    return "\n".join([*(field for field in fields if field), *addresses])


def invented_figures(text: str, brief: Brief) -> list[str]:
    """The figures of a text, written in digits, that stand nowhere in the brief."""
    known = {_value(figure) for figure in _FIGURE.findall(said(brief))}
    return [f for f in dict.fromkeys(_FIGURE.findall(text)) if _value(f) not in known]


def invented_handles(text: str, brief: Brief) -> list[str]:
    """The @-names of a text that stand nowhere in the brief."""
    given = said(brief)
    return [name for name in dict.fromkeys(_HANDLE.findall(text)) if name not in given]


def _value(figure: str) -> str:
    """A figure without its thousands marks: `1,204` and `1204` are the same."""
    return re.sub(r",(?=\d{3}\b)", "", figure)
