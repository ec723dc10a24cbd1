"""A Dagster home on SQLite files or on a PostgreSQL database, with the settings that we ship."""

import time
from importlib.resources import files
from pathlib import Path

import sqlalchemy
import yaml


def write_home(home: Path, database: str | None) -> None:
    """Write `dagster.yaml`; with a database, all of Dagster's storage is in a new schema of it."""
    home.mkdir(parents=True)
    shipped = files("orch_dagster").joinpath("dagster.yaml").read_text("utf-8")
    if database is not None:
        settings = yaml.safe_load(shipped)
        del settings["event_log_storage"]  # SQLite's
        settings["storage"] = {"postgres": {"postgres_url": _with_new_schema(database)}}
        shipped = yaml.safe_dump(settings)
    (home / "dagster.yaml").write_text(shipped, encoding="utf-8")


def _with_new_schema(database: str) -> str:
    schema = f"home_{time.time_ns()}"
    engine = sqlalchemy.create_engine(database)
    with engine.begin() as connection:
        connection.execute(sqlalchemy.schema.CreateSchema(schema))
    engine.dispose()
    return f"{database}?options=-csearch_path%3D{schema}"
