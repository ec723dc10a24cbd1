"""The blocking server, in a process of its own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx2

_PROGRAM = """
from resources.simulator.server import serve
from resources.simulator.settings import SimulatorSettings
serve(SimulatorSettings(), host="127.0.0.1", port=0, on_ready=lambda url: print(url, flush=True))
print("ended", flush=True)
"""


def test_it_serves_until_interrupted_and_prints_nothing_of_its_own() -> None:
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", _PROGRAM],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        try:
            assert httpx2.get(f"{url}/models").status_code == 200
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
    assert (out, err, process.returncode) == ("ended\n", "", 0)
