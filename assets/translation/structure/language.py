"""What is known of languages: script, alphabet, and the small words that give one away.

A stop-word table of our own instead of a detection library: a translator's answer is either in
the language asked for or in one of a few likely others, often a dozen words long and full of names,
and a finding must quote the words it rests on. The libraries looked at (lingua, py3langid,
langdetect) answer with a probability, want numpy or a hundred megabytes, and are weakest exactly
on short texts and on Ukrainian against Russian.
"""

from dataclasses import dataclass
from functools import cache

import regex

SCRIPTS = ("Latin", "Cyrillic", "Greek", "Hebrew", "Arabic", "Armenian", "Georgian", "Devanagari")


@dataclass(frozen=True, slots=True)
class Pair:
    """From which language into which; codes such as `en`, `uk` or `pt-BR`."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Language:
    """`letters` is the whole alphabet, lower case, or empty where any letter of the script may stand.

    `ratio` is how long a translation from English may be, in characters, against its source.
    """

    code: str
    name: str
    script: str
    letters: frozenset[str]
    words: frozenset[str]
    ratio: tuple[float, float]


def language(code: str) -> Language | None:
    """What is known of a language, whatever its region, or None."""
    return _languages().get(code.replace("_", "-").split("-")[0].lower())


def telling_words(known: Language) -> frozenset[str]:
    """Words of a language that no other one of its script here has."""
    others = (other for other in _languages().values() if other.script == known.script)
    return known.words.difference(*(other.words for other in others if other is not known))


def rivals(known: Language) -> tuple[Language, ...]:
    """The other languages of the same script."""
    languages = _languages().values()
    return tuple(other for other in languages if other.script == known.script and other != known)


@cache
def in_script(script: str) -> regex.Pattern[str]:
    """Matches one letter of the script."""
    return regex.compile(rf"\p{{Script={script}}}")


@cache
def _languages() -> dict[str, Language]:
    found = (
        Language(code, name, script, frozenset(letters), frozenset(words.split()), ratio)
        for code, name, script, letters, ratio, words in _TABLE
    )
    return {known.code: known for known in found}


_USUAL = (0.55, 1.9)
_TABLE = (
    (
        "uk",
        "Ukrainian",
        "Cyrillic",
        "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
        _USUAL,
        "і й та що це як для від або але якщо щоб його її їх вони ми ви є був було були можна"
        " також більше коли лише тільки ще вже який яка яке які цей ця ці під після через дуже бо"
        " із зі має може тому саме навіть проте тощо не на до за у в з по а він вона собі між усі",
    ),
    (
        "ru",
        "Russian",
        "Cyrillic",
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        _USUAL,
        "и что это как или если чтобы его её ее их они мы вы есть был было были можно также больше"
        " когда только ещё еще уже который которая которые этот эта эти после очень потому имеет"
        " может для от где даже нет быть с из не на до за у в по а она все между под",
    ),
    (
        "be",
        "Belarusian",
        "Cyrillic",
        "абвгдеёжзійклмнопрстуўфхцчшыьэюя",
        _USUAL,
        "і гэта што каб але ён яна яны ёсць быў калі толькі вельмі якія які пасля можа альбо ад"
        " таксама бо яго яе іх мы вы не на да за у з па а ўжо яшчэ гэты гэтая",
    ),
    (
        "bg",
        "Bulgarian",
        "Cyrillic",
        "абвгдежзийклмнопрстуфхцчшщъьюя",
        _USUAL,
        "и че да това който която които като са ще се от но или ако как най този тази тези може"
        " само също след между беше бяха на не за до по в с а към",
    ),
    (
        "en",
        "English",
        "Latin",
        "",
        _USUAL,
        "the and of to in is that it for was with as are on be this have from or by not but you"
        " your we they at an which their has had will can if there what when who how would about"
        " into than them then these its our were been more do does so no a i he she his her my",
    ),
    (
        "de",
        "German",
        "Latin",
        "",
        _USUAL,
        "der die das und ist nicht ein eine zu mit von den dem des auf für im sich als auch es an"
        " werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über so zum wenn"
        " oder aber wir ich kann durch nur",
    ),
    (
        "fr",
        "French",
        "Latin",
        "",
        _USUAL,
        "le la les de des et est un une du que qui dans en pour pas sur par au plus ce avec sont il"
        " elle ne se nous vous ou mais être son sa ses cette ces aux comme leur",
    ),
    (
        "es",
        "Spanish",
        "Latin",
        "",
        _USUAL,
        "el la los las de del y es un una que en por para con no se su al lo como más pero sus o"
        " este esta son ha sin sobre también hay cuando muy ya entre está",
    ),
    (
        "it",
        "Italian",
        "Latin",
        "",
        _USUAL,
        "il lo la gli le di del della e è un una che in per con non si su al da come più ma i sono"
        " questo questa anche o dei nel alla ha essere delle",
    ),
    (
        "pt",
        "Portuguese",
        "Latin",
        "",
        _USUAL,
        "o os as de do da e é um uma que em por para com não se seu ao no na como mais mas dos das"
        " ou este esta são também ele ela muito já entre sua pelo pela",
    ),
    (
        "pl",
        "Polish",
        "Latin",
        "",
        _USUAL,
        "i w na z że się nie do jest to o jak za od po ale przez co dla są czy oraz tym który która"
        " które był była być może tylko już lub jego jej ich tego",
    ),
    (
        "cs",
        "Czech",
        "Latin",
        "",
        _USUAL,
        "a v na je se že s z do to i o k pro jsou by ale jako za od po který která které jeho jejich"
        " byl byla být může nebo jen také už při než",
    ),
    (
        "nl",
        "Dutch",
        "Latin",
        "",
        _USUAL,
        "de het een en van is dat in op te voor met zijn niet aan er om ook als bij maar of uit"
        " worden naar heeft deze dit wordt over door kan nog",
    ),
    ("el", "Greek", "Greek", "", _USUAL, ""),
    ("he", "Hebrew", "Hebrew", "", (0.4, 1.6), ""),
    ("ar", "Arabic", "Arabic", "", (0.4, 1.7), ""),
    ("hy", "Armenian", "Armenian", "", _USUAL, ""),
    ("ka", "Georgian", "Georgian", "", _USUAL, ""),
    ("hi", "Hindi", "Devanagari", "", _USUAL, ""),
    ("zh", "Chinese", "Han", "", (0.12, 0.9), ""),
    ("ja", "Japanese", "Han", "", (0.15, 1.2), ""),
    ("ko", "Korean", "Hangul", "", (0.2, 1.2), ""),
)
