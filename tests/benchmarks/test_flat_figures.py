"""Figures are kept whole, told in a table, and drawn."""

from pathlib import Path

import pytest

from orch_dagster.core.decision import State
from tests.benchmarks.flat.drawing import draw
from tests.benchmarks.flat.figures import Figures, orchestrator, way
from tests.benchmarks.flat.meter import Request
from tests.benchmarks.flat.price import MODEL
from tests.benchmarks.flat.reading import Reading
from tests.benchmarks.flat.table import table

BEFORE = Reading("a", State.NEW, True, episodes=(), flagged=(), ledger=0)
AFTER = Reading("a", State.FINISHED, False, episodes=(38, 41), flagged=(52,), ledger=900)
HEAVY = Reading("b", State.FINISHED, False, episodes=(38, 49), flagged=(), ledger=880)


def requests(*contexts: int) -> tuple[Request, ...]:
    return tuple(Request(f"content/a/note/p{n}#1", c, 0, 200) for n, c in enumerate(contexts))


@pytest.fixture
def figures() -> Figures:
    ways = {
        name: way(asked, finished=finished, prompts=frozenset(), steps=2, model=MODEL, seconds=1.5)
        for name, asked, finished in (
            ("libraries", requests(1_000, 1_100, 900), ["a"]),
            ("article_window", requests(1_000, 2_000, 140_000), ["a"]),
            ("one_window", requests(1_000, 150_000), []),
        )
    }
    return Figures(
        articles=1,
        tokenizer="o200k_base",
        priced_as=MODEL,
        load_before=(0.5, 0.5, 0.5),
        load_after=(1.5, 1.0, 0.5),
        orchestrator=orchestrator([BEFORE, AFTER, HEAVY]),
        **ways,
    )


def test_figures_come_back_from_their_file(figures: Figures, tmp_path: Path) -> None:
    figures.save(tmp_path / "figures.json")
    assert Figures.load(tmp_path / "figures.json") == figures


def test_a_decision_over_its_budget_is_counted(figures: Figures) -> None:
    assert figures.orchestrator.steps == (0, 131, 87)
    assert figures.orchestrator.over_budget == 1
    assert figures.orchestrator.largest_episode == 49
    assert figures.orchestrator.largest_flagged == 52
    assert "1 decisions over the budget" in table(figures)


def test_the_table_says_where_a_window_is_full(figures: Figures) -> None:
    lines = table(figures).splitlines()
    assert "  one window passes 128,000 tokens at step 2" in lines
    assert "  one window passes 200,000 tokens at step none" in lines


def test_an_article_that_did_not_ask_every_prompt_is_counted_and_left_out() -> None:
    asked = requests(1_000, 1_100)
    prompts = frozenset({"note/p0", "note/p1", "note/p2"})
    found = way(asked, finished=["a"], prompts=prompts, steps=2, model=MODEL, seconds=1.0)
    assert found.incomplete == 1
    assert found.articles == ()


def test_only_as_many_steps_are_drawn_as_were_asked_for(figures: Figures, tmp_path: Path) -> None:
    assert figures.libraries.steps == (1_000, 1_100)
    assert figures.libraries.articles[0].prompt_tokens == 3_000
    assert figures.one_window.articles == ()
    draw(figures, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
