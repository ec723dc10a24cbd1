"""Numbers of a text, however a language writes them."""

import re

_SEPARATOR = re.compile("(?<=\\d)[ \u00a0\u202f.,'\u2019](?=\\d)")
_NUMBER = re.compile(r"\d+")
# Many a language numbers its centuries so, and keyboards have made the letters Cyrillic.
_ROMAN = re.compile(r"\b[IVXLC]{1,7}\b")
_FROM_CYRILLIC = str.maketrans("ІХСУ", "IXCV")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_CLOCK = re.compile(r"\b\d{1,2}(?:[:.]\d{2})?\s?(?:[ap]\.?m\b\.?)", re.I)


def lost_numbers(source: str, translated: str) -> list[str]:
    """Numbers of the source, as digits, that the translation has nowhere.

    Separators do not count (1,000 and 1 000 and 1000 are one number), nor do times on a twelve-hour
    clock, nor single digits, which many a language writes as words. A Roman numeral is a number.
    """
    wanted = _numbers(_CLOCK.sub("", source))
    found = "".join(f" {number} " for number in [*_numbers(translated), *_roman(translated)])
    return [n for n in dict.fromkeys(wanted) if len(n) > 1 and n not in found]


def changed_digits(source: str, translated: str) -> list[str]:
    """Single digits of the source of which the translation has another one instead."""
    wanted, found = _digits(source), _digits(translated)
    return sorted(wanted - found) if found - wanted - set("".join(_numbers(source))) else []


def _numbers(text: str) -> list[str]:
    return _NUMBER.findall(_SEPARATOR.sub("", text))


def _roman(text: str) -> list[str]:
    found = _ROMAN.findall(text.translate(_FROM_CYRILLIC))
    return [str(_roman_value(numeral)) for numeral in found]


def _roman_value(numeral: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in numeral]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in pairs)


def _digits(text: str) -> set[str]:
    return {number for number in _numbers(text) if len(number) == 1}
