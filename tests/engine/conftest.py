"""A tiny library and a bench to put it to work; properties are tried without a time limit."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from orch_dagster.library import Library
from tests.fakes.bench import Bench
from tests.fakes.briefs import brief
from tests.fakes.memory_store import MemoryStore
from tests.fakes.scripted_model import Line, ScriptedModel
from tests.fakes.tiny_library import GOOD, tiny_library

settings.register_profile(
    "orch", deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("orch")

MakeBench = Callable[..., Bench]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The tiny library as it is; tests that change it make their own."""
    return tiny_library(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def make_bench(tiny: Library) -> Iterator[MakeBench]:
    """A bench with a registered brief, on a script that is good but for what is given."""

    def make(**script: Sequence[Line]) -> Bench:
        return bench_of(tiny, script)

    yield make


def bench_of(library: Library, script: Mapping[str, Sequence[Line]]) -> Bench:
    """A bench with a registered brief."""
    bench = Bench(library, ScriptedModel({**GOOD, **script}), MemoryStore())
    bench.register(brief())
    return bench


@pytest.fixture
def brief_file(tmp_path: Path) -> Callable[[str | bytes], Path]:
    """A file with this content, named `brief.yaml` unless it is Markdown."""

    def write(content: str | bytes) -> Path:
        data = content if isinstance(content, bytes) else content.encode()
        path = tmp_path / (
            "brief.md" if data.removeprefix(b"\xef\xbb\xbf").startswith(b"---") else "brief.yaml"
        )
        path.write_bytes(data)
        return path

    return write
