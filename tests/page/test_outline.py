"""Structured deliverables in the terminal."""

from orch_dagster.cli.outline import outline, printable


def test_an_outline_reads_like_notes() -> None:
    data = {
        "goal": "Fifty calls",
        "channels": ["press", "x"],
        "steps": [{"sent_to": "all", "done": True}, {"sent_to": None, "done": False}],
        "$description": "one\ntwo",
        "empty": [],
    }
    assert list(outline(data)) == [
        "goal: Fifty calls",
        "channels: press, x",
        "steps:",
        "  1. sent to: all",
        "     done: yes",
        "  2. sent to: none",
        "     done: no",
        "description: one / two",
        "empty: none",
    ]


def test_a_text_cannot_command_the_terminal() -> None:
    assert list(outline({"text": "a\x1b[2Jb\rc"})) == ["text: a\ufffd[2Jb\ufffdc"]
    assert printable("tab\tand\nline\x9b") == "tab\tand\nline\ufffd"
