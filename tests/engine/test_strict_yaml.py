"""Strict YAML: what a parser would let pass is refused in words, on the line where it stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orch_dagster.strict_yaml import YamlError, read_mapping, split_head

LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)

REFUSED = {
    "": "is not a mapping",
    "just text": "is not a mapping",
    "- a\n- b\n": "is not a mapping",
    "a: b\na: c\n": "line 2: field 'a' stands twice",
    "a:\n  b: 1\n  b: 2\n": "line 3: field 'b' stands twice",
    "a:\n  - b: 1\n    b: 2\n": "line 3: field 'b' stands twice",
    'a: 1\n"a": 2\n': "line 2: field 'a' stands twice",
    "a: {b: {c: 1, c: 2}}\n": "line 1: field 'c' stands twice",
    "a: &x b\nc: *x\n": r"line 2: aliases \(\*x\) are not read",
    LAUGHS: r"line 2: aliases \(\*a\) are not read",
    "a: !!python/object/apply:os.system [ls]\n": "line 1: the tag .*os.system' is not read",
    "a: !!python/name:os.system\n": "the tag",
    "a: !!binary aGk=\n": "the tag",
    "a: !mine b\n": "line 1: the tag '!mine' is not read",
    "!!map {a: b}\n": "the tag",
    "a: b\n---\nc: d\n": "line 2: a second document begins",
    "a: b\n...\n---\nc: d\n": "a second document begins",
    "a: [b\n": "no valid YAML",
    "a: b: c\n": "line 1: no valid YAML",
    "\ta: b\n": "line 1: no valid YAML",
    "a: 'b\n": "no valid YAML",
    "a: \x07\n": "no valid YAML",
    "? [a]\n: b\n": "unhashable key",
    "a: 2026-13-45\n": "a value cannot be read .*: put it in quotes",
    "a: " + "9" * 5_000: "a value cannot be read",
    'a: "\\U00110000"\n': "no valid YAML",
    'a: "\\UFFFFFFFF"\n': "no valid YAML",
    "[" * 100_000: "line 1: is nested too deeply, more than 20 levels",
    "a: " + "{a: " * 1_000: "is nested too deeply",
    "".join(" " * n + "a:\n" for n in range(200)): "line 21: is nested too deeply",
    "a: [" + "b," * 100_000 + "]": "line 1: holds too much, more than 5,000 values",
    "".join(f"k{n}: v\n" for n in range(10_000)): "holds too much",
}


@pytest.mark.parametrize(("text", "said"), REFUSED.items(), ids=range(len(REFUSED)))
def test_what_is_no_plain_mapping_is_refused_in_words(text: str, said: str):
    with pytest.raises(YamlError, match=said):
        read_mapping(text)


@pytest.mark.parametrize(
    "text",
    ["a: b\n", "---\na: b\n", "# a comment\n---\na: b\n", "%YAML 1.1\n---\na: b\n", "a: b\n...\n",
     "a: b", "a:   b   # a comment\n", '"a": \'b\'\n', "a: ! b\n", "{a: b}\n", "a: b\r\n"],
)  # fmt: skip
def test_a_mapping_is_read_however_people_write_it(text: str):
    assert read_mapping(text) == {"a": "b"}


def test_the_same_field_may_stand_in_two_entries():
    assert read_mapping("a:\n  - b: 1\n  - b: 2\n") == {"a": [{"b": 1}, {"b": 2}]}


@given(st.text())
def test_no_text_is_read_as_anything_but_a_mapping(text: str):
    try:
        assert isinstance(read_mapping(text), dict)
    except YamlError as error:
        assert str(error)


YAML_LETTERS = st.text(alphabet="ab:-?[]{}#&*!|>'\"%@` \n\t,.0123456789~<=\\uUx\ud800")


@given(YAML_LETTERS)
def test_no_text_of_yaml_marks_breaks_the_reader(text: str):
    try:
        assert isinstance(read_mapping(text), dict)
    except YamlError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("---\na: b\n---\nBody.\n", ("\na: b\n", "Body.\n")),
        ("\ufeff---\na: b\n---\nBody.", ("\na: b\n", "Body.")),
        ("---\r\na: b\r\n---\r\nBody.\r\n", ("\na: b\r\n", "Body.\r\n")),
        ("---  \na: b\n---  \n", ("\na: b\n", "")),
        ("---\n---\n", ("\n", "")),
        ("---\na: b\n---\nBody.\n---\nMore.\n", ("\na: b\n", "Body.\n---\nMore.\n")),
        ("---\na: '---x'\n---\n", ("\na: '---x'\n", "")),
        ("Body.\n", None),
        ("", None),
        ("\n---\na: b\n---\n", None),
    ],
)
def test_a_head_stands_between_its_two_lines(text: str, parts: tuple[str, str] | None):
    assert split_head(text) == parts


def test_a_head_that_nothing_closes_is_told():
    with pytest.raises(YamlError, match="line 1 opens a YAML head with '---' that no later line"):
        split_head("---\na: b\n")


def test_a_line_of_a_head_has_the_number_it_has_in_the_file():
    head = split_head("---\na: b\na: c\n---\n")
    assert head is not None
    with pytest.raises(YamlError, match="line 3: field 'a' stands twice"):
        read_mapping(head[0])


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_body_comes_back_as_it_was(body: str):
    assert split_head(f"---\na: b\n---\n{body}") == ("\na: b\n", body)
