"""Text answers: length, material, repetition, sameness."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from resources.simulator.answers import answer
from resources.simulator.length import asked_length
from tests.simulator.briefs import FIELDS, block
from tests.simulator.chats import chat


@pytest.mark.parametrize("words", [5, 9, 25, 60, 120, 333, 700, 1500, 3000])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_length_is_within_ten_per_cent_and_never_over(words: int, seed: int) -> None:
    text = answer(chat(f"{block()}Write the section in about {words} words."), seed=seed)
    assert 0.9 * words <= len(text.split()) <= words


@pytest.mark.parametrize(
    ("prompt", "least", "most"),
    [
        ("12-18 words", 12, 18),
        ("between 95 and 100 words", 95, 100),
        ("first 50 words, then 2,500 words", 2325, 2500),
        ("a 300-word section", 279, 300),
        ("section 3 and 200 words", 186, 200),
        ("from 40 to 60 words", 40, 60),
        ("at least 80 words", 80, 86),
    ],
)
def test_the_last_count_of_words_decides(prompt: str, least: int, most: int) -> None:
    length = asked_length(prompt)
    assert length is not None
    assert least <= length.least <= length.most <= most
    assert least <= len(answer(chat(block() + prompt), seed=4).split()) <= most


def test_without_a_count_it_is_about_120_words() -> None:
    assert 108 <= len(answer(chat(f"{block()}Write the lede."), seed=0).split()) <= 132


def test_a_count_inside_the_brief_is_no_instruction() -> None:
    brief = block(primary_audience="They read 900 words at most.")
    assert len(answer(chat(f"{brief}Write the lede."), seed=0).split()) <= 132


def test_3000_words_from_a_300_word_brief_repeat_no_paragraph_and_no_sentence() -> None:
    for seed in range(5):
        text = answer(chat(f"{block()}Write 3,000 words."), seed=seed)
        paragraphs = text.split("\n\n")
        assert len(set(paragraphs)) == len(paragraphs)
        assert all(45 <= len(paragraph.split()) <= 130 for paragraph in paragraphs)
        pairs = [
            p.split(". ")[i : i + 2] for p in paragraphs for i in range(len(p.split(". ")) - 1)
        ]
        assert len({tuple(pair) for pair in pairs}) == len(pairs)


def test_one_sentence_is_enough_for_a_long_text() -> None:
    text = answer(chat("<brief><field name='x'>Snow fell.</field></brief> 900 words"), seed=0)
    assert 810 <= len(text.split()) <= 900


def test_a_prompt_without_prose_is_answered_too() -> None:
    assert "no prose" in answer(chat("?", system=""), seed=0)


def test_the_text_is_the_briefs_and_not_the_instructions() -> None:
    instruction = "Mention the zeppelin in every paragraph of this text. Write 400 words."
    text = answer(chat(block() + instruction), seed=0)
    assert "zeppelin" not in text
    known = {w.strip('.,;:"()').lower() for field in FIELDS.values() for w in field.split()}
    spoken = [w.strip('.,;:"()').lower() for w in text.split()]
    assert sum(word in known for word in spoken) > 0.9 * len(spoken)


def test_plain_prose_has_no_markup() -> None:
    source = "# Heading\n\n- The first point is about apples.\n- The second one is about pears.\n"
    text = answer(chat(block(sources=source) + "200 words"), seed=0)
    assert not {"#", "`", "<", "*"} & set(text)
    assert "- The" not in text


@given(st.text(max_size=60), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_the_same_request_and_seed_give_the_same_answer(prompt: str, seed: int) -> None:
    assert answer(chat(block() + prompt), seed=seed) == answer(chat(block() + prompt), seed=seed)


@given(st.lists(st.text(max_size=40), min_size=2, max_size=6, unique=True))
@settings(max_examples=40, deadline=None)
def test_different_prompts_give_different_answers(prompts: list[str]) -> None:
    answers = {answer(chat(f"{block()}{prompt}\nWrite 120 words."), seed=0) for prompt in prompts}
    assert len(answers) == len(prompts)


def test_another_seed_gives_another_answer() -> None:
    request = chat(f"{block()}Write the lede.")
    assert answer(request, seed=1) != answer(request, seed=2)


@given(st.text(max_size=400), st.integers(1, 300))
@settings(max_examples=100, deadline=None)
def test_any_text_can_be_asked_about(text: str, words: int) -> None:
    count = len(answer(chat(f"{text}\n\nIn {words} words."), seed=0).split())
    assert 0.9 * words <= count <= words


def test_only_names_keep_their_capital_inside_a_sentence() -> None:
    source = (
        "Carrots kept well in sand; Marta checked them. Old crates went to Marta in the spring."
    )
    text = answer(chat(f"<brief>{source}</brief> 300 words"), seed=0)
    assert " Marta" in text
    assert not re.search(r"[a-z;,] (?:Carrots|Old)\b", text)


def test_the_text_does_not_hang_on_the_hash_seed_of_the_process() -> None:
    program = (
        "from tests.simulator.chats import *\nfrom tests.simulator.briefs import block\n"
        "pattern = {'type': 'string', 'pattern': '^[^a]{4,9}x'}\n"
        "print(answer(chat(block() + '900 words'), seed=1), filled(pattern, block()))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(texts) == 1
