"""The IO manager over the output store: every asset's documents, by article."""

from collections.abc import Mapping
from typing import Any

import dagster as dg

from orch_dagster.step import Location
from orch_dagster.store import Store


class DocumentIOManager(dg.IOManager):
    """Writes bytes under the folder that the asset's metadata names, one file an article.

    A run of several articles gives and gets a mapping from article to bytes; what a store does
    not hold is left out of it, and is None for one article, where the input allows missing
    partitions.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def handle_output(self, context: dg.OutputContext, obj: bytes | Mapping[str, bytes]) -> None:
        articles = context.asset_partition_keys
        if isinstance(obj, bytes):
            [article] = articles
            obj = {article: obj}
        if stray := sorted(set(obj) - set(articles)):
            raise dg.DagsterInvariantViolationError(
                f"output of {context.asset_key.to_user_string()} holds {stray[0]!r}, "
                "which is no article of this run"
            )
        for article, data in obj.items():
            self._store.write(_location(context.definition_metadata).path(article), data)

    def load_input(self, context: dg.InputContext) -> Any:
        upstream = context.upstream_output
        if upstream is None:
            raise dg.DagsterInvariantViolationError("an input that no asset makes")
        articles = context.asset_partition_keys
        found: dict[str, bytes] = {}
        for article in articles:
            path = _location(upstream.definition_metadata).path(article)
            data = self._store.read(path)
            if data is not None:
                found[article] = data
            elif not context.definition_metadata.get("allow_missing_partitions"):
                raise dg.DagsterInvariantViolationError(f"{path}: not in the output store")
        return found if len(articles) > 1 else found.get(articles[0])


def _location(metadata: Mapping[str, Any]) -> Location:
    return Location(folder=metadata["folder"], suffix=metadata["suffix"])
