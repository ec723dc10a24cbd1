"""Twenty articles, and the ways in which one of them can be bad."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.dagster_glue.briefs import write_brief

TWENTY = tuple(f"article-{number:02}" for number in range(20))
BAD = "article-07"
GOOD = tuple(article for article in TWENTY if article != BAD)

ASSETS = [
    *([name, part] for name in ("note", "card") for part in ("draft", "deliverable", "episode")),
    ["row"],
]
"""The assets of the small project's content pipeline."""

WAYS: dict[str, dict[str, Any]] = {
    "refused": {"refusal": "No."},
    "failing": {"status": 400, "body": {"error": {"message": "no"}}},
    "hanging": {"hang": True},
}


def bad(way: str, article: str = BAD) -> dict[str, Any]:
    """The rule under which the second prompt of an article's note goes wrong in this way."""
    return {"match": f"*/{article}/note/text#*", **WAYS[way]}


def write_briefs(folder: Path, articles: Iterable[str]) -> None:
    """Their briefs in a folder."""
    for article in articles:
        write_brief(folder, article)


def asked(records: Iterable[dict[str, Any]]) -> Counter[str]:
    """How often each prompt was asked, as `article/library/prompt` whatever the attempt."""
    return Counter(
        record["trace"].split("/", 1)[1].split("#")[0]
        for record in records
        if record["event"] == "asked" and not record["trace"].startswith("check/")
    )
