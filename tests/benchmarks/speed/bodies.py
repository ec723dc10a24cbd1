"""The requests of a run as the simulator logged them, to be sent again by other clients."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Recorded:
    """One request: its trace and its body."""

    trace: str
    body: Mapping[str, Any]


Chains = tuple[tuple[Recorded, ...], ...]
"""The requests of each library on each article, in the order in which they were sent."""


def chains_in(asked: Iterable[Mapping[str, Any]]) -> Chains:
    """The chains in the `asked` records of a log."""
    chains: dict[str, list[Recorded]] = defaultdict(list)
    for record in asked:
        chain = record["trace"].rpartition("/")[0]
        chains[chain].append(Recorded(record["trace"], record["body"]))
    return tuple(tuple(chain) for chain in chains.values())
