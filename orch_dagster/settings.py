"""Settings, from the environment; each is named in `.env.example`."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from orch_dagster.core.budget import Budget


class SettingError(ValueError):
    """A setting that cannot be used; the message names it and what it must be."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What people can set. The API key is not among them: only the model client reads it."""

    home: Path
    store: str = field(repr=False)
    max_in_flight: int
    articles_per_run: int | None
    budget: Budget
    call_timeout_s: float
    database_url: str = field(repr=False)
    fetch_allow_private: bool
    publish_url: str = field(repr=False)
    webhook_url: str | None = field(repr=False)
    webhook_secret: str | None = field(repr=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """The settings as they stand now.

        Raises:
            SettingError: a number that is none, or out of its range.
        """
        env = os.environ if environment is None else environment
        home = Path(env.get("DAGSTER_HOME") or ".orch").expanduser().resolve()
        return cls(
            home=home,
            store=env.get("ORCH_STORE") or (home / "store").as_uri(),
            max_in_flight=_whole(env, "ORCH_MAX_IN_FLIGHT", default=32, low=1, high=1_000),
            articles_per_run=_whole(env, "ORCH_ARTICLES_PER_RUN", default=0, low=1, high=200)
            or None,
            budget=Budget(
                usd=_dollars(env, "ORCH_BUDGET_USD"),
                tokens=_whole(env, "ORCH_BUDGET_TOKENS", default=0, low=1, high=10**12) or None,
            ),
            call_timeout_s=_whole(env, "ORCH_CALL_TIMEOUT", default=300, low=1, high=3_600),
            database_url=env.get("ORCH_DATABASE_URL") or f"sqlite:///{home / 'rows.db'}",
            fetch_allow_private=_yes(env, "ORCH_FETCH_ALLOW_PRIVATE"),
            publish_url=env.get("ORCH_PUBLISH_URL") or (home / "published").as_uri(),
            webhook_url=env.get("ORCH_WEBHOOK_URL") or None,
            webhook_secret=env.get("ORCH_WEBHOOK_SECRET") or None,
        )


def _whole(env: Mapping[str, str], name: str, *, default: int, low: int, high: int) -> int:
    text = env.get(name, "").strip()
    if not text:
        return default
    if not text.isdecimal() or not low <= int(text) <= high:
        raise SettingError(f"{name}: {text!r} is not a whole number from {low} to {high}")
    return int(text)


def _dollars(env: Mapping[str, str], name: str) -> float | None:
    text = env.get(name, "").strip()
    if not text:
        return None
    try:
        amount = float(text)
    except ValueError:
        amount = math.nan
    if not 0 < amount < math.inf:
        raise SettingError(f"{name}: {text!r} is not an amount of US dollars above 0, such as 2.50")
    return amount


def _yes(env: Mapping[str, str], name: str) -> bool:
    text = env.get(name, "").strip()
    if text not in ("", "0", "1"):
        raise SettingError(f"{name}: {text!r} is neither 0 nor 1")
    return text == "1"
