"""How commands speak: results on standard output, everything else on standard error."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn, ParamSpec

import click
from rich.console import Console

from orch_dagster.brief_file import BriefError
from orch_dagster.inbox import FolderError
from orch_dagster.prompt import PromptError
from orch_dagster.prompt_folder import LibraryError
from orch_dagster.settings import SettingError
from orch_dagster.shelf import DocumentError
from resources.output_store import StoreError
from resources.row_database import DatabaseError
from resources.simulator.script import ScriptError

P = ParamSpec("P")

out = Console()
err = Console(stderr=True, soft_wrap=True)

WRONG_CALL = 2
NOT_ALL_ENDED = 1

_BAD_INPUT = (
    BriefError,
    DatabaseError,
    DocumentError,
    FolderError,
    LibraryError,
    PromptError,
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


def fail(sentence: str) -> NoReturn:
    """Say what is wrong and end with status 2."""
    for line in sentence.splitlines():
        click.echo(f"error: {line}", err=True)
    raise SystemExit(WRONG_CALL)
