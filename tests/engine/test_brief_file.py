"""Brief files: a good one, or every mistake of a bad one in words."""

from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orch_dagster.brief_file import LARGEST_FILE, BriefError, brief_files, read_brief
from orch_dagster.core.brief import Brief
from tests.fakes.briefs import TEXT_FIELDS, brief, brief_fields

Write = Callable[[str | bytes], Path]


def as_yaml(**changes: Any) -> str:
    """The small brief as a file, with changed fields; None leaves one out."""
    fields = brief_fields(**changes)
    return yaml.safe_dump(
        {name: value for name, value in fields.items() if value is not None}, allow_unicode=True
    )


def mistakes(path: Path) -> tuple[str, ...]:
    with pytest.raises(BriefError) as caught:
        read_brief(path)
    assert str(caught.value) == "\n".join(caught.value.mistakes)
    return caught.value.mistakes


def test_a_yaml_brief_is_read(brief_file: Write):
    assert read_brief(brief_file(as_yaml())) == brief()


def test_a_markdown_brief_has_its_sources_below_the_head(brief_file: Write):
    path = brief_file(f"---\n{as_yaml()}---\n\n## What we counted\n\nIt snowed.\n")
    assert read_brief(path) == brief(sources="## What we counted\n\nIt snowed.")


def test_a_markdown_brief_without_a_body_may_have_sources_in_its_head(brief_file: Write):
    assert read_brief(brief_file(f"---\n{as_yaml(sources='It snowed.')}---\n\n")) == brief(
        sources="It snowed."
    )


def test_a_byte_order_mark_and_windows_line_ends_are_no_mistake(brief_file: Write):
    text = as_yaml().replace("\n", "\r\n")
    assert read_brief(brief_file(b"\xef\xbb\xbf" + text.encode())) == brief()
    markdown = f"---\r\n{text}---\r\nIt snowed.\r\n"
    assert read_brief(brief_file(b"\xef\xbb\xbf" + markdown.encode())).sources == "It snowed."


def test_texts_are_trimmed(brief_file: Write):
    assert read_brief(brief_file(as_yaml(title="  Winter service \n"))).title == "Winter service"


@pytest.mark.parametrize("field", ["slug", "title", *TEXT_FIELDS])
def test_a_missing_field_is_named(brief_file: Write, field: str):
    path = brief_file(as_yaml(**{field: None}))
    assert mistakes(path) == (f"brief.yaml: field {field!r} is missing",)


@pytest.mark.parametrize("field", ["title", *TEXT_FIELDS, "sources"])
@pytest.mark.parametrize("text", ["", "  \n "])
def test_an_empty_field_is_named(brief_file: Write, field: str, text: str):
    assert mistakes(brief_file(as_yaml(**{field: text}))) == (
        f"brief.yaml: field {field!r} is empty",
    )


def test_a_field_with_nothing_after_its_colon_is_empty(brief_file: Write):
    path = brief_file(as_yaml(title=None) + "title:\n")
    assert mistakes(path) == ("brief.yaml: field 'title' is empty",)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (7, "the number 7"),
        (True, "the yes/no value 'true'"),
        (["a"], "a list"),
        ({"a": "b"}, "a mapping"),
    ],
)
def test_a_text_field_of_another_kind_is_told(brief_file: Write, value: Any, kind: str):
    path = brief_file(as_yaml(brand_voice=value))
    told = f"brief.yaml: field 'brand_voice' must be text, not {kind}; put it in quotes"
    assert mistakes(path) == (told,)


def test_a_date_that_yaml_makes_of_a_title_is_told(brief_file: Write):
    path = brief_file(as_yaml(title=None) + "title: 2026-11-30\n")
    told = "brief.yaml: field 'title' must be text, not a date; put it in quotes"
    assert mistakes(path) == (told,)


@pytest.mark.parametrize(
    "slug",
    ["../x", "a/b", "Winter", "winter_service", "-a", "a-", "a--b", "a b", "ä", "", ".", "a\n"],
)
def test_a_slug_that_is_none_is_told_how_one_looks(brief_file: Write, slug: str):
    [told] = mistakes(brief_file(as_yaml(slug=slug)))
    assert told.startswith("brief.yaml: field 'slug' must be a slug: small letters, digits and")


def test_a_slug_of_300_letters_is_too_long(brief_file: Write):
    [told] = mistakes(brief_file(as_yaml(slug="a" * 300)))
    assert told == "brief.yaml: field 'slug' is longer than 120 characters"


@pytest.mark.parametrize(
    ("field", "most"), [("title", "300"), ("brand_voice", "20,000"), ("sources", "200,000")]
)
def test_a_text_over_its_cap_is_told_with_the_cap(brief_file: Write, field: str, most: str):
    text = "a" * (int(most.replace(",", "")) + 1)
    told = f"brief.yaml: field {field!r} is longer than {most} characters"
    assert mistakes(brief_file(as_yaml(**{field: text}))) == (told,)
    assert getattr(read_brief(brief_file(as_yaml(**{field: text[1:]}))), field) == text[1:]


