"""`orch simulate`: the simulator as a server."""

from pathlib import Path

import click

from orch_dagster.cli.speaking import fail, speaks_in_words
from resources.simulator.script import load_script
from resources.simulator.server import serve
from resources.simulator.settings import SimulatorSettings


@click.command("simulate")
@click.option("--port", type=click.IntRange(0, 65535), default=8089, show_default=True)
@click.option("--latency-ms", type=click.FloatRange(0), default=0.0, help="Of every answer.")
@click.option("--jitter", type=click.FloatRange(0, 1), default=0.0, help="Share of the latency.")
@click.option("--seed", type=int, default=0, help="Another seed, other answers.")
@click.option("--script", type=click.Path(path_type=Path), help="Replies for matching requests.")
@click.option("--log", type=click.Path(path_type=Path), help="JSON lines: what was asked.")
@speaks_in_words
def command(
    port: int,
    latency_ms: float,
    jitter: float,
    seed: int,
    script: Path | None,
    log: Path | None,
) -> None:
    """Serve a stand-in for a language model on loopback, in the OpenAI chat-completions protocol.

    It is no model: its answers are put together from the request's own text.
    """
    settings = SimulatorSettings(
        latency_ms=latency_ms,
        jitter=jitter,
        seed=seed,
        script=load_script(script) if script else (),
        log=log,
    )
    try:
        serve(settings, host="127.0.0.1", port=port, on_ready=_tell)
    except OSError as error:
        fail(f"--port {port} or --log {log}: {error.strerror or error}")


def _tell(base_url: str) -> None:
    click.echo("simulator: no language model; text is put together from each request's own text")
    click.echo(f"OPENAI_BASE_URL={base_url}")
    click.echo("ORCH_MODEL=simulator")
