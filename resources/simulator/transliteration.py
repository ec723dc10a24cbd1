"""English words in Ukrainian letters: readable nonsense that a check for language accepts."""

import re
import unicodedata

_RUNS = re.compile(r"⟦\s*\d+\s*⟧|&#?\w+;|[^\W\d_]+")
_GROUPS = {
    "tion": "шн",
    "ough": "оф",
    "sch": "ш",
    "tch": "ч",
    "sh": "ш",
    "ch": "ч",
    "th": "т",
    "ph": "ф",
    "gh": "г",
    "wh": "в",
    "kh": "х",
    "zh": "ж",
    "ts": "ц",
    "ck": "к",
    "qu": "кв",
    "oo": "у",
    "ee": "і",
    "ea": "і",
    "ou": "ау",
    "ya": "я",
    "yu": "ю",
    "ye": "є",
    "yi": "ї",
    "ce": "се",
    "ci": "сі",
    "cy": "сі",
}
_SINGLE = {
    **{"a": "а", "b": "б", "c": "к", "d": "д", "e": "е", "f": "ф", "g": "г", "h": "г", "i": "і"},
    **{"j": "дж", "k": "к", "l": "л", "m": "м", "n": "н", "o": "о", "p": "п", "q": "к", "r": "р"},
    **{"s": "с", "t": "т", "u": "у", "v": "в", "w": "в", "x": "кс", "y": "и", "z": "з"},
}
_LONGEST = max(map(len, _GROUPS))


def transliterated(text: str) -> str:
    """The text with its Latin words in Ukrainian letters; marks `⟦1⟧` and entities stay."""
    return _RUNS.sub(lambda found: _word(found[0]), text)


def _word(run: str) -> str:
    if run[0] in "⟦&":
        return run
    plain = "".join(_plain_letter(letter) for letter in run)
    written, position = "", 0
    while position < len(plain):
        group, letters = _next(plain, position)
        written += _cased(letters, group, whole=plain)
        position += len(group)
    return written


def _next(word: str, position: int) -> tuple[str, str]:
    for size in range(min(_LONGEST, len(word) - position), 1, -1):
        group = word[position : position + size]
        if group.lower() in _GROUPS:
            return group, _GROUPS[group.lower()]
    letter = word[position]
    if letter.lower() == "y" and position == 0:
        return letter, "й"
    return letter, _SINGLE.get(letter.lower(), letter)


def _cased(letters: str, group: str, *, whole: str) -> str:
    if not group[0].isupper():
        return letters
    return letters.upper() if whole.isupper() and len(whole) > 1 else letters.capitalize()


def _plain_letter(letter: str) -> str:
    """A Latin letter without its accent; letters of other scripts as they are."""
    name = unicodedata.name(letter, "")
    if letter.isascii() or not name.startswith("LATIN"):
        return letter
    base = unicodedata.normalize("NFKD", letter)[0]
    if not base.isascii():
        base = next((part[0] for part in name.split()[3:] if part.isalpha()), "e")
    return base.upper() if letter.isupper() else base.lower()
