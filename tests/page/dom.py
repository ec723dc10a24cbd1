"""An HTML text as its elements, enough to ask what is in a page."""

from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "link", "input", "base", "embed", "source"}
INLINE = {"a", "code", "em", "s", "span", "strong", "sup", "time"}


@dataclass
class Element:
    """One element: its attributes, and all text inside it."""

    tag: str
    attributes: dict[str, str]
    inside: tuple[str, ...]
    text: str = ""

    def get(self, name: str) -> str:
        """An attribute's value; empty where it is not there."""
        return self.attributes.get(name, "")

    @property
    def words(self) -> str:
        """The text with single spaces."""
        return " ".join(self.text.split())


@dataclass
class _Reader(HTMLParser):
    elements: list[Element] = field(default_factory=list)
    open: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        inside = tuple(element.tag for element in self.open)
        element = Element(tag, {name: value or "" for name, value in attrs}, inside)
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()
        if tag not in INLINE:
            self.handle_data(" ")

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data


@lru_cache(maxsize=8)
def elements(html: str) -> tuple[Element, ...]:
    """Every element in the order of the text; fails where tags are not closed in order."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open, f"<{reader.open[-1].tag}> is not closed"
    return tuple(reader.elements)


def named(html: str, tag: str, **attributes: str) -> list[Element]:
    """The elements of a tag whose attributes have these values; `class_` means `class`."""
    wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    return [
        element
        for element in elements(html)
        if element.tag == tag and all(element.get(name) == value for name, value in wanted.items())
    ]


def words(html: str) -> str:
    """All text of a page or a part of one, with single spaces."""
    return " ".join(element.words for element in elements(f"<div>{html}</div>")[:1])
