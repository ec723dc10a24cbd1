"""Which documents are gone from the store: by existence, nothing is opened."""

from collections.abc import Iterable, Mapping

from orch_dagster.core.episode import Status
from orch_dagster.core.ledger import Ledger
from orch_dagster.step import DeclaredPipeline
from orch_dagster.store import Store


def missing_steps(
    store: Store, declared: DeclaredPipeline, ledgers: Iterable[Ledger]
) -> Mapping[str, frozenset[str]]:
    """By article, the steps that ended well and whose documents the store no longer has."""
    return {ledger.article: frozenset(_missing(store, declared, ledger)) for ledger in ledgers}


def _missing(store: Store, declared: DeclaredPipeline, ledger: Ledger) -> Iterable[str]:
    for step, record in ledger.records.items():
        if record.status is not Status.COMPLETE:
            continue
        paths = [one.location.path(ledger.article) for one in declared.documents(step)]
        if not all(store.exists(path) for path in paths):
            yield step
