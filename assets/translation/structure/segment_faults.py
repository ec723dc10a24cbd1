"""What is wrong with the translation of one segment, for the request to repair it."""

import re
from collections import Counter
from collections.abc import Callable

from assets.translation.structure.article import Segment
from assets.translation.structure.escaping import begin_block
from assets.translation.structure.inline_shape import inline_shape, protected_values, with_marks
from assets.translation.structure.language import Pair, language
from assets.translation.structure.letters import foreign_letters, lookalikes
from assets.translation.structure.marks import BRACKETS, MARK, numbers_in, without_marks
from assets.translation.structure.numbers import changed_digits, lost_numbers
from assets.translation.structure.protected import amounts
from assets.translation.structure.untranslated import untranslated, word_count, wrong_language

Rule = Callable[[Segment, str, Pair], list[str]]

_PREAMBLE = re.compile(
    r"""\W*(?:
        (?:sure|certainly|of\s+course|absolutely|okay|ok)\s*[,!.:]
      | (?:here\s+is|here's|here\s+are|below\s+is)\s[^.!?:]{0,40}\b(?:translat|version|text)\w*
      | (?:the\s+)?(?:ukrainian\s+)?translation\s*(?:\([^)]*\))?\s*:
      | as\s+(?:an\s+ai|a\s+language\s+model)\b
      | (?:ось|нижче|наведено)\s[^.!?:]{0,40}?(?:переклад|версі|текст)\w*\s*[:.\n]
      | (?:звісно|звичайно|авжеж|гаразд)\s*[,!.:]\s*(?:ось|нижче|переклад|я\b)
      | переклад(?:ений\s+текст|\s+українською)?\s*(?:\([^)]*\))?\s*:
      | (?:вот|ниже)\s[^.!?:]{0,40}?перевод\w*
      | перевод(?:\s+на\s+\w+)?\s*:
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_AFTERWORD = re.compile(
    r"\((?:translator'?s\s+note|note:|примітка\s+перекладача|прим\.\s*перекл)|"
    r"(?:let me know if|сподіваюся, це допоможе|дайте знати, якщо)",
    re.IGNORECASE,
)
_FENCE = re.compile(r"\s*(?:```|~~~)")
_WRAPPING = re.compile(r"</?(?:segment|translate|translation)\b[^>]*>", re.IGNORECASE)
# A short one may be the title of a work, which many a language puts in quotation marks.
_QUOTED = re.compile(r'\s*["“„«].{60,}["”“»]\s*', re.DOTALL)
_PARAGRAPHS = re.compile(r"\s*\n\s*\n\s*")
# Below this many characters a ratio says nothing: "OK" may well become "Гаразд".
_SHORT = 40
_ALLOWANCE = 25
_MOST_QUOTED = 5
_INSIDE = ("table_cell", "title")


def segment_faults(segment: Segment, translation: str, pair: Pair) -> list[str]:
    """Faults as sentences that a translator can act on; none when it may be put in its place."""
    if not translation.strip():
        return ["The translation is empty."]
    return [fault for rule in _RULES for fault in rule(segment, translation, pair)]


def text_faults(segment: Segment, translation: str, pair: Pair) -> list[str]:
    """Only what is wrong with the words: language, letters, numbers, length, talk around them."""
    rules = (_answer, _language, _letters, _numbers, _length)
    return [fault for rule in rules for fault in rule(segment, translation, pair)]


def _answer(segment: Segment, translation: str, _pair: Pair) -> list[str]:
    """Signs that the text is an answer about a translation rather than the translation."""
    faults = []
    for pattern, at_start, fault in (
        (_PREAMBLE, True, "It begins with words about the translation; give the translation only."),
        (_AFTERWORD, False, "It holds a remark about the translation; leave it out."),
        (_FENCE, True, "It is wrapped in a code fence; give the bare text."),
        (_WRAPPING, False, "It repeats the tags of the request; give the text between them."),
        (_QUOTED, True, "It is wrapped in quotation marks that the source has not."),
    ):
        find = pattern.match if at_start else pattern.search
        found = find(translation)
        whole = pattern is not _QUOTED or (found and found.end() == len(translation))
        if found and whole and not (pattern.match if at_start else pattern.search)(segment.text):
            faults.append(fault)
    return faults


def _paragraphs(_segment: Segment, translation: str, _pair: Pair) -> list[str]:
    text = translation.strip()
    count = len(_PARAGRAPHS.split(text))
    if count > 1:
        return [f"It has {count} paragraphs, the source has one: keep it one line."]
    return ["It has line breaks, the source has none: keep it one line."] if "\n" in text else []


def _marks(segment: Segment, translation: str, _pair: Pair) -> list[str]:
    wanted = {mark.number: mark for mark in segment.marks}
    found = Counter(numbers_in(translation))
    faults = [
        f"Mark {mark.name} ({mark.meaning}) is missing."
        for number, mark in wanted.items()
        if number not in found
    ]
    faults += [
        f"Mark ⟦{number}⟧ occurs {count} times, the source has it once."
        for number, count in found.items()
        if number in wanted and count > 1
    ]
    faults += [f"Mark ⟦{n}⟧ is invented: the source has none." for n in found if n not in wanted]
    if set(BRACKETS) & set(without_marks(translation)):
        faults.append("A mark is damaged: each is written ⟦number⟧, exactly as in the source.")
    return faults or _order(segment, translation)


def _order(segment: Segment, translation: str) -> list[str]:
    """Marks that may not change places: notes among themselves, a line break to an end."""
    notes = [mark.number for mark in segment.marks if mark.kind == "footnote"]
    found = [number for number in numbers_in(translation) if number in notes]
    faults = ["The footnote marks are not in the order of the source."] if found != notes else []
    breaks = [mark.name for mark in segment.marks if mark.kind == "break"]
    text = translation.strip()
    if any(text.startswith(name) or text.endswith(name) for name in breaks):
        faults.append("A line break stands at an end; it parts two lines of the text.")
    return faults


def _beginning(segment: Segment, translation: str, _pair: Pair) -> list[str]:
    """A mark that would open another block where it now stands first: a tag, a note and a colon."""
    found = MARK.match(translation.strip())
    if found is None or segment.kind in _INSIDE or segment.text.startswith(found[0]):
        return []
    line = with_marks(translation.strip(), segment.marks)
    return [] if begin_block(line) == line else [f"Mark {found[0]} may not stand first here."]


def _shape(segment: Segment, translation: str, _pair: Pair) -> list[str]:
    if set(numbers_in(translation)) != {mark.number for mark in segment.marks}:
        return []
    wanted = inline_shape(segment.text, segment.marks)
    found = inline_shape(translation, segment.marks)
    hint = "; ⟦number⟧ of a link stands right behind its text in square brackets"
    faults = [
        f"It has {found[name]} {name}, the source has {wanted[name]}"
        f"{hint if name in ('links', 'images') else ''}."
        for name in sorted({*wanted, *found})
        if wanted[name] != found[name]
    ]
    return faults or _protected(segment, translation)


def _protected(segment: Segment, translation: str) -> list[str]:
    """What a mark stands for and would be something else where the translation has it."""
    wanted = protected_values(segment.text, segment.marks)
    found = protected_values(translation, segment.marks)
    return [
        *(f"{_quoted(lost)} is torn: keep its mark where it belongs." for lost in wanted - found),
        *(f"{_quoted(new)} is invented: the source has none." for new in found - wanted),
    ]


def _language(segment: Segment, translation: str, pair: Pair) -> list[str]:
    text, source = without_marks(translation), segment.plain
    target, origin = language(pair.target), language(pair.source)
    if text.strip() == source.strip() and word_count(source) > 3 and pair.source != pair.target:
        return ["It is the source's text, untranslated."]
    faults = [
        f"{_quoted(passage)} is still {origin.name if origin else pair.source}: translate it."
        for passage in untranslated(text, pair)[:_MOST_QUOTED]
    ]
    other = wrong_language(text, pair)
    if other and target:
        faults.append(f"It is in {other}; write it in {target.name}.")
    return faults


def _letters(segment: Segment, translation: str, pair: Pair) -> list[str]:
    target = language(pair.target)
    if target is None:
        return []
    text, source = without_marks(translation), segment.readable
    foreign = foreign_letters(text, target, source=source)
    alike = lookalikes(text, target, source=source)
    faults = []
    if foreign:
        faults.append(f"{target.name} has not the letters of {_listed(foreign)}.")
    if alike:
        faults.append(
            f"{_listed(alike)}: Latin letters among Cyrillic ones; write it in Cyrillic only."
        )
    return faults


def _numbers(segment: Segment, translation: str, _pair: Pair) -> list[str]:
    source, text = segment.plain, without_marks(translation)
    missing = Counter(amounts(source)) - Counter(amounts(text))
    added = Counter(amounts(text)) - Counter(amounts(source))
    faults = [
        f"The amount {amount} is missing; keep its sign before its number." for amount in missing
    ]
    faults += [f"The amount {amount} is not in the source." for amount in added]
    if faults:
        return faults
    lost = lost_numbers(source, text) or changed_digits(source, text)
    return [f"The number {number} of the source is missing." for number in lost]


def _length(segment: Segment, translation: str, pair: Pair) -> list[str]:
    target = language(pair.target)
    low, high = target.ratio if target else (0.15, 4.0)
    source, text = len(segment.plain), len(without_marks(translation))
    if source >= _SHORT and text < low * source:
        return [f"It has {text} characters, the source {source}: something is left out."]
    if text > high * source + _ALLOWANCE:
        return [f"It has {text} characters, the source {source}: something is added."]
    return []


def _quoted(text: str) -> str:
    shown = text if len(text) <= 60 else f"{text[:57]}..."
    return f"'{shown}'"


def _listed(words: list[str]) -> str:
    more = len(words) - _MOST_QUOTED
    listed = ", ".join(f"'{word}'" for word in words[:_MOST_QUOTED])
    return f"{listed} and {more} more" if more > 0 else listed


_RULES: tuple[Rule, ...] = (
    _answer,
    _paragraphs,
    _marks,
    _beginning,
    _shape,
    _language,
    _letters,
    _numbers,
    _length,
)
