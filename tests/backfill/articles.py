"""Twenty articles, and the ways in which one of them can be bad."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

TWENTY = tuple(f"article-{number:02}" for number in range(20))
BAD = "article-07"
GOOD = tuple(article for article in TWENTY if article != BAD)

REFUSED = {"match": f"*/{BAD}/note/text#*", "refusal": "No."}
FAILING = {"match": f"*/{BAD}/note/text#*", "status": 400, "body": {"error": {"message": "no"}}}
HANGING = {"match": f"*/{BAD}/note/text#*", "hang": True}


def asked(records: Iterable[dict[str, Any]]) -> Counter[str]:
    """How often each prompt was asked, by the whole trace."""
    return Counter(
        record["trace"]
        for record in records
        if record["event"] == "asked" and not record["trace"].startswith("check/")
    )
