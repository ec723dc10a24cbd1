"""Where on a page the article is.

trafilatura decides which text belongs to it. Its own Markdown loses block quotes, captions, code
languages, paragraphs in lists and blank lines in code, so the text it chose is found again on the
page, and the page's own elements are kept.
"""

import copy
import logging
import re
from collections import Counter
from dataclasses import dataclass

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]
from lxml.html import HtmlElement
from trafilatura import bare_extraction

INLINE = frozenset((
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "label", "mark", "math", "q", "rb", "rp", "rt", "ruby", "s",
    "samp", "small", "span", "strike", "strong", "sub", "sup", "svg", "time", "tt", "u", "var", "wbr",
))  # fmt: skip
"""Elements that stand in a line of text and do not end it."""

_STRUCTURE = frozenset(("blockquote", "dl", "figure", "hr", "img", "picture", "pre", "table"))
_AROUND = frozenset((
    "aside", "button", "fieldset", "footer", "form", "header", "iframe", "input", "nav", "select",
))  # fmt: skip
_AROUND_ROLES = frozenset(("navigation", "complementary", "search", "banner", "contentinfo"))
_AROUND_NAMES = re.compile(
    r"(^|[-_\s])(ad|ads|advert\w*|author-?bio|banner|breadcrumbs?|comments?|cookies?|consent|"
    r"disqus|meta|newsletter|pagination|pager|popup|promo\w*|recommend\w*|related\w*|share\w*|"
    r"sharing|sidebar|social|sponsor\w*|subscri\w*|tags?|toc|toolbar|widget)([-_\s]|$)",
    re.IGNORECASE,
)
_SURE = 25
"""Letters from which on a text is found within longer text; shorter ones must be a line there."""


@dataclass(frozen=True, slots=True)
class MainText:
    """The element that holds the article, with the elements that belong to it."""

    element: HtmlElement
    blocks: tuple[HtmlElement, ...]
    live: frozenset[HtmlElement]

    @property
    def text(self) -> str:
        """What was found to be the article's, a line for each block."""
        return "\n".join(_words(block, self.live) for block in self.blocks)

    @property
    def largest_share(self) -> float:
        """How much of the text stands side by side: near 1 in an article, little in cards."""
        sums: Counter[HtmlElement | None] = Counter()
        for block in self.blocks:
            sums[block.getparent()] += len(_words(block, self.live))
        return max(sums.values()) / (sums.total() or 1)

    def prune(self) -> None:
        """Take out of the element what stands around the article."""
        within = self._span()
        for element in list(self.element.iter()):
            parent = element.getparent()
            top = element not in self.live and parent in self.live and element is not self.element
            if top and element.tag not in INLINE - {"img"} and not self._belongs(element, within):
                element.drop_tree()

    def _span(self) -> frozenset[HtmlElement]:
        every = list(self.element.iter())
        places = [place for place, element in enumerate(every) if element in self.live]
        return frozenset(every[: places[-1] + 1]) if places else frozenset()

    def _belongs(self, element: HtmlElement, within: frozenset[HtmlElement]) -> bool:
        if _stands_around(element):
            return False
        beside = _beside(element)
        near = sum(other in self.live for other in beside)
        if element not in within and not near:
            return False
        if _link_share(element) > 0.5:
            return False
        return near == 2 or _is_structure(element)


def main_text(page: HtmlElement) -> MainText | None:
    """The article of a page, or None where trafilatura finds none."""
    for chatty in ("trafilatura", "htmldate"):  # they tell the log of every page that is no article
        logging.getLogger(chatty).setLevel(logging.CRITICAL)
    found = bare_extraction(
        copy.deepcopy(page), include_comments=False, include_tables=True, with_metadata=False
    )
    text, body = getattr(found, "body", None), page.find("body")
    if text is None or body is None:
        return None
    chosen = _Chosen(text)
    blocks = [block for block, parts in _texts(body) if chosen.has_most(parts)]
    if not blocks:
        return None
    live = dict.fromkeys(blocks)
    for block in blocks:
        for above in block.iterancestors():
            live[above] = None
    below_title = [block for block in blocks if block.tag != "h1"]
    return MainText(_common(below_title or blocks), tuple(blocks), frozenset(live))


