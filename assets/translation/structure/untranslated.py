"""Passages that were left in the source's language."""

import regex

from assets.translation.structure.language import Pair, in_script, language, rivals, telling_words

_WORD = regex.compile(r"(?<![\p{L}\p{N}_@./-])\p{L}[\p{L}\p{M}'\u2019]*+(?![\p{N}_@/]|\.\p{L})")
_SENTENCE_END = regex.compile(r"(?<=[.!?\u2026])[\s\"\u00bb\u201d)]+|\n")
_LOWER_WORDS_OF_A_PASSAGE = 3
_WORDS_OF_A_SENTENCE = 4
# A sentence of any language holds more small words than that, one of another's names fewer.
_HITS = 3
_SHARE_OF_HITS = 0.06


def word_count(text: str) -> int:
    """How many words a text has, whatever their script."""
    return len(_WORD.findall(text))


def untranslated(text: str, pair: Pair) -> list[str]:
    """Passages in the source's language; names and single terms are none.

    Empty where nothing is known of one of the languages.
    """
    source, target = language(pair.source), language(pair.target)
    if source is None or target is None or source == target:
        return []
    if source.script != target.script:
        passages = _runs(text, source.script)
        return [found for found in passages if _is_passage(found, text, source.words)]
    return [
        sentence
        for sentence in _SENTENCE_END.split(text)
        if _hits(sentence, telling_words(source)) > 1 + 2 * _hits(sentence, telling_words(target))
    ]


def wrong_language(text: str, pair: Pair) -> str | None:
    """The name of the third language that a text is in, when its small words say so."""
    target = language(pair.target)
    if target is None:
        return None
    own = _hits(text, telling_words(target))
    enough = max(_HITS, _SHARE_OF_HITS * word_count(text))
    found = [
        (hits, other.name)
        for other in rivals(target)
        if other != language(pair.source)
        and (hits := _hits(text, telling_words(other))) >= enough
        and hits > 2 * own
    ]
    return max(found)[1] if found else None


def _runs(text: str, script: str) -> list[str]:
    """Words of the script that follow each other, with what stands between them."""
    letter = in_script(script)
    runs: list[tuple[int, int]] = []
    follows = False
    for found in _WORD.finditer(text):
        matches = letter.match(found[0]) is not None
        if matches and follows:
            runs[-1] = (runs[-1][0], found.end())
        elif matches:
            runs.append(found.span())
        follows = matches
    return [text[start:end] for start, end in runs]


def _is_passage(run: str, text: str, small_words: frozenset[str]) -> bool:
    words = _WORD.findall(run)
    small = sum(word.lower() in small_words for word in words)
    lower = sum(word.islower() and len(word) > 1 and word not in small_words for word in words)
    if lower >= _LOWER_WORDS_OF_A_PASSAGE or (lower and small):
        return True
    if len(words) < len(_WORD.findall(text)):
        return False
    is_sentence = text.rstrip(" *_~)").endswith((".", "!", "?", ":"))
    return bool(lower and is_sentence and len(words) > 1) or (
        len(words) >= _WORDS_OF_A_SENTENCE and bool(lower or small > 1)
    )


def _hits(text: str, words: frozenset[str]) -> int:
    return sum(word.lower() in words for word in _WORD.findall(text))
