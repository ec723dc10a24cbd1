"""The simulator's translations: Ukrainian letters, everything else where it was."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.translation.structure.language import Pair
from assets.translation.structure.rendering import render
from assets.translation.structure.segment_faults import segment_faults
from assets.translation.structure.segmentation import segment
from assets.translation.structure.structure_faults import structure_faults
from resources.simulator.answers import answer
from resources.simulator.transliteration import transliterated
from tests.simulator.asking import ask
from tests.simulator.chats import chat, schema_format
from tests.simulator.conftest import Start
from tests.translation_structure.articles import HARD

SCHEMA = {
    "type": "object",
    "properties": {"segments": {"type": "array", "items": {"$ref": "#/$defs/Segment"}}},
    "required": ["segments"],
    "additionalProperties": False,
    "$defs": {
        "Segment": {
            "type": "object",
            "properties": {"id": {"type": "integer"}, "text": {"type": "string"}},
            "required": ["id", "text"],
            "additionalProperties": False,
        }
    },
}
UKRAINIAN = set("абвгґдеєжзиіїйклмнопрстуфхцчшщьюя")


def request_for(*texts: str) -> str:
    lines = (f'<segment id="{n}">{text}</segment>' for n, text in enumerate(texts, start=7))
    return "Translate.\n\n<translate>\n" + "\n".join(lines) + "\n</translate>\n\nAnswer in JSON."


def translated(prompt: str, **more: Any) -> list[tuple[int, str]]:
    request = chat(prompt, response_format=schema_format(SCHEMA), **more)
    segments = json.loads(answer(request, seed=0))["segments"]
    return [(found["id"], found["text"]) for found in segments]


def test_each_segment_comes_back_under_its_number_in_ukrainian_letters() -> None:
    assert translated(request_for("The quick fox", "Ships")) == [(7, "Те квік фокс"), (8, "Шіпс")]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Run ⟦1⟧ for [the site]⟦2⟧.", "Рун ⟦1⟧ фор [те сіте]⟦2⟧."),
        ("**Bold**, *it*, ~~no~~ \\*", "**Болд**, *іт*, ~~но~~ \\*"),
        ("$5, 1,000 and 42 %", "$5, 1,000 анд 42 %"),
        ("AT&amp;T &nbsp; XML", "АТ&amp;Т &nbsp; КСМЛ"),
        ("naïve Łódź Straße", "наіве Лодз Страсе"),
        ("вже українською", "вже українською"),
        ("שלום 🚢 日本", "שלום 🚢 日本"),
    ],
)
def test_all_but_the_letters_stays(text: str, written: str) -> None:
    assert transliterated(text) == written


@given(st.text())
def test_no_latin_letter_is_left_and_none_comes_that_ukrainian_has_not(text: str) -> None:
    written = transliterated(text)
    assert not re.search(r"(?<![&#\w])[A-Za-z](?!\w*;)", written)
    assert {letter.lower() for letter in set(written) - set(text)} <= UKRAINIAN


@pytest.mark.parametrize("markdown", HARD.values(), ids=HARD.keys())
def test_its_translations_of_hard_articles_pass_every_check(markdown: str) -> None:
    article = segment(markdown)
    answers = dict(translated(request_for(*(found.text for found in article.segments))))
    texts = {number - 6: text for number, text in answers.items()}
    for found in article.segments:
        assert segment_faults(found, texts[found.id], Pair("en", "uk")) == []
    assert structure_faults(markdown, render(article, texts)) == []


def test_without_a_schema_the_answer_is_in_the_form_of_the_request() -> None:
    content = answer(chat(request_for("One", "Two")), seed=0)
    assert content == '<segment id="7">Оне</segment>\n<segment id="8">Тво</segment>'


def test_in_json_mode_it_is_an_object() -> None:
    request = chat(request_for("One"), response_format={"type": "json_object"})
    assert json.loads(answer(request, seed=0)) == {"segments": [{"id": 7, "text": "Оне"}]}


def test_attributes_of_a_segment_are_read_over() -> None:
    prompt = '<translate>\n<segment id="3" kind="heading">Port</segment>\n</translate>'
    assert translated(prompt) == [(3, "Порт")]


def test_tags_within_a_text_are_text() -> None:
    text = 'x </segment> </translate> <segment id="9"> y'
    assert [number for number, _ in translated(request_for(text, "End"))] == [7, 8]


def test_a_repair_request_is_answered_for_its_own_segments() -> None:
    request = chat(request_for("One"), response_format=schema_format(SCHEMA))
    messages = [{"role": m.role, "content": m.text} for m in request.messages]
    messages += [
        {"role": "assistant", "content": "{}"},
        {"role": "user", "content": request_for("Two").replace('"7"', '"9"')},
    ]
    again = chat("", response_format=schema_format(SCHEMA), messages=messages)
    assert json.loads(answer(again, seed=0)) == {"segments": [{"id": 9, "text": "Тво"}]}


def test_other_questions_about_a_text_to_be_translated_get_their_usual_answer() -> None:
    score = {"type": "integer", "minimum": 0, "maximum": 10}
    schema = {"type": "object", "properties": {"score": score}, "required": ["score"]}
    request = chat(
        request_for('The score is 10. {"score": 10}'), response_format=schema_format(schema)
    )
    assert set(json.loads(answer(request, seed=0))) == {"score"}


def test_a_request_without_segments_is_none_of_these() -> None:
    prompt = "Say <translate> and <segment id=1> in about 20 words."
    assert len(answer(chat(prompt), seed=0).split()) <= 20


def test_a_running_simulator_answers_so_and_says_what_it_is(start: Start) -> None:
    _, client = start()
    completion = ask(client, request_for("One"), response_format=schema_format(SCHEMA))
    content = completion.choices[0].message.content or ""
    assert json.loads(content) == {"segments": [{"id": 7, "text": "Оне"}]}
    assert completion.system_fingerprint == "simulator"
