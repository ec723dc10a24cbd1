"""The yardstick: a bare asyncio script on `openai` that sends the same requests and keeps nothing."""

import asyncio
import multiprocessing
import tempfile
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import openai

from tests.benchmarks.server import simulator
from tests.benchmarks.speed.bodies import Chains, Recorded
from tests.benchmarks.speed.many import IN_FLIGHT


@dataclass(frozen=True, slots=True)
class Bare:
    """What it took: seconds on the clock and of CPU, the server's beside the script's."""

    wall: float
    cpu: float
    server_cpu: float


def measure_bare(chains: Chains, latency_ms: float) -> Bare:
    """All chains at once, each in its order, in one process of its own on a simulator of its own."""
    spawn = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as name, simulator(Path(name), latency_ms) as server:
        ours, theirs = spawn.Pipe()
        process = spawn.Process(target=_script, args=(server.base_url, theirs))
        process.start()
        theirs.close()
        ours.send(chains)
        ours.recv()
        before = server.cpu()
        ours.send("begin")
        wall, cpu = ours.recv()
        process.join()
        return Bare(wall, cpu, server.cpu() - before)


def _script(base_url: str, pipe: Connection) -> None:
    asyncio.run(_ask_all(base_url, pipe))


async def _ask_all(base_url: str, pipe: Connection) -> None:
    chains: Chains = pipe.recv()
    places = asyncio.Semaphore(IN_FLIGHT)
    async with openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0) as client:

        async def ask(chain: tuple[Recorded, ...]) -> None:
            for recorded in chain:
                async with places:
                    await client.chat.completions.create(
                        **recorded.body, extra_headers={"X-Orch-Trace": recorded.trace}
                    )

        await ask(chains[0][:1])  # warm: what is lazy is imported
        pipe.send("warm")
        pipe.recv()
        wall, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(ask(chain) for chain in chains))
        pipe.send((time.perf_counter() - wall, time.process_time() - cpu))