@pytest.mark.parametrize("words", ["1200", 1200.0, True, [1200]])
def test_words_are_a_whole_number(brief_file: Write, words: Any):
    [told] = mistakes(brief_file(as_yaml(words=words)))
    assert told.startswith("brief.yaml: field 'words' must be a whole number, not ")


@pytest.mark.parametrize("words", [299, 12_001, -1, 10**30])
def test_words_are_within_their_range(brief_file: Write, words: int):
    [told] = mistakes(brief_file(as_yaml(words=words)))
    assert told.startswith("brief.yaml: field 'words' is wrong: Input should be ")


LINK = {"title": "Salt", "url": "https://depot.example/salt"}


@pytest.mark.parametrize(
    ("related", "field"),
    [
        ("Salt", "related"),
        ({"title": "Salt"}, "related"),
        ([LINK, "Salt"], "related.1"),
        ([LINK, {"title": "Salt"}], "related.1.url"),
        ([{**LINK, "url": "javascript:alert(1)"}], "related.0.url"),
        ([{**LINK, "url": "no address"}], "related.0.url"),
        ([{**LINK, "title": ""}], "related.0.title"),
        ([{**LINK, "author": "Ada"}], "related.0.author"),
        ([{**LINK} for _ in range(51)], "related"),
    ],
)
def test_a_bad_link_is_told_with_its_place(brief_file: Write, related: Any, field: str):
    assert mistakes(brief_file(as_yaml(related=related)))[0].startswith(
        f"brief.yaml: field {field!r} "
    )


def test_links_are_read(brief_file: Write):
    [link] = read_brief(brief_file(as_yaml(related=[LINK]))).related
    assert (link.title, str(link.url)) == ("Salt", "https://depot.example/salt")


def test_an_unknown_field_is_told_with_those_there_are(brief_file: Write):
    [told] = mistakes(brief_file(as_yaml() + "brand_voise: dry\n"))
    assert told.startswith("brief.yaml: field 'brand_voise' is not known; the fields are slug, ")


@pytest.mark.parametrize("key", ["1", "null", "true", "2026-11-30", "1.5", '"\\ud800"'])
def test_a_key_that_is_no_text_is_told(brief_file: Write, key: str):
    assert mistakes(brief_file(as_yaml() + f"{key}: dry\n"))


def test_all_mistakes_are_told_at_once(brief_file: Write):
    path = brief_file("slug: A\nwords: many\nmood: calm\nbrand_voice: ''\n")
    told = mistakes(path)
    wrong = ["slug", "title", *TEXT_FIELDS, "words", "mood"]
    assert sorted(line.split("'")[1] for line in told) == sorted(wrong)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (as_yaml() + "title: Again\n", "field 'title' stands twice"),
        (as_yaml() + "related:\n  - {title: a, title: b}\n", "field 'title' stands twice"),
        ("a: &a [x]\nb: *a\n", "aliases (*a) are not read"),
        (as_yaml(title=None) + "title: !!python/name:os.system\n", "the tag"),
        ("", "is not a mapping of 'field: value' lines"),
        ("slug: [", "no valid YAML"),
        (b"slug: caf\xe9\n", "not UTF-8 (byte 9 is 0xe9); save the file as UTF-8"),
        ("slug: a".encode("utf-16"), "not UTF-8 (byte 0 is 0xff)"),
        (b"\x00\x01\x02", "no valid YAML"),
        ("---\nslug: a\n", "is not a mapping"),
    ],
)
def test_a_file_that_is_no_brief_is_told_by_name(
    brief_file: Write, content: str | bytes, said: str
):
    path = brief_file(content)
    if path.suffix == ".md":
        said = "opens a YAML head"
    [told] = mistakes(path)
    assert told.startswith(f"{path.name}: ")
    assert said in told


def test_sources_stand_in_the_head_or_below_it_not_both(brief_file: Write):
    [told] = mistakes(brief_file(f"---\n{as_yaml(sources='a')}---\nb\n"))
    assert "field 'sources' stands in the head and as the text below it; keep one" in told


def test_a_markdown_brief_without_a_head_is_told(tmp_path: Path):
    path = tmp_path / "notes.md"
    path.write_text("# Winter\n", encoding="utf-8")
    assert mistakes(path) == (
        "notes.md: a Markdown brief begins with a YAML head: a line '---', fields, '---'",
    )


def test_a_mistake_in_a_markdown_head_is_on_the_line_of_the_file(brief_file: Write):
    [told] = mistakes(brief_file("---\nslug: a\nslug: b\n---\n"))
    assert told == "brief.md: line 3: field 'slug' stands twice"


