"""Passwords in the addresses of store, publishing and rows are in no error and in no document."""

import os
import traceback
from collections.abc import Callable
from typing import Any

import pytest
from fsspec.implementations.memory import MemoryFileSystem
from fsspec.registry import register_implementation

from orch_dagster.settings import Settings
from resources.output_store import OutputStore, StoreError
from resources.publish.failure import PublishError
from resources.publish.publisher import Publisher
from resources.publish.webhook import Webhook
from resources.row_database import DatabaseError, RowDatabase

PASSWORD = "Velace+1843/Engine"
LOGIN = f"ada:{PASSWORD}"


class Outspoken(MemoryFileSystem):
    """A file system that keeps the whole address in its paths, and quotes it when it fails."""

    protocol = "outspoken"
    store: dict[str, Any] = {}
    pseudo_dirs = [""]

    @classmethod
    def _strip_protocol(cls, path: Any) -> str:
        return str(path).removeprefix("outspoken://").rstrip("/")

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **kwargs: Any) -> None:
        if "full" in path:
            raise OSError(f"no space for outspoken://{path}")


register_implementation("outspoken", Outspoken, clobber=True)


def told(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))


def assert_clean(text: str) -> None:
    assert [part for part in (PASSWORD, "Velace", "1843", "Engine") if part in text] == []


def failure(act: Callable[[], Any], kind: type[Exception]) -> str:
    with pytest.raises(kind) as caught:
        act()
    assert_clean(told(caught.value))
    return str(caught.value)


def test_documents_carry_the_stores_address_without_its_login() -> None:
    store = OutputStore("outspoken://ada:Velace-1843-Engine@host/store")
    document = store.write("content/row/x.json", b"{}")
    assert document.url == "outspoken://host/store/content/row/x.json"
    assert store.url == "outspoken://host/store"


def test_a_store_that_cannot_be_written_is_named_without_its_login() -> None:
    store = OutputStore("outspoken://ada:Velace-1843-Engine@host/full")
    said = failure(lambda: store.write("x.json", b"{}"), StoreError)
    assert said == (
        "ORCH_STORE: outspoken://host/full/x.json cannot be written: "
        "no space for outspoken://host/full/x.json"
    )


@pytest.mark.parametrize("address", [f"nosuch://{LOGIN}@h/x", f"ftp://{LOGIN}@127.0.0.1:1/x"])
def test_an_address_that_cannot_be_opened_is_named_without_its_login(address: str) -> None:
    assert failure(lambda: OutputStore(address), StoreError).startswith("ORCH_STORE: ")
    published = lambda: Publisher(address, webhook_url=None, webhook_secret=None)  # noqa: E731
    assert failure(published, PublishError).startswith("the folder of published articles: ")


@pytest.mark.parametrize("address", [f"https://{LOGIN}@ho st:x/", f"https://h:{PASSWORD}/"])
def test_a_webhook_that_is_no_address_is_not_quoted(address: str) -> None:
    failure(lambda: Webhook(address, PASSWORD), PublishError)


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql+psycopg2://{LOGIN}@127.0.0.1:1/db",
        "postgresql+psycopg2://ada:Velace@1843@127.0.0.1:1/db",
        "postgresql+psycopg2://ada:Velace@127.0.0.1:1/db?password=Engine",
        "postgresql+psycopg2://ada:Velace:1843@127.0.0.1:x/db",
        f"mysql://{LOGIN}@127.0.0.1:1/db",
        f"nosuch://{LOGIN}@127.0.0.1:1/db",
        PASSWORD,
    ],
)
def test_a_database_that_cannot_be_reached_is_named_without_its_password(address: str) -> None:
    rows = RowDatabase(address)
    assert failure(rows.check_reachable, DatabaseError).startswith("ORCH_DATABASE_URL: ")


def test_settings_show_no_address_that_may_hold_a_password() -> None:
    names = ("ORCH_STORE", "ORCH_PUBLISH_URL", "ORCH_DATABASE_URL", "ORCH_WEBHOOK_URL")
    env = dict.fromkeys(names, f"x://{LOGIN}@h") | {"ORCH_WEBHOOK_SECRET": PASSWORD}
    assert_clean(repr(Settings.from_environment({**os.environ, **env})))
