"""What a simulator can be told before it starts."""

from dataclasses import dataclass
from pathlib import Path

from resources.simulator.script import Rule


@dataclass(frozen=True, slots=True)
class SimulatorSettings:
    """Latency in milliseconds and its jitter as a share (0 to 1) of it; `log` is appended to."""

    latency_ms: float = 0.0
    jitter: float = 0.0
    seed: int = 0
    script: tuple[Rule, ...] = ()
    log: Path | None = None

    def __post_init__(self) -> None:
        """Refuses settings that no clock could follow."""
        if self.latency_ms < 0:
            raise ValueError(f"latency_ms is {self.latency_ms!r}, but time does not run backwards")
        if not 0 <= self.jitter <= 1:
            raise ValueError(f"jitter is {self.jitter!r}, but it is a share from 0 to 1")
