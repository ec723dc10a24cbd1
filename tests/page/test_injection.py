"""Whatever a model writes, the page does nothing: every text of every deliverable is hostile here."""

import json
from typing import Any

import pytest

from orch_dagster.library import Library
from orch_dagster.page.document import Document, Structured, read_document
from orch_dagster.page.page import render_document
from tests.page import audit, dom, samples
from tests.page.payloads import PAYLOADS, injected, markdown

pytestmark = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")

STRUCTURED = [library for library in samples.libraries() if library.suffix == ".json"]


def _name(library: Library) -> str:
    return library.name


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
@pytest.mark.parametrize("library", STRUCTURED, ids=_name)
def test_hostile_texts_in_a_librarys_own_template_come_out_inert(
    library: Library, payload: str
) -> None:
    """As if the model's patterns and choices were no protection at all."""
    hostile = Structured(injected(samples.candidate(library.name), payload))
    html = _body(library, hostile)
    assert audit.faults(html) == []
    assert " ".join(payload.split()) in dom.words(html)


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_hostile_markdown_comes_out_inert(payload: str) -> None:
    [library] = [library for library in samples.libraries() if library.name == "article"]
    html = samples.page(samples.package(samples.part(library, markdown(payload))))
    assert audit.faults(html) == []


@pytest.mark.parametrize("number", range(len(PAYLOADS)))
def test_hostile_data_without_a_template_comes_out_inert(number: int) -> None:
    library = STRUCTURED[number % len(STRUCTURED)]
    data = injected(json.loads(samples.text(library.name)), PAYLOADS[number])
    html = samples.page(samples.package(samples.part(library, json.dumps(data))))
    assert audit.faults(html) == []
    assert "it is shown as it is" in dom.words(html)


@pytest.mark.parametrize("library", STRUCTURED, ids=_name)
def test_a_hostile_text_in_any_one_place_comes_out_inert(library: Library) -> None:
    """A dozen texts, each by itself, with all payloads: most of these documents fit their models."""
    data = json.loads(samples.text(library.name))
    count = _count(data)
    for number in range(0, count, max(1, count // 12)):
        text = json.dumps(_with_one(data, number, " ".join(PAYLOADS)))
        assert audit.faults(_body(library, read_document(library, text))) == []


def _body(library: Library, document: Document) -> str:
    """The library's part of a page, under the page's style sheet."""
    part = samples.part(library, "")
    body = render_document(document, part=part, package=samples.package(part), published=None)
    return f"<style>{audit.stylesheet()}</style>{body}"


def _count(value: Any) -> int:
    match value:
        case str():
            return 1
        case dict():
            return sum(map(_count, value.values()))
        case list():
            return sum(map(_count, value))
        case _:
            return 0


def _with_one(value: Any, number: int, payload: str) -> Any:
    """The data with the payload after the text that comes at this place, counted from 0."""
    match value:
        case str():
            return f"{value[:20]} {payload}" if number == 0 else value
        case dict() | list():
            pairs = value.items() if isinstance(value, dict) else enumerate(value)
            changed = {}
            for key, item in pairs:
                changed[key] = _with_one(item, number, payload)
                number -= _count(item)
            return changed if isinstance(value, dict) else [*changed.values()]
        case _:
            return value


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_a_hostile_brief_and_a_hostile_model_name_come_out_inert(payload: str) -> None:
    whole = samples.with_brief(samples.package(models=(payload,)), title=payload, slug=payload)
    whole = samples.with_report(whole, next=payload, article=payload)
    assert audit.faults(samples.page(whole)) == []


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_the_audit_sees_each_payload_that_gets_through(payload: str) -> None:
    """The net itself is tested: put in raw, what is dangerous in HTML is found."""
    if "<" not in payload or payload.startswith(("[", "{", "!")):
        return
    html = f"<style>{audit.stylesheet()}</style>{payload}"
    with pytest.raises(AssertionError):
        assert audit.faults(html) == []
