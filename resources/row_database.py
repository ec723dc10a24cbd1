"""The SQL table of finished rows, for tools that read tables: one line an article."""

from datetime import UTC, datetime
from functools import cached_property

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from orch_dagster.core.row import Row
from resources.secret import hide, secrets_of_url, without_login


class DatabaseError(Exception):
    """The row database cannot be used; the message names the setting."""


_METADATA = sa.MetaData()

ROWS = sa.Table(
    "orch_rows",
    _METADATA,
    sa.Column("pipeline", sa.String(64), primary_key=True),
    sa.Column("article", sa.String(255), primary_key=True),
    sa.Column("status", sa.String(32), nullable=False),
    sa.Column("decision", sa.Text, nullable=False),
    sa.Column("flags", sa.JSON, nullable=False),
    sa.Column("word_count", sa.Integer, nullable=False),
    sa.Column("tokens", sa.BigInteger, nullable=False),
    sa.Column("cost_usd", sa.Float),
    sa.Column("latency_ms", sa.BigInteger, nullable=False),
    sa.Column("libraries", sa.JSON, nullable=False),
    sa.Column("assembled_at", sa.DateTime(timezone=True), nullable=False),
)

_INSERTS = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


class RowDatabase:
    """SQLite or PostgreSQL by a SQLAlchemy URL; the table is made when the first row comes."""

    def __init__(self, url: str) -> None:
        self._url = url

    def upsert(self, row: Row) -> None:
        """Put the row there, in place of an earlier one of the same article.

        Raises:
            DatabaseError: the database cannot be reached or written.
        """
        values = {
            **row.model_dump(mode="json", include=set(ROWS.columns.keys())),
            "assembled_at": datetime.now(UTC),
        }
        keys = [column.name for column in ROWS.primary_key]
        insert = _INSERTS[self._engine.dialect.name](ROWS).values(values)
        changed = {name: insert.excluded[name] for name in values if name not in keys}
        try:
            with self._engine.begin() as connection:
                connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=changed))
        except SQLAlchemyError as error:
            raise self._error(f"the row cannot be written: {error}") from None

    def check_reachable(self) -> str:
        """The database in words, without its password.

        Raises:
            DatabaseError: it cannot be reached.
        """
        try:
            with self._engine.connect():
                shown = self._engine.url.set(query={})
                return self._hidden(shown.render_as_string(hide_password=True))
        except SQLAlchemyError as error:
            raise self._error(f"cannot be reached: {error}") from None

    @cached_property
    def _engine(self) -> sa.Engine:
        try:
            engine = sa.create_engine(self._url, poolclass=sa.NullPool)
        except (SQLAlchemyError, ImportError, ValueError) as error:
            raise self._error(
                f"cannot be used: {error}; PostgreSQL needs the extra 'postgres' and a URL that "
                "begins with postgresql+psycopg2://"
            ) from None
        if engine.dialect.name not in _INSERTS:
            raise self._error(
                f"{engine.dialect.name!r} is not supported; use {' or '.join(_INSERTS)}"
            )
        try:
            _METADATA.create_all(engine)
        except SQLAlchemyError as error:
            raise self._error(f"cannot be reached: {error}") from None
        return engine

    def _error(self, said: str) -> DatabaseError:
        return DatabaseError(f"ORCH_DATABASE_URL: {self._hidden(said)}")

    def _hidden(self, text: str) -> str:
        """A driver that takes the address apart elsewhere quotes the password as a host or a port."""
        return without_login(hide(text, secrets_of_url(self._url)))
