"""What a request holds that an answer may be made of."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from resources.simulator.request import ChatRequest
from resources.simulator.sentences import clauses_of, phrases_of, sentences_of

_BRIEF = re.compile(r"<brief>(.*?)</brief>", re.DOTALL)
_FIELD = re.compile(r"<field name=\"([^\"]+)\">(.*?)</field>", re.DOTALL)
_URL = re.compile(r"https?://[^\s\"'<>)]+")
# Sources and briefs also talk to the writer; such sentences are for them, not for readers.
_DIRECTIVE = re.compile(
    r"(?:do not|don't|not for print|fine for print|please|never|write|send|keep|pillar|supporting)\b",
    re.I,
)
_FIRST = ("core_thesis", "sources")
_THEN = ("competitive_context", "primary_audience", "secondary_audience", "brand_identity")
_NO_PROSE = "The request held no prose from which the simulator could build an answer."


@dataclass(frozen=True, slots=True)
class Material:
    """Sentences to use first and afterwards, and their parts for recombination."""

    first: tuple[str, ...]
    then: tuple[str, ...]
    clauses: tuple[str, ...]
    phrases: tuple[str, ...]
    keywords: tuple[str, ...]
    urls: tuple[str, ...]
    names: frozenset[str]

    def lowered(self, clause: str) -> str:
        """`clause` as it reads inside a sentence: its first word small unless it is a name."""
        head = clause.split(" ", 1)[0]
        is_name = head.strip(",;:\"'()") in self.names or not head[1:].islower()
        return clause if is_name and head != "A" else f"{clause[0].lower()}{clause[1:]}"


def material_of(request: ChatRequest) -> Material:
    """The brief's own sentences; without a `<brief>` block, what the user messages say."""
    for message in request.messages:
        if found := _BRIEF.search(message.text):
            return _material_of_brief(found[1])
    spoken = "\n\n".join(m.text for m in request.messages if m.role == "user")
    return _material_of_prose(spoken, request.text)


def without_brief(text: str) -> str:
    """`text` without its brief, in which a count of words is no instruction."""
    return _BRIEF.sub(" ", text)


@lru_cache(maxsize=128)
def _material_of_brief(block: str) -> Material:
    fields = {name: html.unescape(text) for name, text in _FIELD.findall(block)}
    if not fields:
        return _material(sentences_of(html.unescape(block)), (), {"sources": block})
    first = _said(fields, _FIRST)
    then = tuple(s for s in _said(fields, _THEN) if s not in set(first))
    if not first and not then:
        first = tuple(s for text in fields.values() for s in sentences_of(text))
    return _material(first, then, fields)


@lru_cache(maxsize=128)
def _material_of_prose(spoken: str, everything: str) -> Material:
    return _material(sentences_of(spoken) or sentences_of(everything), (), {"sources": everything})


def _said(fields: Mapping[str, str], names: tuple[str, ...]) -> tuple[str, ...]:
    all_of_it = tuple(s for name in names for s in sentences_of(fields.get(name, "")))
    return tuple(dict.fromkeys(s for s in all_of_it if not _DIRECTIVE.match(s))) or all_of_it


def _material(first: tuple[str, ...], then: tuple[str, ...], fields: Mapping[str, str]) -> Material:
    first = first or then or (_NO_PROSE,)
    inner = (w.strip(",.;:!?\"'()") for s in (*first, *then) for w in s.split()[1:])
    return Material(
        first=first,
        then=then if then is not first else (),
        clauses=clauses_of((*first, *then)) or tuple(s.rstrip(".!?") for s in first),
        phrases=phrases_of(first),
        keywords=_keywords(fields.get("seo_cluster", "")),
        urls=tuple(
            dict.fromkeys(u.rstrip(".,;") for text in fields.values() for u in _URL.findall(text))
        ),
        names=frozenset(word for word in inner if word[:1].isupper()),
    )


def _keywords(cluster: str) -> tuple[str, ...]:
    """The terms of a cluster; what it says not to chase is none."""
    parts = (part.strip(" \n\"'") for part in re.split(r"[,.;:\n]", " ".join(cluster.split())))
    wanted = (part for part in parts if not _UNWANTED.match(part))
    return tuple(dict.fromkeys(part for part in wanted if 2 <= len(part.split()) <= 6))


_UNWANTED = re.compile(r"(do not|don't|never|avoid|not)\b", re.IGNORECASE)
