"""A model with a price, from the wire to `orch status --cost`: exact figures, all the way."""

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.dagster_glue.briefs import write_brief
from tests.dagster_glue.studio import STRONG, weak
from tests.end_to_end.conftest import Serve
from tests.end_to_end.openai import Bill, openai_on_loopback
from tests.end_to_end.orch import Finished, Orch

PRICES = {"gpt-4o": (2.50, 1.25, 10.00), "gpt-3.5-turbo": (0.50, 0.50, 1.50)}
"""OpenAI's price list: dollars a million tokens, in, in from the cache, out.

gpt-3.5-turbo has no price of its own for cached tokens: they cost what others do.
"""


def dollars(bills: Iterable[Bill]) -> Any:
    """What OpenAI would charge; reasoning is part of what comes out."""
    total = 0.0
    for bill in bills:
        full, cached, out = PRICES[bill.model]
        total += (bill.prompt - bill.cached) * full + bill.cached * cached + bill.completion * out
    return pytest.approx(total / 1_000_000, rel=1e-12, abs=1e-12)


def figures(bills: list[Bill]) -> dict[str, Any]:
    """The account of these bills, as `--json` gives it, pauses left out."""
    return {
        "calls": len(bills),
        "tries": len(bills),
        "prompt_tokens": sum(bill.prompt for bill in bills),
        "cached_tokens": sum(bill.cached for bill in bills),
        "completion_tokens": sum(bill.completion for bill in bills),
        "reasoning_tokens": sum(bill.reasoning for bill in bills),
        "cost_usd": dollars(bills),
        "priced_usd": dollars(bills),
    }


def untimed(account: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in account.items() if name != "waited_ms"}


@pytest.mark.slow
def test_every_cent_is_accounted_for_from_the_wire_to_the_table(
    orch: Orch, serve: Serve, tmp_path: Path
) -> None:
    simulator = serve(weak("note", "1"), STRONG).base_url
    models = {"ORCH_MODEL_REASONING": "gpt-4o", "ORCH_MODEL_FAST": "gpt-3.5-turbo"}
    with openai_on_loopback(tmp_path, simulator, refused={"note/text"}) as server:
        orch = Orch(orch.folder, {**server.settings, **models}, orch.project)
        path = str(write_brief(orch.folder, "cellar"))
        assert orch.run("run", path).status == 1  # refused
        done = orch.run("run", path, "--json")
        assert done.status == 0, done.err
        [report] = orch.run("status", "--cost", "--json").json
        table = orch.run("status", "--cost")
    bills = server.bills
    assert {bill.model for bill in bills} == set(PRICES)
    _check_the_cost(report, bills)
    _check_the_rows(orch, done, bills)
    _check_the_checkpoints(orch, bills)
    _check_the_table(table, bills)


def _of(bills: list[Bill], place: str) -> list[Bill]:
    return [bill for bill in bills if bill.trace.startswith(f"content/cellar/{place}")]


def _check_the_cost(report: dict[str, Any], bills: list[Bill]) -> None:
    [refused, *_] = _of(bills, "note/text#")
    answered = [bill for bill in bills if bill is not refused]
    libraries = report["cost"]["libraries"]
    for library in ("note", "card"):
        prompts = libraries[library]["prompts"]
        assert prompts.keys() == {b.trace.split("/")[3].split("#")[0] for b in _of(bills, library)}
        for prompt, account in prompts.items():
            assert untimed(account) == figures(_of(answered, f"{library}/{prompt}#"))
        assert report["libraries"][library]["cost_usd"] == dollars(_of(bills, f"{library}/"))
    assert len(_of(bills, "note/quality_pass#")) == 2
    assert untimed(libraries["note"]["in_vain"]) == {**figures([refused]), "calls": 0}
    assert libraries["note"]["earlier"]["tries"] == 0
    assert untimed(report["cost"]["total"]) == {**figures(bills), "calls": len(bills) - 1}
    assert report["cost_usd"] == dollars(bills)


def _check_the_rows(orch: Orch, done: Finished, bills: list[Bill]) -> None:
    [ended] = done.json
    assert ended["cost_usd"] == dollars(bills)
    row = json.loads((orch.store / "row" / "cellar.json").read_bytes())
    assert row["cost_usd"] == dollars(bills)
    with sqlite3.connect(orch.folder / ".orch" / "rows.db") as rows:
        [(cost, tokens)] = rows.execute("select cost_usd, tokens from orch_rows").fetchall()
    rows.close()
    assert cost == dollars(bills)
    assert tokens == sum(bill.prompt + bill.completion for bill in bills)


def _check_the_checkpoints(orch: Orch, bills: list[Bill]) -> None:
    [bill] = _of(bills, "note/outline#")
    draft = json.loads((orch.store / "note" / "draft" / "cellar.json").read_bytes())
    [outline] = [answer for answer in draft["answers"] if answer["prompt"] == "outline"]
    assert outline["spent"]["cost_usd"] == dollars([bill])
    assert outline["spent"]["usage"] == {
        "prompt_tokens": bill.prompt,
        "cached_tokens": bill.cached,
        "completion_tokens": bill.completion,
        "reasoning_tokens": bill.reasoning,
    }


def _check_the_table(table: Finished, bills: list[Bill]) -> None:
    lines = [line.split() for line in table.out.splitlines()]
    [whole] = [line for line in lines if line[0] == "all"]
    tokens = sum(bill.prompt for bill in bills)
    assert whole[1:4] == [str(len(bills) - 1), str(len(bills)), f"{tokens:,}"]
    assert "100.0%" in whole
    assert any(line[:2] == ["in", "vain"] for line in lines)


@pytest.mark.slow
def test_without_a_price_tokens_are_told_and_no_cost(orch: Orch, serve: Serve) -> None:
    orch = Orch(orch.folder, serve(STRONG).settings, orch.project)
    assert orch.run("run", str(write_brief(orch.folder, "cellar"))).status == 0
    [report] = orch.run("status", "--cost", "--json").json
    total = report["cost"]["total"]
    assert (total["cost_usd"], total["priced_usd"]) == (None, 0)
    assert total["prompt_tokens"] > 0
    told = orch.run("status", "--cost").out
    assert "no price" in told
    assert "$" not in told
    [plain] = orch.run("status", "--json").json
    assert "cost" not in plain
