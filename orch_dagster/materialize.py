"""Outputs of one article or of a chunk of articles, each with its own metadata and versions."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import dagster as dg
from dagster._core.definitions.data_version import (
    CODE_VERSION_TAG,
    DATA_VERSION_IS_USER_PROVIDED_TAG,
    DATA_VERSION_TAG,
    NULL_EVENT_POINTER,
    get_input_data_version_tag,
    get_input_event_pointer_tag,
)

from orch_dagster.step import DocumentSpec, Made
from orch_dagster.store import Store
from orch_dagster.together import log_together


def outputs(
    context: dg.AssetExecutionContext,
    store: Store,
    document: DocumentSpec,
    made: Mapping[str, Made],
    *,
    lead: str | None,
) -> Iterator[dg.Output[Any]]:
    """The op's output for one asset, and the events of each article that has its document.

    `lead` is the one partition of the run, whose output Dagster takes, or misses where the article
    lacks the document. Events of further articles are logged here. A range of partitions has no
    lead: Dagster would give all of them the same data version and one hash of all inputs, by which
    each would look out of date. So all events that count are logged here, and what is yielded
    only lets the next step begin; it would stand for every article, so it is not yielded where an
    article may lack the document.
    """
    name = context.assets_def.get_output_name_for_asset_key(document.key)
    by_hand = {article: one for article, one in made.items() if article != lead}
    if lead is None and not document.optional:
        yield dg.Output({article: one.data for article, one in made.items()}, output_name=name)
    else:
        for article, one in by_hand.items():
            store.write(document.location.path(article), one.data)
    log_together(context, _materializations(context, document.key, by_hand))
    if lead is not None and (one := made.get(lead)) is not None:
        yield dg.Output(
            one.data,
            output_name=name,
            metadata=one.metadata,
            data_version=dg.DataVersion(one.fingerprint),
        )


def _materializations(
    context: dg.AssetExecutionContext, key: dg.AssetKey, made: Mapping[str, Made]
) -> list[dg.AssetMaterialization]:
    tags = _version_tags(context, key, made)
    return [
        dg.AssetMaterialization(
            asset_key=key, partition=article, metadata=one.metadata, tags=tags[article]
        )
        for article, one in made.items()
    ]


def _version_tags(
    context: dg.AssetExecutionContext, key: dg.AssetKey, made: Mapping[str, Made]
) -> dict[str, dict[str, str]]:
    """By article, the tags that Dagster would set for a run of this article alone (1.13.28)."""
    code_version = context.assets_def.code_versions_by_key[key] or context.run.run_id
    tags = {
        article: {
            DATA_VERSION_TAG: one.fingerprint,
            DATA_VERSION_IS_USER_PROVIDED_TAG: "true",
            CODE_VERSION_TAG: code_version,
        }
        for article, one in made.items()
    }
    for parent in context.assets_def.asset_deps[key]:
        found = _input_versions(context.instance, parent, list(made))
        for article, (pointer, version) in found.items():
            tags[article][get_input_event_pointer_tag(parent)] = pointer
            tags[article][get_input_data_version_tag(parent)] = version
    return tags


def _input_versions(
    instance: dg.DagsterInstance, parent: dg.AssetKey, articles: Sequence[str]
) -> dict[str, tuple[str, str]]:
    """By article, a pointer to the newest event of what it was made from, and the version's hash."""
    if not articles:  # Dagster takes no partitions for all of them
        return {}
    storage, kind = instance.event_log_storage, dg.DagsterEventType.ASSET_MATERIALIZATION
    ids = storage.get_latest_storage_id_by_partition(parent, kind, partitions=set(articles))
    tags = storage.get_latest_tags_by_partition(
        parent, kind, [DATA_VERSION_TAG], asset_partitions=articles
    )
    versions = {article: tags.get(article, {}).get(DATA_VERSION_TAG, "") for article in articles}
    return {
        article: (
            str(ids[article]) if article in ids else NULL_EVENT_POINTER,
            sha256(version.encode()).hexdigest(),
        )
        for article, version in versions.items()
    }
