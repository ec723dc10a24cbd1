"""Library folders: every fault is named with its file, and a version follows what it covers."""

from pathlib import Path
from typing import Any

import pytest

from assets import content
from orch_dagster.core.gate import minimum
from orch_dagster.core.pipeline import INPUT, Step
from orch_dagster.library import Library, LibraryError, load_libraries
from orch_dagster.prompt import PromptError
from tests.fakes.tiny_library import FILES, package, tiny_library

DECLARED = FILES["library.yaml"]
MODELS = FILES["models.py"]
LEDE = FILES["prompts/02_lede.md"]
PASS = FILES["prompts/04_quality_pass.md"]


def declared(old: str, new: str) -> dict[str, Any]:
    assert old in DECLARED
    return {"library_yaml": DECLARED.replace(old, new)}


def models(old: str, new: str) -> dict[str, Any]:
    assert old in MODELS
    return {"models_py": MODELS.replace(old, new)}


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "no system text": ({"system_md": None}, "notes/system.md: cannot be read (No such file"),
    "system text not UTF-8": ({"system_md": b"caf\xe9"}, "notes/system.md: not UTF-8 (byte 3)"),
    "no models": ({"models_py": None}, "notes/models.py: is not there"),
    "declaration not UTF-8": ({"library_yaml": b"title: \xe9"}, "notes/library.yaml: not UTF-8"),
    "declaration no mapping": ({"library_yaml": "- a\n"}, "notes/library.yaml: is not a mapping"),
    "key twice": (
        {"library_yaml": DECLARED + "title: Again\n"}, "notes/library.yaml: line 9: field 'title' stands",
    ),
    "unknown key": ({"library_yaml": DECLARED + "mood: dry\n"}, "library.yaml: field 'mood'"),
    "no title": (declared("title: Notes\n", ""), "library.yaml: field 'title': Field required"),
    "empty description": (declared("A note of two paragraphs.", '""'), "field 'description'"),
    "no gates": (declared("gates:\n  voice_consistency: 4.0\n  coherence_score: 4.0", "gates: {}"), "field 'gates'"),
    "gate in quotes": (declared("voice_consistency: 4.0", 'voice_consistency: "4"'), "gates.voice_consistency"),
    "gate yes": (declared("voice_consistency: 4.0", "voice_consistency: yes"), "gates.voice_consistency"),
    "gate on no score": (
        declared("voice_consistency: 4.0", "charm: 4.0"), "field 'gates': gate on 'charm': no such score",
    ),
    "gate out of reach": (
        declared("voice_consistency: 4.0", "voice_consistency: 6.0"), "field 'gates': gate on 'voice_consistency': 6 is not",
    ),
    "one content score alone": (
        declared("  coherence_score: 4.0\n", ""), "field 'gates' names voice_consistency; an episode carries",
    ),
    "unknown pass": (
        declared("quality_pass: quality_pass", "quality_pass: polish"),
        "field 'quality_pass' names 'polish'; the prompts are plan, lede, body, quality_pass, meta",
    ),
    "unknown meta": (declared("meta: meta", "meta: head"), "field 'meta' names 'head'"),
    "unknown deliverable": (
        declared("deliverable: markdown", "deliverable: Note"), "'Note' is no output model in notes/models.py",
    ),
    "no compose": (models("def compose", "def gather"), "notes/models.py: has no function 'compose'"),
    "unknown output": (
        {"prompts__01_plan_md": FILES["prompts/01_plan.md"].replace("output: Plan", "output: Outline")},
        "notes/prompts/01_plan.md: 'Outline' is no output model in notes/models.py",
    ),
    "output that is no model": (
        {"prompts__01_plan_md": FILES["prompts/01_plan.md"].replace("output: Plan", "output: Literal")},
        "'Literal' is no output model",
    ),
    "reads a later prompt": (
        {"prompts__02_lede_md": LEDE.replace("reads: [plan]", "reads: [plan, body]") + "{{ body }}"},
        "notes/prompts/02_lede.md: reads 'body', which no earlier prompt answers",
    ),
    "reads itself": (
        {"prompts__02_lede_md": LEDE.replace("reads: [plan]", "reads: [plan, lede]") + "{{ lede }}"},
        "reads 'lede', which no earlier prompt answers",
    ),
    "reads the candidate before the pass": (
        {"prompts__02_lede_md": LEDE.replace("reads: [plan]", "reads: [plan, candidate]") + "{{ candidate }}"},
        "reads 'candidate', which no earlier prompt answers",
    ),
    "pass reads the deliverable": (
        {"prompts__04_quality_pass_md": PASS.replace("findings]", "findings, deliverable]") + "{{ deliverable }}"},
        "reads 'deliverable', which no earlier prompt answers",
    ),
    "two prompts of one name": ({"prompts/06_lede.md": LEDE}, "notes/prompts: two prompts have the same name"),
    "pass that gives text": (
        {"prompts__04_quality_pass_md": PASS.replace("output: Revision", "output: text")},
        "notes/prompts/04_quality_pass.md: head field 'output': a quality pass gives scores",
    ),
    "pass without a score": (models("    coherence_score: Score5\n", ""), "notes/models.py: 'Revision' has no field 'coherence_score'"),
    "pass without flags": (
        models('    flags: tuple[Literal["footnote_requires_review", "use_variant_b"], ...]\n', ""),
        "notes/models.py: 'Revision' has no field 'flags'",
    ),
    "pass that nothing applies": (models("    deliverable: str\n", ""), "'Revision' has no field 'deliverable'"),
    "bad prompt": ({"prompts__02_lede_md": "Write."}, "notes/prompts/02_lede.md: begins with no YAML head"),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "said"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_told_with_its_file(tmp_path: Path, changes: dict[str, Any], said: str):
    with pytest.raises((LibraryError, PromptError)) as caught:
        tiny_library(tmp_path, **changes)
    assert str(caught.value).startswith("notes/")
    assert said in str(caught.value)


