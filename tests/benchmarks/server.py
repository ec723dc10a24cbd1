"""A simulator in a process of its own, as benchmarks ask it: every score passes its gate at once."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import yaml

STRONG = [
    {
        "match": "*/quality_pass#*",
        "set": {"voice_consistency": 4.6, "coherence_score": 4.6, "flags": []},
    }
]
ORCH = str(Path(sys.executable).with_name("orch"))


@dataclass(frozen=True, slots=True)
class Server:
    """Where it listens, what it logs, and its process."""

    base_url: str
    log: Path
    pid: int

    def cpu(self) -> float:
        """Seconds on a CPU since it was started."""
        times = psutil.Process(self.pid).cpu_times()
        return times.user + times.system

    def environment(self, home: Path) -> dict[str, str]:
        """The settings of a pipeline that asks it."""
        return {
            "OPENAI_BASE_URL": self.base_url,
            "ORCH_MODEL": "simulator",
            "DAGSTER_HOME": str(home),
        }


@contextmanager
def simulator(folder: Path, latency_ms: float) -> Iterator[Server]:
    """A simulator that logs into the folder, ended by its own process id."""
    script, log = folder / "script.yaml", folder / "log.jsonl"
    script.write_text(yaml.safe_dump(STRONG), encoding="utf-8")
    words = ["--port", "0", "--latency-ms", str(latency_ms), "--script", str(script)]
    with subprocess.Popen(
        [ORCH, "simulate", *words, "--log", str(log)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            url = process.stdout.readline().strip().removeprefix("OPENAI_BASE_URL=")
            yield Server(url, log, process.pid)
        finally:
            process.kill()
