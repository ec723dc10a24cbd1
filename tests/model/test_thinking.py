"""Thinking blocks in texts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orch_dagster.thinking import without_thinking


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>Hm.</think>\n\nSnow fell.", "\n\nSnow fell."),
        ("  <think>\nHm.\n</think>Snow fell.", "Snow fell."),
        ("<thinking>Hm.</thinking>Snow.", "Snow."),
        ("<think>Never closed. Snow fell.", ""),
        ("Hm, snow.\n</think>\n\nSnow fell.", "\n\nSnow fell."),
        ("Snow fell.", "Snow fell."),
        ("", ""),
        ("The tag <think> opens a block.", "The tag <think> opens a block."),
        ("Write `</think>` after it.", "Write `</think>` after it."),
        ("A sample:\n\n    <think>\n    </think>\n", "A sample:\n\n    <think>\n    </think>\n"),
    ],
)
def test_only_what_follows_the_thinking_is_left(text: str, left: str) -> None:
    assert without_thinking(text) == left


@settings(deadline=None)
@given(st.text())
def test_a_text_without_marks_stays_as_it_is(text: str) -> None:
    assert without_thinking(f"Snow. {text}") == f"Snow. {text}"
