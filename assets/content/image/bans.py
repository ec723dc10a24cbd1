"""What a visual style forbids, read from its own words, and where a text names it."""

import re

_FORBIDS = re.compile(
    r"\b(?:never|no|without|avoid|(?:do not|don't)(?: use| show)?)\s+(?P<thing>[^.,;:!?()\n]+)",
    re.I,
)
_ARTICLE = re.compile(r"^(?:a|an|any|the|use|show)\s+", re.I)
_JOINED = re.compile(r"\s+(?:and|or)\s+(?:no\s+|never\s+)?", re.I)
_ANNOUNCED = re.compile(
    r"^(?:an?\s+|the\s+)?(?:image|picture|photo|photograph|graphic|illustration|screenshot)\s+"
    r"(?:of|showing)\b",
    re.I,
)
_LONGEST_WORDS = 8


def of_style(visual_style: str) -> tuple[str, ...]:
    """The things that the words of a visual style rule out ("never X", "no Y or Z"), in order."""
    found: list[str] = []
    for match in _FORBIDS.finditer(" ".join(visual_style.split())):
        for part in _JOINED.split(match["thing"].strip()):
            thing = _ARTICLE.sub("", part.strip())
            if len(thing) > 2 and len(thing.split()) <= _LONGEST_WORDS:
                found.append(thing)
    return tuple(dict.fromkeys(found))


def names(text: str, term: str) -> bool:
    """Whether a text holds a term as whole words, whatever the case and spacing."""
    return f" {plain(term)} " in f" {plain(text)} "


def announcement(text: str) -> str | None:
    """The words with which an alt text announces itself ("A photo of"), or None."""
    found = _ANNOUNCED.match(text.strip())
    return found[0] if found else None


def plain(text: str) -> str:
    """A text as its words alone, small, with single spaces."""
    return " ".join(re.findall(r"\w+", text.casefold()))
