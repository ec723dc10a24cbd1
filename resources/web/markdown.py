"""An element of a page as Markdown."""

import re
from collections.abc import Iterator
from urllib.parse import urljoin

from html_to_markdown import ConversionOptions, PreprocessingOptions, convert
from lxml import html
from lxml.html import HtmlElement

from resources.web.main_text import INLINE, letters

_ESCAPE = "\ue006"
_RAW = {
    "\ue000": "<sup>",
    "\ue001": "</sup>",
    "\ue002": "<sub>",
    "\ue003": "</sub>",
    _ESCAPE: "\\",
}
_GAP = "\ue007"
RESERVED = "".join(_RAW) + "\ue004\ue005" + _GAP
"""Characters that stand for markup while a page is converted; take them out of it first."""

_OPTIONS = ConversionOptions(
    bullets="-",
    autolinks=False,
    br_in_tables=True,
    compact_tables=True,
    expand_abbreviations=False,
    include_blockquote_citations=False,
    highlight_style="none",
    extract_metadata=False,
    keep_inline_images_in=["a", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th"],
    preprocessing=PreprocessingOptions(enabled=False),
)
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|sourceCode\s+|brush:\s*)([\w+#.-]+)"
)
_ANCHORS = frozenset(("", "#", "¶", "§", "🔗", "link", "permalink"))
_PERMALINK = re.compile(r"anchor|headerlink|permalink|header-link|hash-link", re.IGNORECASE)
_LINE_NUMBERS = re.compile(
    r"(^|[-_\s])(gutter|line-?numbers?|line-?nos?|lineno\w*)([-_\s]|$)", re.I
)
_NOT_TEXT = ("button", "iframe", "input", "object", "select", "svg", "textarea", "video")
_SOURCES = ("src", "data-src", "data-original", "data-lazy-src", "data-url")


def prepared(element: HtmlElement, *, base: str | None) -> HtmlElement:
    """The element in the form that `written` reads, changed in place: addresses whole, no frills."""
    _drop_what_is_no_text(element)
    _formulas(element)
    _code(element)
    for link in list(element.iter("a")):
        _link(link, base)
    for image in list(element.iter("img")):
        _image(image, base)
    for term in element.iter("dt"):
        _wrap(term, "strong")
    _part_quotes(element)
    _raised(element)
    _escape_all(element)
    return element


def written(element: HtmlElement) -> str:
    """The element's content in Markdown (CommonMark, tables and strikethrough of GitHub's)."""
    element.tail = None
    source = str(html.tostring(element, encoding="unicode"))
    text = convert(source, _OPTIONS).content or ""
    for mark, raw in _RAW.items():
        text = text.replace(mark, raw)
    text = re.sub("\ue004(\\d+)\ue005", r"[^\1]", text)
    text = re.sub(f"(?m)^[> ]*{_GAP}\n([> ]*>\n)?", "", text)
    return text.strip("\n") + "\n" if text.strip() else ""


def _drop_what_is_no_text(element: HtmlElement) -> None:
    for frill in list(element.iter(*_NOT_TEXT)):
        tick = frill.tag == "input" and frill.get("type") == "checkbox"
        if not tick and frill is not element and frill.getparent() is not None:
            frill.drop_tree()
    for other in element.iter("noscript"):  # some blogs keep the whole article in one
        other.tag = "div" if letters(other.text_content()) else "span"


def _formulas(element: HtmlElement) -> None:
    """TeX as code, where a page carries it: nobody translates it, nothing is lost."""
    for source in element.xpath(".//annotation[@encoding='application/x-tex']"):
        for above in source.iterancestors():
            named = (above.get("class") or "").split()
            if "katex" in named or "mwe-math-element" in named:
                outer = above
                break
        else:
            outer = next(source.iterancestors("math"), None)
        if outer is not None and outer.getparent() is not None:
            code = html.Element("code")
            code.text = " ".join((source.text or "").split())
            code.tail, outer.tail = outer.tail, None
            outer.getparent().replace(outer, code)


def _code(element: HtmlElement) -> None:
    for numbers in [e for e in element.iter("td", "span", "div", "pre") if _is_line_number(e)]:
        if numbers.getparent() is not None:
            numbers.drop_tree()
    for table in list(element.iter("table")):
        blocks = list(table.iter("pre"))
        if len(blocks) == len(list(table.iter("td"))) == 1 and table.getparent() is not None:
            blocks[0].tail, table.tail = table.tail, None
            table.getparent().replace(table, blocks[0])
    for block in element.iter("pre"):
        _code_block(block)


def _code_block(block: HtmlElement) -> None:
    language = _language(block)
    code = next(block.iter("code"), None)
    if code is None:
        _wrap(block, "code")
        code = block[0]
    for key in ("class", "lang"):
        code.attrib.pop(key, None)
        block.attrib.pop(key, None)
    if language:
        code.set("class", f"language-{language}")


def _is_line_number(element: HtmlElement) -> bool:
    return bool(_LINE_NUMBERS.search(element.get("class") or "")) and not re.search(
        r"[^\W\d]", "".join(map(str, element.itertext()))
    )


def _language(block: HtmlElement) -> str | None:
    near = [*block.iter("code"), block, *list(block.iterancestors())[:3]]
    for element in near:
        named = element.get("data-lang") or element.get("data-language")
        found = _LANGUAGE.search(element.get("class") or "")
        if named or found:
            return (named or (found[1] if found else "")).lower()
    return None


def _link(link: HtmlElement, base: str | None) -> None:
    says = "".join(map(str, link.itertext())).strip().lower()
    in_heading = any(above.tag in _HEADINGS for above in list(link.iterancestors())[:2])
    named = _PERMALINK.search(link.get("class") or "")
    if not link.xpath(".//img") and says in _ANCHORS and (in_heading or named or not says):
        link.drop_tree()
        return
    address = _whole(link.get("href"), base)
    if address is None or (in_heading and address.startswith("#")):
        link.drop_tag()
    else:
        link.set("href", address)


_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


def _image(image: HtmlElement, base: str | None) -> None:
    candidates = [image.get(key) for key in _SOURCES]
    candidates += [(image.get("srcset") or image.get("data-srcset") or "").split(" ")[0]]
    address = next((whole for c in candidates if (whole := _whole(c, base))), None)
    if (
        address is None
        or address.startswith("#")
        or {image.get("width"), image.get("height")} & {"0", "1"}
    ):
        image.drop_tree()
        return
    kept = {key: " ".join(image.get(key, "").split()) for key in ("alt", "title")}
    for key in list(image.attrib):
        del image.attrib[key]
    image.attrib.update({"src": address} | {key: text for key, text in kept.items() if text})


def _whole(address: str | None, base: str | None) -> str | None:
    """The address on its own, or None where a reader could not go there."""
    address = (address or "").strip()
    if not address:
        return None
    if address.startswith("#"):
        return address
    try:
        whole = urljoin(base or "", address)
    except ValueError:
        return None
    scheme = re.match(r"([a-z][a-z0-9+.-]*):", whole, re.IGNORECASE)
    return whole if not scheme or scheme[1].lower() in ("http", "https", "mailto", "tel") else None


def _part_quotes(element: HtmlElement) -> None:
    """Keep a quote from running into the quote or the text above it."""
    for quote in list(element.iter("blockquote")):
        if quote is not element:
            gap = html.Element("p")
            gap.text = _GAP
            quote.addprevious(gap)


def _raised(element: HtmlElement) -> None:
    for tag, opening, closing in (("sup", "\ue000", "\ue001"), ("sub", "\ue002", "\ue003")):
        for raised in list(element.iter(tag)):
            in_code = next(raised.iterancestors("pre", "code"), None) is not None
            if not in_code and "".join(map(str, raised.itertext())).strip():
                raised.text = opening + (raised.text or "")
                raised.tail = closing + (raised.tail or "")
            raised.drop_tag()


def _escape_all(element: HtmlElement) -> None:
    """Mark what Markdown would read as markup, and make every run of white space one space."""
    for part in element.iter():
        if next(_verbatim(part), None) is None:
            follows = part[0] if len(part) else None
            part.text = _escaped(part.text, follows=follows, in_line=False)
        if part is not element and next(_verbatim(part.getparent()), None) is None:
            in_line = part.tag in INLINE and bool("".join(map(str, part.itertext())).strip())
            part.tail = _escaped(part.tail, follows=part.getnext(), in_line=in_line)


def _verbatim(part: HtmlElement) -> Iterator[HtmlElement]:
    return (above for above in (part, *part.iterancestors()) if above.tag in _CODE)


_CODE = frozenset(("code", "kbd", "pre", "samp", "tt"))
_MARKUP = re.compile(
    r"[\\`\[\]<]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])|\*(?! )|(?<! )\*|~(?![\s\d])|(?<=\S)~"
)
_AT_LINE_START = re.compile(
    r"(\s*)(#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|[-=+*]{2,}|\d{1,9}(?=[.)](\s|$)))"
)


def _escaped(text: str | None, *, follows: HtmlElement | None, in_line: bool) -> str | None:
    """The text with marks; `in_line` where text of the same line stands before it."""
    if not text:
        return text
    plain = re.sub(r"[ \t\r\n\f]+", " ", text)
    marked = _MARKUP.sub(lambda found: _ESCAPE + found[0], plain)
    if not in_line and (start := _AT_LINE_START.match(plain)):
        marked = _start_escaped(marked, start)
    if marked.endswith("!") and follows is not None and follows.tag in ("a", "img"):
        return marked[:-1] + _ESCAPE + "!"
    return marked


def _start_escaped(marked: str, start: re.Match[str]) -> str:
    white, sign = start[1], start[2]
    rest = marked.removeprefix(white)
    if sign.isdigit():
        return white + sign + _ESCAPE + rest.removeprefix(sign)
    return marked if rest.startswith(_ESCAPE) else white + _ESCAPE + rest


def _wrap(element: HtmlElement, tag: str) -> None:
    inner = html.Element(tag)
    inner.text, element.text = element.text, None
    inner.extend(list(element))
    element.append(inner)