def letters(text: str) -> str:
    """The letters and digits alone, small: what two renderings of one text share."""
    return re.sub(r"[\W_]+", "", text).lower()


class _Chosen:
    """The text that trafilatura chose, to be asked in the order of the page."""

    def __init__(self, body: etree._Element) -> None:
        self._lines = {letters("".join(map(str, line.itertext()))) for line in body.iter()} - {""}
        self._whole = letters("".join(map(str, body.itertext())))
        self._at = 0

    def has_most(self, parts: list[str]) -> bool:
        """Whether the text that the parts make is there, or half of it in sure pieces."""
        text = "".join(parts)
        if self._has(text):
            return True
        found = sum(len(part) for part in parts if len(part) >= _SURE and self._has(part))
        return found * 2 > len(text)

    def _has(self, text: str) -> bool:
        if len(text) < _SURE:
            return text in self._lines
        at = self._whole.find(text, self._at)
        if at < 0:
            return text in self._lines or text in self._whole
        self._at = at
        return True


def _texts(body: HtmlElement) -> list[tuple[HtmlElement, list[str]]]:
    """Each block with the letters that stand in it and in no block within it, piece by piece."""
    block_of: dict[HtmlElement | None, HtmlElement] = {}
    chunks: dict[HtmlElement, list[str]] = {}
    for event, element in etree.iterwalk(body, events=("start", "end")):
        parent = element.getparent()
        if event == "start":
            in_line = element is not body and element.tag in INLINE
            block_of[element] = block_of[parent] if in_line else element
            chunks.setdefault(block_of[element], []).append(letters(element.text or ""))
        elif element is not body:
            chunks[block_of[parent]].append(letters(element.tail or ""))
    return [(block, parts) for block, parts in chunks.items() if any(parts)]


def _words(block: HtmlElement, live: frozenset[HtmlElement]) -> str:
    """The block's text without that of blocks within it."""
    parts = [block.text or ""]
    for child in block:
        if child.tag in INLINE and child not in live:
            parts += map(str, child.itertext())
        parts.append(child.tail or "")
    return " ".join("".join(parts).split())


def _common(blocks: list[HtmlElement]) -> HtmlElement:
    first, *others = blocks
    line = [first, *first.iterancestors()]
    for block in others:
        above = {block, *block.iterancestors()}
        line = [element for element in line if element in above]
    return line[0]


def _stands_around(element: HtmlElement) -> bool:
    if element.tag in _AROUND or element.get("role") in _AROUND_ROLES:
        return True
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    return element.tag not in ("pre", "table") and bool(_AROUND_NAMES.search(names))


def _is_structure(element: HtmlElement) -> bool:
    """Whether it is a figure, a table and the like, or holds little beside one."""
    if element.tag in _STRUCTURE:
        return True
    whole = len(letters("".join(map(str, element.itertext()))))
    inner = [
        e for e in element.iter(*_STRUCTURE) if next(e.iterancestors(*_STRUCTURE), None) is None
    ]
    return bool(inner) and whole - sum(len(letters(e.text_content())) for e in inner) < _SURE


def _beside(element: HtmlElement) -> list[HtmlElement]:
    before = next(element.itersiblings(preceding=True), None)
    after = next(element.itersiblings(), None)
    return [other for other in (before, after) if other is not None]


def _link_share(element: HtmlElement) -> float:
    whole = len(letters("".join(map(str, element.itertext()))))
    linked = sum(len(letters("".join(map(str, a.itertext())))) for a in element.iter("a"))
    return linked / whole if whole else 0.0
