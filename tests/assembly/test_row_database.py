"""The table of rows, on SQLite and on PostgreSQL: the same article assembled twice is one row."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from orch_dagster.core.episode import Flag
from orch_dagster.core.ledger import Document
from orch_dagster.core.row import LibraryResult, Row
from resources.row_database import ROWS, DatabaseError, RowDatabase
from tests.postgres import running_postgres


def row(article: str, *, status: str, cost: float | None) -> Row:
    """A row with one library."""
    result = LibraryResult(
        deliverable=Document(url="file:///x.md", bytes=5, sha256="0" * 64),
        variant="a",
        scores={"voice_consistency": 4.2},
        flags=(Flag.FOOTNOTE_REQUIRES_REVIEW,),
        passes=1,
        word_count=5,
        tokens=70,
        cost_usd=cost,
        latency_ms=12,
    )
    return Row(
        article=article,
        pipeline="content",
        status=status,
        approved=False,
        decision="every gate passed",
        flags=(Flag.FOOTNOTE_REQUIRES_REVIEW,),
        libraries={"article": result},
        word_count=5,
        tokens=70,
        cost_usd=cost,
        latency_ms=12,
        made_from={"article": "f"},
    )


def stored(url: str) -> list[sa.RowMapping]:
    """What a table holds, by article."""
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.connect() as connection:
        found = connection.execute(sa.select(ROWS).order_by(ROWS.c.article))
        return list(found.mappings())


def upserts_hold(url: str) -> None:
    """The behaviour that every database has to show."""
    database = RowDatabase(url)
    database.upsert(row("cellar", status="needs_review", cost=None))
    database.upsert(row("garden", status="assembled", cost=0.25))
    RowDatabase(url).upsert(row("cellar", status="assembled", cost=0.5))
    cellar, garden = stored(url)
    assert (cellar["article"], garden["article"]) == ("cellar", "garden")
    assert (cellar["status"], cellar["cost_usd"]) == ("assembled", 0.5)
    assert cellar["flags"] == ["footnote_requires_review"]
    assert cellar["libraries"]["article"]["deliverable"]["sha256"] == "0" * 64


def test_a_row_upserted_twice_is_one_row_on_sqlite(tmp_path: Path):
    upserts_hold(f"sqlite:///{tmp_path / 'rows.db'}")


def test_an_unknown_cost_is_null(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'rows.db'}"
    RowDatabase(url).upsert(row("cellar", status="assembled", cost=None))
    assert stored(url)[0]["cost_usd"] is None


@pytest.mark.parametrize(
    "url", ["mysql://x/y", "no url", "sqlite:////no/such/folder/rows.db", "oracle://h"]
)
def test_a_database_that_cannot_be_used_names_the_setting(url: str):
    with pytest.raises(DatabaseError, match=r"^ORCH_DATABASE_URL: "):
        RowDatabase(url).upsert(row("cellar", status="assembled", cost=None))


@pytest.mark.slow
def test_a_row_upserted_twice_is_one_row_on_postgresql():
    with running_postgres() as url:
        upserts_hold(url)
