"""The table of `orch status --cost`: where the money went, dearest first."""

from collections.abc import Mapping

from rich.table import Table

from orch_dagster.accounts import NO_CALL, Account, Accounts, whole
from orch_dagster.spending_table import EARLIER, IN_VAIN, UNKNOWN

SHARE = "share of"

_COLUMNS = (
    "library", "prompt", "calls", "tries", "prompt tokens", "cached", "completion", "reasoning",
    "cost", SHARE, "waited",
)  # fmt: skip


def cost_headline(pipeline: str, articles: int, libraries: Mapping[str, Accounts]) -> str:
    """What it came to, and how much of it was in vain, in a line."""
    total = whole(libraries)
    lost = sum((accounts.in_vain for accounts in libraries.values()), NO_CALL)
    said = f"{pipeline}: {articles:,} article{'s' * (articles != 1)}, {amount(total)}"
    return f"{said}, of it in vain {amount(lost)}" if lost != NO_CALL else said


def cost_table(libraries: Mapping[str, Accounts]) -> Table:
    """One line a library with its prompts below it, and the sum at the end.

    Shares are of the cost, or of the tokens where a price is missing.
    """
    total = whole(libraries)
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in _COLUMNS:
        head = f"{name} {'cost' if _is_of_cost(total) else 'tokens'}" if name == SHARE else name
        table.add_column(head, justify="left" if name in ("library", "prompt") else "right")
    totals = {name: accounts.total for name, accounts in libraries.items()}
    for name, account in _dearest(totals):
        table.add_row(name, "", *_cells(account, total), style="bold")
        for prompt, part in _lines(libraries[name]):
            table.add_row("", prompt, *_cells(part, total))
    table.add_row("all", "", *_cells(total, total), style="bold")
    return table


def amount(account: Account) -> str:
    """A cost in dollars, as far as prices are known."""
    if account.is_priced:
        return f"${account.priced_usd:.4f}"
    return f"${account.priced_usd:.4f} + no price" if account.priced_usd else "no price"


def _lines(accounts: Accounts) -> list[tuple[str, Account]]:
    others = {IN_VAIN: accounts.in_vain, EARLIER: accounts.earlier}
    made = {name: account for name, account in others.items() if account != NO_CALL}
    return [*_dearest(accounts.prompts), *made.items()]


def _dearest(accounts: Mapping[str, Account]) -> list[tuple[str, Account]]:
    """By cost, and by tokens where no price is known or prices are the same."""
    return sorted(
        accounts.items(), key=lambda one: (-one[1].priced_usd, -one[1].usage.total, one[0])
    )


def _cells(account: Account, total: Account) -> list[str]:
    usage = account.usage
    tokens = (
        usage.prompt_tokens,
        usage.cached_tokens,
        usage.completion_tokens,
        usage.reasoning_tokens,
    )
    return [
        f"{account.spent.calls:,}",
        f"{account.spent.tries:,}",
        *(UNKNOWN if count is None else f"{count:,}" for count in tokens),
        amount(account),
        _share(account, total),
        f"{account.spent.waited_ms / 1000:,.1f} s",
    ]


def _share(account: Account, total: Account) -> str:
    if _is_of_cost(total):
        return f"{account.priced_usd / total.priced_usd:.1%}"
    return f"{account.usage.total / total.usage.total:.1%}" if total.usage.total else "-"


def _is_of_cost(total: Account) -> bool:
    return total.is_priced and total.priced_usd > 0
