"""Letters that do not belong: of another alphabet, or of another script within a word."""

import unicodedata

import regex

from assets.translation.structure.language import Language, in_script

_LATIN_ALIKE = frozenset("aceiopxyïëABCEHIKMOPTXY")
_CYRILLIC = in_script("Cyrillic")
_LATIN = in_script("Latin")
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*")
_BRAND_WITH_ENDING = regex.compile(r"\p{Latin}{3,}\p{Cyrillic}{1,4}")
# A conjunction or a preposition in the wrong script: "сіль i перець".
_LONE_ALIKE = regex.compile(
    r"(?<=\p{Cyrillic}[,;:]?[ \u00a0])[aioyceAIOYCBK](?=[ \u00a0]\p{Cyrillic})"
)


def foreign_letters(text: str, target: Language, *, source: str) -> list[str]:
    """Words with letters of the target's script that its alphabet has not, each once.

    Words that stand in the source just so are quotations.
    """
    if not target.letters:
        return []
    script, quoted = in_script(target.script), words_of(source)
    return [
        word
        for word in dict.fromkeys(_words(text))
        if word not in quoted and any(_is_foreign(c, target.letters, script) for c in word)
    ]


def lookalikes(text: str, target: Language, *, source: str) -> list[str]:
    """Words with Latin letters in the place of Cyrillic ones, each once."""
    if target.script != "Cyrillic":
        return []
    quoted = words_of(source)
    mixed = [word for word in _words(text) if word not in quoted and _is_mixed(word)]
    lone = [found for found in _LONE_ALIKE.findall(text) if found not in quoted - {"a"}]
    return list(dict.fromkeys([*mixed, *lone]))


def words_of(text: str) -> frozenset[str]:
    """The words of a text as it writes them."""
    return frozenset(_words(text))


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", text))


def _is_foreign(letter: str, letters: frozenset[str], script: regex.Pattern[str]) -> bool:
    return letter.lower() not in letters and letter.isalpha() and bool(script.match(letter))


def _is_mixed(word: str) -> bool:
    latin = _LATIN.findall(word)
    if not latin:
        return False
    if _CYRILLIC.search(word) is None:
        return len(word) > 1 and word[1:].islower() and _LATIN_ALIKE.issuperset(latin)
    return _LATIN_ALIKE.issuperset(latin) or _BRAND_WITH_ENDING.fullmatch(word) is None
