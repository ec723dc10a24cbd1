"""An edited prompt shows as out of date what it makes, and nothing else."""

from collections.abc import Callable
from pathlib import Path

import pytest

from orch_dagster.library_pipeline import LibraryPipeline
from tests.dagster_glue.packages import copied_libraries, edit, load_package

DRAFT, DELIVERABLE, EPISODE = "note/draft", "note/deliverable", "note/episode"
Versions = dict[str, str]

EDITS: dict[str, tuple[Callable[[Path], None], set[str]]] = {
    "a prompt of the chain": (
        lambda note: edit(note / "prompts/02_text.md", "about 60", "about 70"),
        {DRAFT},
    ),
    "the head of a prompt of the chain": (
        lambda note: edit(note / "prompts/01_outline.md", "role: reasoning", "role: fast"),
        {DRAFT},
    ),
    "the quality pass": (
        lambda note: edit(note / "prompts/03_quality_pass.md", "Found:", "Code found:"),
        {DELIVERABLE, EPISODE},
    ),
    "a prompt after the pass": (
        lambda note: edit(note / "prompts/04_meta.md", "15 words", "18 words"),
        {DELIVERABLE, EPISODE},
    ),
    "an output model of the chain": (
        lambda note: edit(note / "models.py", "max_length=300", "max_length=280"),
        {DRAFT, DELIVERABLE, EPISODE},
    ),
    "the check of code": (
        lambda note: edit(note / "models.py", "says 'broken'", "says broken"),
        {DELIVERABLE, EPISODE},
    ),
    "the system text": (
        lambda note: edit(note / "system.md", "short notes", "very short notes"),
        {DRAFT, DELIVERABLE, EPISODE},
    ),
}


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_changes_the_code_version_of_what_it_makes(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, expected = EDITS[what]
    package = copied_libraries(tmp_path, "edited_libraries", monkeypatch)
    before = _versions(package)
    change(package / "note")
    after = _versions(package)
    assert {name for name in before if before[name] != after[name]} == expected


def test_the_same_prompts_in_another_place_have_the_same_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = copied_libraries(tmp_path / "here", "libraries_here", monkeypatch)
    there = copied_libraries(tmp_path / "there", "libraries_there", monkeypatch)
    assert _versions(here) == _versions(there)


def _versions(package: Path) -> Versions:
    declared = LibraryPipeline("content", load_package(package)).declared
    return {
        document.key.to_user_string(): document.code_version
        for step in declared.steps
        for document in step.documents
    }
