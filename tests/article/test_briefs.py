"""The example briefs that ship with the project."""

from importlib.resources import as_file, files
from pathlib import Path

import pytest

from orch_dagster.brief_file import brief_files, read_brief
from orch_dagster.core.brief import DEFAULT_WORDS, Brief


def shipped() -> dict[Path, Brief]:
    with as_file(files("assets") / "briefs") as folder:
        return {path: read_brief(path) for path in brief_files(folder)}


def test_three_briefs_ship_in_both_forms_under_their_slugs():
    found = shipped()
    assert {path.suffix for path in found} == {".md", ".yaml"}
    assert [path.stem for path in found] == [brief.slug for brief in found.values()]
    assert sorted(brief.words for brief in found.values()) == [1200, DEFAULT_WORDS, DEFAULT_WORDS]


@pytest.mark.parametrize("brief", shipped().values(), ids=lambda brief: brief.slug)
def test_a_shipped_brief_has_facts_to_write_from_and_links_on_example_domains(brief: Brief):
    assert 250 <= len((brief.sources or "").split()) <= 600
    assert brief.related
    assert all((item.url.host or "").endswith(".example") for item in brief.related)
