"""Writes new text out of given material."""

import random
import re
from collections import deque

from resources.simulator.length import Length
from resources.simulator.material import Material
from resources.simulator.sentences import is_weighty

_OPENERS = (
    "In short, ", "Put plainly, ", "Seen up close, ", "Day to day, ", "On the whole, ",
    "By the same count, ", "Put differently, ", "To be exact, ", "Here again, ", "More than once, ",
    "As it happens, ", "In other words, ", "Even so, ", "At first sight, ", "In practice, ",
    "For the most part, ", "Year after year, ", "Looked at soberly, ",
)  # fmt: skip
_JOINS = (
    ", and ", "; ", ", while ", ", and at the same time ", "; likewise ", ", just as ", "; meanwhile ",
    ", whereas ", "; by the same token ", ", and again ", "; beside that, ", ", and yet ",
)  # fmt: skip
_LONG_SENTENCE = 32
_ROOM_FOR_ANOTHER = 12
_PARAGRAPH = 85
_PARAGRAPH_MOST = 110


class Writer:
    """One answer's worth of text: no sentence and, while there are others, no phrase comes twice."""

    def __init__(self, material: Material, *, seed: str) -> None:
        """The same material and seed give the same text."""
        self.material = material
        self.rng = random.Random(seed)
        self._waiting = deque(self._shuffled(material.first) + self._shuffled(material.then))
        self._phrases = self._shuffled(material.phrases)
        self._keywords = self._shuffled(material.keywords)
        self._used: set[str] = set()

    def sentence(self) -> str:
        """A sentence of the material, or when these have all been used a recombined one."""
        while self._waiting:
            sentence = self._waiting.popleft()
            if self._is_new(sentence):
                return sentence
        return self._recombined()

    def prose(self, length: Length) -> str:
        """Plain paragraphs of `length` words."""
        sentences: list[str] = []
        count = 0
        while count < length.least:
            sentence = self._fitting(Length(length.least - count, length.most - count))
            sentences.append(sentence)
            count += len(sentence.split())
        return "\n\n".join(_paragraphs(sentences))

    def phrase(self, *, most: int | None = None) -> str:
        """Two to six words, first letter large, of at most `most` characters where there are such."""
        return self._phrase_from(self._phrases, most)

    def keyword(self, *, most: int | None = None) -> str:
        """A phrase of the brief's keyword field, else any phrase."""
        return self._phrase_from(self._keywords or self._phrases, most)

    def words(self, count: int) -> str:
        """Exactly `count` words in a row, without an end mark."""
        return self._cut(Length(count, count)).rstrip(".")

    def _phrase_from(self, phrases: list[str], most: int | None) -> str:
        for index, phrase in enumerate(phrases):
            if most is None or len(phrase) <= most:
                phrases.append(phrases.pop(index))
                if self._is_new(phrase.lower()):
                    return _capital(phrase)
                return _capital(self._crossed(phrase, most))
        return _capital(self.rng.choice(self.material.clauses).split()[0].strip(",;:"))

    def _crossed(self, phrase: str, most: int | None) -> str:
        others = self.material.phrases or self.material.clauses
        for _ in range(12):
            crossed = f"{phrase.split()[0]} {self.rng.choice(others).split()[-1]}"
            if (most is None or len(crossed) <= most) and self._is_new(crossed.lower()):
                return crossed
        return phrase

    def _fitting(self, left: Length) -> str:
        passed: list[str] = []
        try:
            for _ in range(8):
                sentence = self.sentence()
                words = len(sentence.split())
                if words <= left.most - _ROOM_FOR_ANOTHER or left.least <= words <= left.most:
                    return sentence
                passed.append(sentence)
        finally:
            self._used.difference_update(passed)
            self._waiting.extend(passed)
        return self._cut(left)

    def _cut(self, length: Length) -> str:
        best = ""
        for _ in range(12):
            words = self._row_of_words(length.most)
            size = next(
                (n for n in range(length.most, length.least - 1, -1) if is_weighty(words[n - 1])),
                length.most,
            )
            best = f"{_capital(' '.join(words[:size])).rstrip('.,;:!?')}."
            if is_weighty(words[size - 1]) and self._is_new(best):
                break
        return best

    def _row_of_words(self, count: int) -> list[str]:
        words = self.rng.choice(self.material.clauses).split()
        while len(words) < count:
            join = self.rng.choice(_JOINS)
            words = f"{' '.join(words)}{join}{self._clause()}".split()
        return words

    def _recombined(self) -> str:
        clauses = 2 if self.rng.random() < 0.75 else 1
        for tries in range(1, 1000):
            text = self._clause()
            for _ in range(clauses - 1 + tries // 12):
                longer = f"{text}{self.rng.choice(_JOINS)}{self._clause()}"
                text = longer if len(longer.split()) <= _LONG_SENTENCE or tries > 12 else text
            if clauses == 1 or self.rng.random() < 0.3:
                text = self.rng.choice(_OPENERS) + text
            sentence = f"{_capital(text)}."
            if self._is_new(sentence):
                return sentence
        raise AssertionError("a thousand tries gave no new sentence")

    def _clause(self) -> str:
        return self.material.lowered(self.rng.choice(self.material.clauses))

    def _is_new(self, text: str) -> bool:
        if text in self._used:
            return False
        self._used.add(text)
        return True

    def _shuffled(self, texts: tuple[str, ...]) -> list[str]:
        return self.rng.sample(texts, len(texts))


def slug(text: str) -> str:
    """`text` as small letters and digits joined by single hyphens; "item" where none are left."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower())) or "item"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _paragraphs(sentences: list[str]) -> list[str]:
    sizes = [len(sentence.split()) for sentence in sentences]
    total = sum(sizes)
    wanted = max(1, round(total / _PARAGRAPH), 2 if total > _PARAGRAPH_MOST else 1)
    paragraphs: list[list[str]] = [[]]
    done = 0.0
    for sentence, size in zip(sentences, sizes, strict=True):
        if paragraphs[-1] and done + size / 2 > total * len(paragraphs) / wanted:
            paragraphs.append([])
        paragraphs[-1].append(sentence)
        done += size
    return [" ".join(paragraph) for paragraph in paragraphs]
