"""Footnotes of a page as footnotes of Markdown."""

import re
from collections.abc import Callable
from urllib.parse import unquote, urldefrag

from lxml.html import HtmlElement

OPEN, CLOSE = "\ue004", "\ue005"
"""They stand for `[^` and `]` while the page is converted; no text of a page holds them."""

_MARK = re.compile(r"[\[(]?(\d{1,3}|[a-z]|[ivxlc]{1,5}|[*†‡§¶]{1,3})[\])]?", re.IGNORECASE)
_NAMED = re.compile(r"footnote|noteref|fnref|doc-noteref", re.IGNORECASE)
_BLOCKS = frozenset(("li", "p", "div", "aside", "dd", "tr"))
_NO_NOTES = frozenset(
    ("h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "main", "body", "html", "table")
)
_LEADING = re.compile(r"^\s*([*_]*\^[*_]*\s*|\\?[\[(]?\d{1,3}\\?[\]).:]\s*)+")


class Footnotes:
    """The notes of one page, taken out of it; each stands where it was first referred to."""

    def __init__(self, page: HtmlElement, *, address: str) -> None:
        self._address = urldefrag(address)[0]
        self._named = _by_name(page)
        self._notes: dict[HtmlElement, int] = {}
        self._place = {element: at for at, element in enumerate(page.iter())}

    def take_out(self, main: HtmlElement) -> None:
        """Put a mark in the place of each reference, and lift the notes off the page."""
        for link in [link for link in main.iter("a") if link.get("href")]:
            note = self._note(link)
            if note is not None and not self._is_in_note(link):
                number = self._notes.setdefault(note, len(self._notes) + 1)
                _replace(_outermost(link), f"{OPEN}{number}{CLOSE}")
        for note in self._notes:
            self._drop_back_links(note)
        for note in self._notes:
            _lift(note)

    def written(self, convert: Callable[[HtmlElement], str]) -> str:
        """The notes in Markdown, each `[^1]: text`, in order."""
        notes = []
        for note, number in self._notes.items():
            note.tag = "div"
            text = _LEADING.sub("", convert(note).strip())
            notes.append(f"[^{number}]: " + text.replace("\n", "\n    "))
        return "\n".join(re.sub(r"(?m)^ +$", "", note) for note in notes)

    def _note(self, link: HtmlElement) -> HtmlElement | None:
        target = self._target(link)
        if target is None or not _is_mark(link):
            return None
        block = target
        while block is not None and block.tag not in _BLOCKS:
            if block.tag in _NO_NOTES:
                return None
            block = block.getparent()
        if block is None or self._place[block] < self._place[link]:
            return None
        return None if link in set(block.iter("a")) else block

    def _target(self, link: HtmlElement) -> HtmlElement | None:
        page, _, name = link.get("href", "").partition("#")
        if not name or (page and page != self._address):
            return None
        return self._named.get(unquote(name))

    def _is_in_note(self, link: HtmlElement) -> bool:
        return any(above in self._notes for above in link.iterancestors())

    def _drop_back_links(self, note: HtmlElement) -> None:
        for link in list(note.iter("a")):
            target = self._target(link)
            back = "backref" in f"{link.get('class')} {link.get('role')}".replace("link", "ref")
            name = link.get("href", "").partition("#")[2]
            gone = target is None and name and re.search(r"ref|back|src", name, re.IGNORECASE)
            if back or gone or (target is not None and self._place[target] < self._place[note]):
                _replace(_outermost(link), "")


def _by_name(page: HtmlElement) -> dict[str, HtmlElement]:
    named: dict[str, HtmlElement] = {}
    for element in page.iter():
        name = element.get("id") or (element.get("name") if element.tag == "a" else None)
        if name:
            named.setdefault(name, element)
    return named


def _is_mark(link: HtmlElement) -> bool:
    says = "".join(map(str, link.itertext())).strip()
    named = " ".join(link.get(key) or "" for key in ("class", "role", "rel", "epub:type"))
    return bool(_MARK.fullmatch(says) or (len(says) <= 12 and _NAMED.search(named)))


def _outermost(link: HtmlElement) -> HtmlElement:
    """The link, or what surrounds it and nothing else."""
    element = link
    while (parent := element.getparent()) is not None and parent.tag in (
        "sup",
        "b",
        "span",
        "cite",
    ):
        if len(parent) > 1 or (parent.text or "").strip(" [(") or (element.tail or "").strip(" ])"):
            break
        element = parent
    return element


def _replace(element: HtmlElement, text: str) -> None:
    element.tail = text + (element.tail or "")
    element.drop_tree()


def _lift(note: HtmlElement) -> None:
    """Off the page, with what then stands empty around it."""
    above = note.getparent()
    note.drop_tree()
    while above is not None and above.tag not in ("body", "article", "main") and _is_empty(above):
        empty, above = above, above.getparent()
        before = empty.getprevious()
        if above is None:
            break
        empty.drop_tree()
        if before is not None and before.tag in ("hr", "h2", "h3", "h4") and above[-1] is before:
            before.drop_tree()


def _is_empty(element: HtmlElement) -> bool:
    return not "".join(map(str, element.itertext())).strip() and not element.xpath(".//img")
