"""Settings, from the environment; each is named in `.env.example`."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dagster._utils.schedules import is_valid_cron_schedule

from orch_dagster.core.budget import Budget
from orch_dagster.night import NIGHTLY, Night

INBOX, TRANSLATION_INBOX = "ORCH_INBOX", "ORCH_TRANSLATION_INBOX"
"""Names of settings that several places speak of."""


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
    night: Night
    call_timeout_s: float
    database_url: str = field(repr=False)
    fetch_allow_private: bool
    publish_url: str = field(repr=False)
    webhook_url: str | None = field(repr=False)
    webhook_secret: str | None = field(repr=False)
    inbox: str | None
    translation_inbox: str | None
    feed_minutes: int

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """The settings as they stand now.

        Raises:
            SettingError: a number that is none or out of its range, or one inbox for both pipelines.
        """
        env = os.environ if environment is None else environment
        home = Path(env.get("DAGSTER_HOME") or ".orch").expanduser().resolve()
        inbox, translation_inbox = _place(env, INBOX), _place(env, TRANSLATION_INBOX)
        if inbox and inbox == translation_inbox:
            raise SettingError(
                f"{INBOX} and {TRANSLATION_INBOX}: both are {inbox!r}, where a Markdown file would "
                "be a brief and an article to be translated; give each its own folder"
            )
        return cls(
            home=home,
            store=env.get("ORCH_STORE") or (home / "store").as_uri(),
            max_in_flight=_whole(env, "ORCH_MAX_IN_FLIGHT", default=32, low=1, high=1_000),
            articles_per_run=_whole(env, "ORCH_ARTICLES_PER_RUN", default=0, low=1, high=200)
            or None,
            budget=_budget(env, "ORCH_BUDGET"),
            night=_night(env),
            call_timeout_s=_whole(env, "ORCH_CALL_TIMEOUT", default=300, low=1, high=3_600),
            database_url=env.get("ORCH_DATABASE_URL") or f"sqlite:///{home / 'rows.db'}",
            fetch_allow_private=_yes(env, "ORCH_FETCH_ALLOW_PRIVATE"),
            publish_url=env.get("ORCH_PUBLISH_URL") or (home / "published").as_uri(),
            webhook_url=env.get("ORCH_WEBHOOK_URL") or None,
            webhook_secret=env.get("ORCH_WEBHOOK_SECRET") or None,
            inbox=inbox,
            translation_inbox=translation_inbox,
            feed_minutes=_whole(env, "ORCH_FEED_MINUTES", default=15, low=1, high=1_440),
        )


def _place(env: Mapping[str, str], name: str) -> str | None:
    """A folder by its whole path, so that it is the same one wherever a process stands, or a URL."""
    text = env.get(name, "").strip().removeprefix("file://")
    if not text or "://" in text:
        return text.rstrip("/") or None
    return str(Path(text).expanduser().resolve())


def _whole(env: Mapping[str, str], name: str, *, default: int, low: int, high: int) -> int:
    text = env.get(name, "").strip()
    if not text:
        return default
    if not text.isdecimal() or not low <= int(text) <= high:
        raise SettingError(f"{name}: {text!r} is not a whole number from {low} to {high}")
    return int(text)


def _night(env: Mapping[str, str]) -> Night:
    cron = env.get("ORCH_SCHEDULE", "").strip()
    timezone = env.get("ORCH_SCHEDULE_TIMEZONE", "").strip() or "UTC"
    if cron and not is_valid_cron_schedule(cron):
        raise SettingError(f"ORCH_SCHEDULE: {cron!r} is no cron schedule, such as '0 2 * * *'")
    try:
        ZoneInfo(timezone)
    except (ValueError, ZoneInfoNotFoundError) as error:
        raise SettingError(
            f"ORCH_SCHEDULE_TIMEZONE: {timezone!r} is no time zone, such as 'Europe/Kyiv'"
        ) from error
    return Night(
        cron=cron or NIGHTLY,
        timezone=timezone,
        articles=_whole(env, "ORCH_SCHEDULE_ARTICLES", default=100, low=1, high=10_000),
        budget=_budget(env, "ORCH_SCHEDULE_BUDGET"),
        is_on=bool(cron),
    )


def _budget(env: Mapping[str, str], name: str) -> Budget:
    return Budget(
        usd=_dollars(env, f"{name}_USD"),
        tokens=_whole(env, f"{name}_TOKENS", default=0, low=1, high=10**12) or None,
    )


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
