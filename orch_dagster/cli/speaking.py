"""How commands speak: results on standard output, everything else on standard error."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn, ParamSpec

import click
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from orch_dagster.brief_file import BriefError
from orch_dagster.inbox import FolderError
from orch_dagster.prompt import PromptError
from orch_dagster.prompt_folder import LibraryError
from orch_dagster.settings import SettingError
from orch_dagster.shelf import DocumentError
from resources.output_store import StoreError
from resources.publish.failure import PublishError
from resources.row_database import DatabaseError
from resources.simulator.script import ScriptError

P = ParamSpec("P")

out = Console()
err = Console(stderr=True, soft_wrap=True)

_WIDEST = 1_000

WRONG_CALL = 2
NOT_ALL_ENDED = 1

_BAD_INPUT = (
    BriefError,
    DatabaseError,
    DocumentError,
    FolderError,
    LibraryError,
    PromptError,
    PublishError,
    ScriptError,
    SettingError,
    StoreError,
)


@contextmanager
def in_words() -> Iterator[None]:
    """Ends the command with a sentence and status 2 where the input or a setting is wrong."""
    try:
        yield
    except _BAD_INPUT as error:
        fail(str(error))


def speaks_in_words(command: Callable[P, None]) -> Callable[P, None]:
    """A command under `in_words`."""

    @functools.wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        with in_words():
            command(*args, **kwargs)

    return wrapped


def print_whole(table: Table) -> None:
    """Print a table as wide as it is: figures are not cut where the terminal is narrow."""
    widest = Measurement.get(out, out.options.update(max_width=_WIDEST), table).maximum
    Console(width=max(widest, out.width)).print(table)


def fail(sentence: str) -> NoReturn:
    """Say what is wrong and end with status 2."""
    for line in sentence.splitlines():
        click.echo(f"error: {line}", err=True)
    raise SystemExit(WRONG_CALL)
