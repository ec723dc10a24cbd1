"""`orch serve`: webserver and daemon on loopback, with this project loaded."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from types import FrameType

import click

from orch_dagster.cli.opening import load_settings
from orch_dagster.cli.speaking import fail, speaks_in_words
from orch_dagster.home import prepare_home
from orch_dagster.settings import INBOX, TRANSLATION_INBOX

MODULE = "orch_dagster.definitions"

_SECONDS_TO_END = 15


@click.command("serve")
@click.option("--port", type=click.IntRange(1, 65535), default=3000, show_default=True)
@speaks_in_words
def command(port: int) -> None:
    """Start the Dagster UI and daemon on loopback, and stop both with Ctrl-C."""
    settings = load_settings()
    prepare_home(settings.home)
    # The children run in the home folder: a folder `assets` or `resources` where the person
    # stands would be imported in place of ours.
    places = {
        "ORCH_STORE": settings.store,
        INBOX: settings.inbox,
        TRANSLATION_INBOX: settings.translation_inbox,
    }
    environment = {**os.environ, **{name: place for name, place in places.items() if place}}
    arguments = [
        ["dagster_webserver", "-h", "127.0.0.1", "-p", str(port), "-m", MODULE],
        ["dagster._daemon", "run", "-m", MODULE],
    ]
    children = [
        subprocess.Popen([sys.executable, "-m", *words], cwd=settings.home, env=environment)
        for words in arguments
    ]
    signal.signal(signal.SIGTERM, _interrupt)
    click.echo(f"Dagster UI: http://127.0.0.1:{port} (articles and records in {settings.home})")
    try:
        ended = _first_to_end(children)
        fail(f"{ended.args[2]} ended by itself (status {ended.returncode}); see above")  # type: ignore[index]
    except KeyboardInterrupt:
        click.echo("stopping")
    finally:
        _end(children)


def _first_to_end(children: Sequence[subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
    while True:
        for child in children:
            if child.poll() is not None:
                return child
        time.sleep(0.5)


def _end(children: Sequence[subprocess.Popen[bytes]]) -> None:
    for child in children:
        if child.poll() is None:
            child.send_signal(signal.SIGINT)
    for child in children:
        try:
            child.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
