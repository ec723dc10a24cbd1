"""Short ways to look at an article taken apart."""

import re

from assets.translation.structure.article import Article, Segment
from assets.translation.structure.rendering import render
from assets.translation.structure.segmentation import segment

_LETTER = re.compile(r"⟦\d+⟧|&\w+;|[A-Za-z]")
_UKRAINIAN = dict(zip("abcdefghijklmnopqrstuvwxyz", "абцдефґгіжклмнопщрстувшїиз", strict=True))


def only(markdown: str) -> Segment:
    """The one segment of a text."""
    (found,) = segment(markdown).segments
    return found


def texts(markdown: str) -> list[str]:
    """What a translator sees, in order."""
    return [found.text for found in segment(markdown).segments]


def lettered(text: str) -> str:
    """The text in Ukrainian letters, one for one; marks and entities stay."""
    return _LETTER.sub(lambda found: _letter(found[0]), text)


def in_letters(markdown: str) -> str:
    """The whole article so."""
    return rendered(segment(markdown))


def rendered(article: Article) -> str:
    """An article with all its segments in Ukrainian letters."""
    return render(article, {found.id: lettered(found.text) for found in article.segments})


def kept(article: Article) -> str:
    """An article with each segment's own text."""
    return render(article, {found.id: found.text for found in article.segments})


def _letter(found: str) -> str:
    letter = _UKRAINIAN.get(found.lower(), found)
    return letter.upper() if found.isupper() else letter
