"""Text taken apart: sentences, clauses and short phrases."""

import re
from collections.abc import Iterable, Iterator

_NOT_PROSE = re.compile(r"```.*?(?:```|\Z)|</?[a-zA-Z][^<>]*>|https?://\S+", re.DOTALL)
_LINE_MARK = re.compile(r"^[ \t]*(?:[#>|*+-]+|\d+[.)])[ \t]+", re.MULTILINE)
_BLOCK = re.compile(r"\n\s*\n|\n(?=\x1e)")
_SENTENCE_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"\u201d\u2019)]))\s+(?=[\"\u201c(]?[A-Z0-9])")
_CLAUSE_END = re.compile(
    r"[;:]\s+|\s+[\u2013\u2014]\s+|,\s+(?:and|but|so|while|because|or|which|who)\s+"
    r"|\s+(?:because|while|but)\s+"
)
_PIECE_END = re.compile(r"[,;:.!?()\"\u201c\u201d]+\s*|\s+[\u2013\u2014]\s+")
_PAIRS = ('"', '"'), ("(", ")"), ("\u201c", "\u201d")
# Words that neither begin nor end a phrase well.
_WEAK_WORDS = """
    a about after all also an and are as at be because been before both but by can do does each
    even for from had has have how i if in into is it its may more must no nor not of on
    once one or our out over so some still such than that the their them then there these
    they this those to until was we were what when where whether which while who whose why
    will with without would you your
"""
WEAK = frozenset(_WEAK_WORDS.split())


def sentences_of(text: str) -> tuple[str, ...]:
    """Each prose sentence of `text` once, in order, on one line, with its end mark."""
    prose = _LINE_MARK.sub("\x1e", _NOT_PROSE.sub(" ", text))
    found = (
        _closed(sentence)
        for block in _BLOCK.split(prose)
        for sentence in _SENTENCE_END.split(" ".join(block.replace("\x1e", " ").split()))
    )
    return tuple(dict.fromkeys(s for s in found if _is_prose(s)))


def clauses_of(sentences: Iterable[str]) -> tuple[str, ...]:
    """Parts of four words or more, without end marks, that can be joined to new sentences."""
    parts = (
        _balanced(part.strip(" ,.!?"))
        for sentence in sentences
        for clause in _CLAUSE_END.split(sentence.rstrip(".!?"))
        for part in _shortened(clause)
    )
    return tuple(dict.fromkeys(part for part in parts if len(part.split()) >= 4))


def phrases_of(sentences: Iterable[str]) -> tuple[str, ...]:
    """Runs of two to six words that begin and end with a word of weight."""
    found = (
        phrase for s in sentences for piece in _PIECE_END.split(s) for phrase in _windows(piece)
    )
    return tuple(dict.fromkeys(found))


def _windows(piece: str) -> Iterator[str]:
    words = piece.split()
    for size in (4, 3, 2, 5, 6):
        for start in range(0, len(words) - size + 1, 2):
            window = words[start : start + size]
            if is_weighty(window[0]) and is_weighty(window[-1]):
                yield " ".join(window)


def is_weighty(word: str) -> bool:
    """Whether a phrase or a cut sentence may end with `word`."""
    bare = word.strip("\"'()")
    return len(bare) > 1 and bare.lower() not in WEAK and any(c.isalpha() for c in bare)


def _shortened(clause: str) -> tuple[str, ...]:
    words = clause.split()
    if len(words) <= 16 or ", " not in clause:
        return (clause,)
    return tuple(clause.split(", "))


def _closed(sentence: str) -> str:
    sentence = sentence.strip(" *_`")
    return sentence if sentence.endswith((".", "!", "?", '."', '?"', '!"')) else f"{sentence}."


def _balanced(text: str) -> str:
    for opening, closing in _PAIRS:
        odd = (
            text.count(opening) % 2
            if opening == closing
            else text.count(opening) - text.count(closing)
        )
        if odd:
            text = text.replace(opening, "").replace(closing, "")
    return text


def _is_prose(sentence: str) -> bool:
    letters = sum(c.isalpha() or c.isspace() for c in sentence)
    return len(sentence.split()) >= 3 and letters >= 0.6 * len(sentence)
