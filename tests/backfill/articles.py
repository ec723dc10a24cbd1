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

TRANSLATED = [
    ["fetch_output"], ["categorize_output"], ["translate_output"], ["polish_output"],
    ["review_output"], ["decision"], ["publish_output"],
]  # fmt: skip
"""The assets of the translation pipeline."""

WELL_TRANSLATED: tuple[dict[str, Any], ...] = (
    {"match": "*/review/*", "set": {"score": 9, "notes": []}},
    {"match": "*/categorize/*", "set": {"category": "science"}},
)
"""The rules under which every translation is good."""

WAYS: dict[str, dict[str, Any]] = {
    "refused": {"refusal": "No."},
    "failing": {"status": 400, "body": {"error": {"message": "no"}}},
    "hanging": {"hang": True},
}


def bad(way: str, article: str = BAD) -> dict[str, Any]:
    """The rule under which the second prompt of an article's note goes wrong in this way."""
    return {"match": f"*/{article}/note/text#*", **WAYS[way]}


def badly_translated(way: str, article: str = BAD) -> dict[str, Any]:
    """The rule under which the translation of an article goes wrong in this way."""
    return {"match": f"*/{article}/translate/piece*", **WAYS[way]}


def write_articles(folder: Path, articles: Iterable[str]) -> None:
    """Short articles to be translated, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for article in articles:
        text = f"# The gauge of {article}\n\nA tide gauge stands in the harbour. It is old.\n"
        (folder / f"{article}.md").write_text(text, encoding="utf-8")


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
