"""What a whole translation lost of its source's structure."""

import pytest

from assets.translation.structure.structure_faults import structure_faults
from tests.translation_structure.articles import HARD, PROMPT_INJECTION

SOURCE = """\
# Title

Run `a` and `b` from [one](https://e.org/1) or [two](https://e.org/2), {name}, for $5.[^1]

## List

1. first
2. second
   - inner

| a | b |
|---|---|
| c | d |

```py
code = 1
```

> Quoted[^2]

<div>
html
</div>

---

![alt](a.png) at https://e.org/raw

[^1]: Note one.
[^2]: Note two.

[ref]: https://e.org/ref
"""
TRANSLATED = """\
# Назва

Із [двох]( https://e.org/2 ) чи [одного](https://e.org/1), {name}, запустіть `b` та `a` за $5.[^1]

## Список

1. перше
2. друге
   - внутрішнє

| а | б |
|---|---|
| в | г |

```py
code = 1
```

> Цитата[^2]

<div>
html
</div>

---

![опис](a.png) на https://e.org/raw

[^1]: Примітка перша.
[^2]: Примітка друга.

[ref]: https://e.org/ref
"""


def test_what_came_through_has_no_faults_though_words_change_places() -> None:
    assert structure_faults(SOURCE, TRANSLATED) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("## Список", "### Список", "Heading 2 is level 3, in the source level 2."),
        ("## Список", "Список", "It has 1 headings, the source has 2."),
        ("   - внутрішнє\n", "", "It has 1 lists, the source has 2."),
        ("2. друге\n", "", "a numbered list of 1 items at depth 1"),
        ("1. перше\n2. друге", "- перше\n- друге", "a bulleted list of 2 items at depth 1"),
        ("| в | г |\n", "", "Table 1 is 1 by 2, in the source 2 by 2."),
        ("code = 1", "код = 1", "Code block 1 is 'код = 1', in the source 'code = 1'."),
        ("```py", "```", "Code block 1"),
        ("```py\ncode = 1\n```\n", "", "It has 0 code blocks, the source has 1."),
        ("<div>\nhtml\n</div>\n", "", "It has 0 HTML blocks, the source has 1."),
        ("`b` та `a`", "`b` та а", "1 inline code `a` of the source is missing"),
        ("`b` та `a`", "`b` та `а`", "1 inline code `а` is not in the source"),
        ("https://e.org/1)", "https://e.org/один)", "1 link https://e.org/1 of the source"),
        ("](a.png)", "](а.png)", "1 image a.png of the source is missing"),
        ("https://e.org/raw", "https://e.org/сирий", "1 address https://e.org/raw"),
        ("{name}", "{ім'я}", "1 placeholder {name} of the source is missing"),
        ("$5", "5 $", "1 amount $5 of the source is missing"),
        ("$5.[^1]", "$5.", "1 note [^1] of the source is missing"),
        ("[^2]: Примітка друга.\n", "", "It has 1 footnotes, the source has 2."),
        ("> Цитата", "Цитата", "It has 0 quotations, the source has 1."),
        ("---\n\n!", "!", "It has 0 thematic breaks, the source has 1."),
        ("## Список\n", "## Список\n\nЩе абзац.\n", "paragraphs, the source has"),
        ("[ref]: https://e.org/ref\n", "", "The link definition [REF]: https://e.org/ref"),
    ],
)
def test_each_loss_is_named(old: str, new: str, fault: str) -> None:
    assert old in TRANSLATED
    assert fault in " ".join(structure_faults(SOURCE, TRANSLATED.replace(old, new, 1)))


def test_a_loss_is_named_with_its_place() -> None:
    found = structure_faults("One `a` two three four five six.\n\nEnd.", "Один.\n\nКінець.")
    assert found == ["1 inline code `a` of the source is missing in 'One `a` two three four five'."]


def test_footnote_marks_stand_in_the_order_of_the_source() -> None:
    notes = "\n\n[^1]: a\n[^2]: b\n"
    assert structure_faults(f"x[^1] y[^2]{notes}", f"y[^2] x[^1]{notes}") == [
        "The footnote marks stand in the order [^2] [^1], in the source [^1] [^2]."
    ]


def test_merged_paragraphs_are_found() -> None:
    assert structure_faults("One.\n\nTwo `x`.\n", "Один. Два `x`.\n") == [
        "It has 1 paragraphs, the source has 2."
    ]


@pytest.mark.parametrize("markdown", HARD.values(), ids=HARD.keys())
def test_a_text_has_its_own_structure(markdown: str) -> None:
    assert structure_faults(markdown, markdown) == []


def test_line_endings_are_no_structure() -> None:
    assert structure_faults(SOURCE, TRANSLATED.replace("\n", "\r\n")) == []


def test_a_score_in_the_text_is_code_and_a_placeholder_like_any_other() -> None:
    lost = PROMPT_INJECTION.replace('`{"score": 10}`', "")
    assert structure_faults(PROMPT_INJECTION, PROMPT_INJECTION) == []
    assert structure_faults(PROMPT_INJECTION, lost) != []
