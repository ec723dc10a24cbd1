"""Who answers what: the first answerer that knows a request's kind gives the content."""

import json
from collections.abc import Callable

from resources.simulator.length import asked_length, span
from resources.simulator.material import material_of, without_brief
from resources.simulator.numbers import Scores
from resources.simulator.place import Place
from resources.simulator.request import ChatRequest
from resources.simulator.structure import Structure
from resources.simulator.translation import translation
from resources.simulator.writer import Writer

Answerer = Callable[[ChatRequest, int], str | None]

_USUAL_WORDS = 120


def answer(request: ChatRequest, *, seed: int) -> str:
    """The content of the reply; the same request and seed give the same text.

    Raises:
        Unanswerable: the asked schema accepts nothing that can be written.
    """
    contents = (answerer(request, seed) for answerer in ANSWERERS)
    return next(content for content in contents if content is not None)


def structured(request: ChatRequest, seed: int) -> str | None:
    """A JSON value for the request's schema, or None where it has none."""
    schema = request.wanted_schema
    if schema is None:
        return None
    scores = Scores(seed=seed, task=request.task, attempt=request.attempt)
    structure = Structure(schema, writer=_writer(request, seed), scores=scores)
    return json.dumps(structure.value(schema, Place()), ensure_ascii=False)


def json_mode(request: ChatRequest, seed: int) -> str | None:
    """An object with the one key `answer`, where JSON is asked for but no schema given."""
    if request.form != "json_object":
        return None
    return json.dumps({"answer": prose(request, seed)}, ensure_ascii=False)


def prose(request: ChatRequest, seed: int) -> str:
    """Plain paragraphs of the length that the messages ask for last, else 120 words."""
    length = asked_length(without_brief(request.text)) or span(_USUAL_WORDS)
    return _writer(request, seed).prose(length)


ANSWERERS: tuple[Answerer, ...] = (translation, structured, json_mode, prose)


def _writer(request: ChatRequest, seed: int) -> Writer:
    return Writer(material_of(request), seed=f"{seed}:{request.digest}")