def test_a_file_of_50_mb_is_refused_by_its_size(tmp_path: Path):
    path = tmp_path / "brief.yaml"
    with path.open("wb") as file:
        file.truncate(50 * 1024 * 1024)  # a hole: it cannot be read in a reasonable time as YAML
    [told] = mistakes(path)
    assert told == f"brief.yaml: 52,428,800 bytes; a brief has at most {LARGEST_FILE:,} bytes"


def test_a_brief_with_every_field_at_its_cap_is_small_enough(brief_file: Write):
    widest = "😀"
    texts = dict.fromkeys(TEXT_FIELDS, widest * 20000)
    path = brief_file(as_yaml(**texts, title=widest * 300, sources=widest * 200_000))
    assert path.stat().st_size <= LARGEST_FILE
    assert len(read_brief(path).sources or "") == 200_000


def test_a_file_that_vanished_or_is_a_folder_is_told(tmp_path: Path):
    assert mistakes(tmp_path / "gone.yaml") == (
        "gone.yaml: cannot be read (No such file or directory)",
    )
    (tmp_path / "folder.yaml").mkdir()
    [told] = mistakes(tmp_path / "folder.yaml")
    assert told.startswith("folder.yaml: cannot be read (")


@given(content=st.binary(max_size=400), suffix=st.sampled_from([".yaml", ".md"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_bytes_do_anything_but_a_brief_or_a_sentence(
    tmp_path: Path, content: bytes, suffix: str
):
    check_any(tmp_path / f"brief{suffix}", content)


TEXTS = st.text(alphabet="sluga: -\n'\"{}[]!&*%#|>0123456789.~\\xuU\ud800\u2028\x85😀\ufeff\t")


@given(text=TEXTS, head=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_does_anything_but_a_brief_or_a_sentence(tmp_path: Path, text: str, head: bool):
    content = f"---\n{text}\n---\n{text}" if head else text
    check_any(tmp_path / "brief.md", content.encode("utf-8", "surrogatepass"))
    check_any(tmp_path / "brief.yaml", content.encode("utf-8", "replace"))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.dates() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
FIELDS = st.dictionaries(st.sampled_from([*Brief.model_fields, "mood"]), VALUES, max_size=4)


@given(changes=FIELDS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_wrong_value_is_told_by_file_and_field(tmp_path: Path, changes: dict[str, Any]):
    path = tmp_path / "brief.yaml"
    try:
        text = yaml.safe_dump(brief_fields(**changes), allow_unicode=True)
    except yaml.YAMLError:
        return
    check_any(path, text.encode("utf-8", "surrogatepass"))


def check_any(path: Path, content: bytes) -> None:
    """Whatever the file holds, it is a brief or sentences that begin with the file's name."""
    path.write_bytes(content)
    try:
        found = read_brief(path)
    except BriefError as error:
        assert error.mistakes
        assert all(told.startswith(f"{path.name}: ") for told in error.mistakes)
        str(error).encode()  # it can be printed
    else:
        assert isinstance(found, Brief)


def test_a_folder_gives_its_briefs_by_name_and_nothing_else(tmp_path: Path):
    for name in ("b.yaml", "a.md", "c.yml", "d.markdown", "notes.txt", ".hidden"):
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / "folder.yaml").mkdir()
    found = [path.name for path in brief_files(tmp_path)]
    assert found == ["a.md", "b.yaml", "c.yml", "d.markdown"]


def test_a_path_without_briefs_is_told(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    for path, said in {
        tmp_path: "no brief in this folder",
        tmp_path / "gone": "no such file or folder",
        tmp_path / "notes.txt": "a brief is a file that ends in .yaml, .yml, .md, .markdown",
    }.items():
        with pytest.raises(BriefError, match=f"{path}: {said}"):
            brief_files(path)


def test_the_shipped_briefs_are_good_and_their_fingerprints_differ():
    with as_file(files("assets") / "briefs") as folder:
        found = [read_brief(path) for path in brief_files(folder)]
    assert len(found) >= 3
    assert len({brief.fingerprint() for brief in found}) == len(found)


def test_a_fingerprint_changes_with_every_field_and_survives_the_store():
    changes: dict[str, Any] = dict.fromkeys(("title", *TEXT_FIELDS), "Another text.")
    changes |= {"slug": "other", "sources": "It snowed.", "related": [LINK], "words": 400}
    prints = {brief(**{name: value}).fingerprint() for name, value in changes.items()}
    assert len({*prints, brief().fingerprint()}) == len(changes) + 1
    stored = Brief.model_validate_json(brief(related=[LINK]).model_dump_json(indent=2))
    assert stored.fingerprint() == brief(related=[LINK]).fingerprint()
