"""The IO manager between assets and the output store."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from orch_dagster.step import Location
from orch_dagster.store import file_name
from resources.document_io import DocumentIOManager
from resources.output_store import OutputStore

ARTICLES = dg.DynamicPartitionsDefinition(name="articles")
KEYS = ("winter", "a/b", "../x", "Winter", "ключ", "x" * 300)
PLACE = Location("content/note/draft", ".txt").metadata()


@dg.asset(partitions_def=ARTICLES, metadata=PLACE, io_manager_key="documents")
def draft(context: dg.AssetExecutionContext) -> Any:
    made = {key: f"draft of {key}".encode() for key in context.partition_keys}
    return made if len(made) > 1 else made[context.partition_key]


def _reader(metadata: dict[str, Any]) -> dg.AssetsDefinition:
    @dg.asset(
        partitions_def=ARTICLES,
        metadata=Location("content/note/seen", ".txt").metadata(),
        io_manager_key="documents",
        ins={"given": dg.AssetIn("draft", metadata=metadata)},
    )
    def seen(given: Any) -> Any:
        if isinstance(given, dict):
            return {key: b"seen " + data for key, data in given.items()}
        return b"nothing seen" if given is None else b"seen " + given

    return seen


strict = _reader({})
lenient = _reader({"allow_missing_partitions": True})


@dg.asset(partitions_def=ARTICLES, metadata=PLACE, io_manager_key="documents", name="draft")
def strays() -> dict[str, bytes]:
    return {"somebody else": b"x"}


class Library:
    """Assets on a store in a folder, and runs of some of its articles."""

    def __init__(self, store: OutputStore) -> None:
        self.store = store
        self.resources = {"documents": DocumentIOManager(store)}

    def run(
        self,
        assets: Sequence[dg.AssetsDefinition | dg.SourceAsset],
        instance: dg.DagsterInstance,
        *keys: str,
    ) -> dg.ExecuteInProcessResult:
        """Materialize for one key, or for the range between two."""
        instance.add_dynamic_partitions("articles", list(KEYS))
        last = {
            "dagster/asset_partition_range_start": keys[0],
            "dagster/asset_partition_range_end": keys[-1],
        }
        one = {"dagster/partition": keys[0]}
        defs = dg.Definitions(
            assets=assets,
            jobs=[dg.define_asset_job("all", selection="*")],
            resources=self.resources,
            executor=dg.in_process_executor,
        )
        return defs.resolve_job_def("all").execute_in_process(
            instance=instance, raise_on_error=False, tags=one if len(keys) == 1 else last
        )

    def text(self, folder: str, key: str) -> str | None:
        data = self.store.read(f"content/note/{folder}/{file_name(key)}.txt")
        return None if data is None else data.decode()


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(OutputStore(tmp_path.as_uri()))


@pytest.mark.parametrize("key", KEYS)
def test_any_key_goes_through_a_run(
    library: Library, instance: dg.DagsterInstance, key: str
) -> None:
    assert library.run([draft, strict], instance, key).success
    assert library.text("seen", key) == f"seen draft of {key}"


def test_several_articles_go_through_one_run(
    library: Library, instance: dg.DagsterInstance
) -> None:
    assert library.run([draft, strict], instance, KEYS[0], KEYS[-1]).success
    for key in KEYS:
        assert library.text("seen", key) == f"seen draft of {key}"


def test_a_missing_input_fails_the_step_and_names_the_document(
    library: Library, instance: dg.DagsterInstance
) -> None:
    result = library.run([draft, strict], instance, "winter")
    library.store._fs.rm_file(library.store._at("content/note/draft/winter.txt"))
    result = _only(library, strict, instance, "winter")
    assert not result.success
    [failure] = result.filter_events(lambda event: event.is_step_failure)
    assert "content/note/draft/winter.txt: not in the output store" in str(
        failure.step_failure_data.error
    )


def test_a_missing_input_is_none_for_one_article_where_that_is_allowed(
    library: Library, instance: dg.DagsterInstance
) -> None:
    assert _only(library, lenient, instance, "winter").success
    assert library.text("seen", "winter") == "nothing seen"


def test_a_missing_input_is_left_out_of_several_where_that_is_allowed(
    library: Library, instance: dg.DagsterInstance
) -> None:
    library.store.write("content/note/draft/winter.txt", b"mine")
    assert _only(library, lenient, instance, KEYS[0], KEYS[-1]).success
    assert library.text("seen", "winter") == "seen mine"
    assert library.text("seen", "a/b") is None


def test_a_document_of_an_article_that_is_not_in_the_run_is_refused(
    library: Library, instance: dg.DagsterInstance
) -> None:
    result = library.run([strays], instance, "winter")
    assert not result.success
    [failure] = result.filter_events(lambda event: event.is_step_failure)
    assert "output of draft holds 'somebody else'" in str(failure.step_failure_data.error)
    assert library.text("draft", "somebody else") is None


def test_an_asset_can_be_loaded_by_hand(library: Library, instance: dg.DagsterInstance) -> None:
    library.run([draft], instance, "winter")
    defs = dg.Definitions(assets=[draft], resources=library.resources)
    value = defs.load_asset_value("draft", partition_key="winter", instance=instance)
    assert value == b"draft of winter"


def test_it_works_on_an_object_store(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    library = Library(OutputStore(f"memory://{tmp_path.name}"))
    assert library.run([draft, strict], instance, KEYS[0], KEYS[-1]).success
    assert library.text("seen", "a/b") == "seen draft of a/b"


def _only(
    library: Library, asset: dg.AssetsDefinition, instance: dg.DagsterInstance, *keys: str
) -> dg.ExecuteInProcessResult:
    """A run of the second asset alone: the first one's documents are there or not."""
    return library.run([draft.to_source_asset(), asset], instance, *keys)
