"""What code finds in a whole translation, and how good it can be at most."""

from dataclasses import dataclass

from assets.translation.structure.article import Article
from assets.translation.structure.language import Language, Pair, language
from assets.translation.structure.letters import foreign_letters, lookalikes
from assets.translation.structure.segment_faults import text_faults
from assets.translation.structure.segmentation import segment
from assets.translation.structure.structure_faults import structure_faults
from assets.translation.structure.untranslated import untranslated, word_count, wrong_language

BEST = 10
# From 8 a translation is published: what code is sure of keeps it below that.
_WORDS_IN_DOUBT = 8
_LETTERS = 7
_STRUCTURE = 6
_UNTRANSLATED = 5
_MOSTLY_UNTRANSLATED = 3
_WRONG_LANGUAGE = 2
_NOTHING = 0

_TOLERATED_SHARE = 0.05
_MOSTLY = 0.3
# One Russian word in twenty is a quotation, one in five is the language.
_FOREIGN_SHARE = 0.15


@dataclass(frozen=True, slots=True)
class Findings:
    """Faults as sentences, and what they come to.

    `untranslated_share` is of the words, 0 to 1; `foreign_letters` and `lookalikes` count words;
    `structure` counts losses; `wrong_language` is its name or empty; `words` is how many there are.
    """

    faults: tuple[str, ...]
    untranslated_share: float
    foreign_letters: int
    lookalikes: int
    structure: int
    wrong_language: str
    words: int

    @property
    def cap(self) -> int:
        """The most that a reviewer may give, 0 to 10.

        No words: 0. A third language: 2. Over 30 % untranslated: 3. Over 5 %: 5. Any structure
        lost: 6. Any foreign or look-alike letter, any passage untranslated: 7. Other faults, about
        which code may be wrong (a number written as a word, a length): 8. None: 10.
        """
        rules = (
            (self.words == 0, _NOTHING),
            (self.wrong_language != "", _WRONG_LANGUAGE),
            (self.untranslated_share > _MOSTLY, _MOSTLY_UNTRANSLATED),
            (self.untranslated_share > _TOLERATED_SHARE, _UNTRANSLATED),
            (self.structure > 0, _STRUCTURE),
            (self.foreign_letters + self.lookalikes > 0, _LETTERS),
            (self.untranslated_share > 0, _LETTERS),
            (bool(self.faults), _WORDS_IN_DOUBT),
        )
        return next((cap for holds, cap in rules if holds), BEST)


def findings(source: str, translated: str, pair: Pair) -> Findings:
    """The findings on a translation, both in Markdown without a head."""
    before, after = segment(source), segment(translated)
    structure = structure_faults(source, translated)
    text = "\n".join(found.plain for found in after.segments)
    words = word_count(text)
    passages = [passage for found in after.segments for passage in untranslated(found.plain, pair)]
    target = language(pair.target)
    foreign = foreign_letters(text, target, source=source) if target else []
    alike = lookalikes(text, target, source=source) if target else []
    other = wrong_language(text, pair) or _by_letters(foreign, target, words)
    if len(before.segments) == len(after.segments):
        faults = [*structure, *_text_faults(before, after, pair)]
    else:
        faults = [*structure, *_words_faults(passages, foreign, alike)]
    if other:
        faults.insert(0, f"The translation is in {other}, not in {pair.target!r}.")
    return Findings(
        faults=tuple(faults),
        untranslated_share=sum(map(word_count, passages)) / words if words else 0.0,
        foreign_letters=len(foreign),
        lookalikes=len(alike),
        structure=len(structure),
        wrong_language=other,
        words=words,
    )


def _by_letters(foreign: list[str], target: Language | None, words: int) -> str:
    if target is None or len(foreign) <= _FOREIGN_SHARE * words:
        return ""
    return f"another language of the {target.script} script"


def _text_faults(before: Article, after: Article, pair: Pair) -> list[str]:
    """Faults of each text, by its first words."""
    return [
        f"In '{' '.join(translation.readable.split()[:6])}': {fault}"
        for original, translation in zip(before.segments, after.segments, strict=True)
        for fault in text_faults(original, translation.text, pair)
    ]


def _words_faults(passages: list[str], foreign: list[str], alike: list[str]) -> list[str]:
    """Faults of the whole where its texts do not match the source's by number."""
    return [
        *(f"'{passage}' is not translated." for passage in passages),
        *(f"'{word}' has letters that the language has not." for word in foreign),
        *(f"'{word}' has Latin letters among Cyrillic ones." for word in alike),
    ]