@pytest.mark.parametrize("name", ["Notes", "notes__x", "n" * 25])
def test_a_folder_has_a_name_that_an_episode_can_carry(tmp_path: Path, name: str):
    with pytest.raises(LibraryError, match="a library's folder has a short name in small letters"):
        load_libraries(package(tmp_path, name, {}))


def test_a_library_is_two_steps_of_which_the_pass_repairs_itself(tiny: Library):
    gates = (minimum("voice_consistency", 4.0), minimum("coherence_score", 4.0))
    assert tiny.steps == (
        Step("notes/draft", (INPUT,), (), ()),
        Step("notes", ("notes/draft",), gates, ("notes",)),
    )


def test_the_prompts_fall_into_chain_pass_and_what_follows(tiny: Library):
    assert [prompt.name for prompt in tiny.chain] == ["plan", "lede", "body"]
    assert tiny.quality_pass.name == "quality_pass"
    assert [prompt.name for prompt in tiny.after_pass] == ["meta"]


def test_libraries_come_by_name_and_a_folder_without_a_declaration_is_none(tmp_path: Path):
    found = package(tmp_path, "notes", {})
    package(tmp_path, "letters", {})
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "__init__.py").touch()
    assert [library.name for library in load_libraries(found)] == ["letters", "notes"]


def test_one_bad_library_stops_the_loading(tmp_path: Path):
    found = package(tmp_path, "notes", {})
    package(tmp_path, "letters", {"system.md": None})
    with pytest.raises(LibraryError, match=r"letters/system\.md"):
        load_libraries(found)


VERSIONS: dict[str, tuple[dict[str, Any], bool, bool]] = {
    "nothing": ({}, False, False),
    "chain prompt": ({"prompts__02_lede_md": LEDE + "More.\n"}, True, False),
    "pass prompt": ({"prompts__04_quality_pass_md": PASS + "More.\n"}, False, True),
    "prompt after the pass": (
        {"prompts__05_meta_md": FILES["prompts/05_meta.md"] + "More.\n"}, False, True,
    ),
    "system text": ({"system_md": "You write letters.\n"}, True, True),
    "model of the chain": (models("max_length=3", "max_length=4"), True, True),
    "model of the pass": (models("max_length=20", "max_length=30"), False, True),
    "acceptance": (models("the body repeats", "the body again is"), True, True),
    "composition": (models('"\\n\\n"', '"\\n"'), False, True),
    "cap": ({"prompts__02_lede_md": LEDE.replace("500", "600")}, True, False),
    "title of the library": (declared("title: Notes", "title: Letters"), False, False),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "draft", "quality_pass"), VERSIONS.values(), ids=VERSIONS)
def test_a_version_changes_with_what_it_covers(
    tiny: Library, tmp_path: Path, changes: dict[str, Any], draft: bool, quality_pass: bool
):
    changed = tiny_library(tmp_path, **changes)
    assert (changed.draft_version != tiny.draft_version) is draft
    assert (changed.pass_version != tiny.pass_version) is quality_pass


def test_the_shipped_libraries_load():
    found = load_libraries(content)
    assert "article" in [library.name for library in found]
    for library in found:
        assert library.draft_version != library.pass_version
        assert all(gate.minimum == 4.0 for gate in library.gates)
