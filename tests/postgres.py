"""A PostgreSQL of one's own on loopback, ended by its own process id."""

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

POSTGRES = Path("/usr/lib/postgresql/15/bin")


@contextmanager
def running_postgres() -> Iterator[str]:
    """The URL of its database, as SQLAlchemy takes it.

    Raises:
        FileNotFoundError: the Debian package postgresql-15 is not installed.
    """
    if not POSTGRES.is_dir():
        raise FileNotFoundError(f"{POSTGRES}: install the Debian package postgresql-15")
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))  # a socket's path must be short
    shutil.chown(folder, "postgres")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    as_postgres = ["runuser", "-u", "postgres", "--"]
    subprocess.run(
        [*as_postgres, POSTGRES / "initdb", "-D", folder / "data", "-A", "trust"],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    control = [*as_postgres, POSTGRES / "pg_ctl", "-D", folder / "data", "-w", "-s"]
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    subprocess.run([*control, "-o", options, "-l", folder / "log", "start"], check=True, cwd=folder)
    try:
        yield f"postgresql+psycopg2://postgres@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*control, "-m", "fast", "stop"], check=True, cwd=folder)
        shutil.rmtree(folder)
