"""`orch check`: is everything configured?"""

from collections.abc import Callable

import click

from orch_dagster.cli.opening import inbox_folders, load_settings
from orch_dagster.cli.speaking import NOT_ALL_ENDED, out
from orch_dagster.home import open_instance
from orch_dagster.inbox import FolderError
from orch_dagster.prompt import PromptError
from orch_dagster.prompt_folder import LibraryError
from orch_dagster.settings import INBOX, TRANSLATION_INBOX, SettingError, Settings
from resources.model.probe import probe_model
from resources.output_store import OutputStore, StoreError
from resources.row_database import DatabaseError, RowDatabase

_WRONG = (SettingError, StoreError, DatabaseError, FolderError, PromptError, LibraryError)


@click.command("check")
def command() -> None:
    """Is everything configured: settings, prompts, store, Dagster instance, model?"""
    try:
        settings = load_settings()
    except SettingError as error:
        _say("settings", str(error), good=False)
        raise SystemExit(NOT_ALL_ENDED) from error
    checks: dict[str, Callable[[Settings], str]] = {
        "prompts": _prompts,
        "store": _store,
        "instance": _instance,
        "rows": _rows,
        "inbox": _inboxes,
        "model": probe_model,
    }
    good = [_check(name, look, settings) for name, look in checks.items()]
    if not all(good):
        raise SystemExit(NOT_ALL_ENDED)


def _check(name: str, look: Callable[[Settings], str], settings: Settings) -> bool:
    try:
        _say(name, look(settings), good=True)
    except (*_WRONG, OSError) as error:
        _say(name, str(error), good=False)
        return False
    return True


def _say(name: str, text: str, *, good: bool) -> None:
    mark = "[green]ok[/]    " if good else "[red]wrong[/] "
    out.print(f"{mark} [bold]{name}[/]: {text}", soft_wrap=True, highlight=False)


def _prompts(_settings: Settings) -> str:
    from assets.content.pipeline import content_pipeline
    from assets.translation.pipeline import standard_steps

    libraries = content_pipeline().libraries
    count = sum(len(library.prompts) for library in libraries)
    steps = [step.folder for step in standard_steps() if step.folder]
    more = sum(len(folder.prompts) for folder in steps)
    return f"{count} prompts in {len(libraries)} libraries and {more} of translation are valid"


def _store(settings: Settings) -> str:
    store = OutputStore(settings.store)
    store.check_writable()
    return f"{store.url} can be written"


def _rows(settings: Settings) -> str:
    return f"rows go to {RowDatabase(settings.database_url).check_reachable()}"


def _inboxes(settings: Settings) -> str:
    folders = inbox_folders(settings)
    said = [
        f"{folder.url} ({name}) holds {len(folder.listing()):,} files"
        for name, folder in folders.items()
    ]
    return "; ".join(said) or f"none is watched ({INBOX}, {TRANSLATION_INBOX})"


def _instance(settings: Settings) -> str:
    with open_instance(settings.home) as instance:
        instance.get_runs_count()
    return f"Dagster's records lie in {settings.home}"
