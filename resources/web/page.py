"""An HTML page as an article."""

import re

from lxml import etree, html  # pyright: ignore[reportAttributeAccessIssue]
from lxml.html import HtmlElement

from resources.web.fetched import Fetched, FetchError
from resources.web.footnotes import Footnotes
from resources.web.main_text import letters, main_text
from resources.web.markdown import RESERVED, prepared, written
from resources.web.no_article import what_it_is
from resources.web.page_head import page_head

_FORBIDDEN = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff{RESERVED}]")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


_MOST_ELEMENTS = 50_000
_MOST_TEXT = 2_000_000


def read_page(text: str, *, name: str, url: str | None) -> Fetched:
    """The article on a page; links and images are made whole against the page's address.

    Raises:
        FetchError: the page is no article; the sentence says what it is.
    """
    page = _parsed(text, name)
    _refuse_more_than_an_article(page, name)
    head = page_head(page, name=name, url=url)
    scripts = len(page.xpath("//script[not(@type='application/ld+json')]"))
    _strip(page)
    main = main_text(page)
    if what := what_it_is(page, main, head=head, scripts=scripts):
        raise FetchError(f"{name}: {what}", retryable=False)
    assert main is not None
    notes = Footnotes(page, address=url or "")
    notes.take_out(main.element)
    main.prune()
    _drop_title(main.element, head.title)
    markdown = written(prepared(main.element, base=head.base))
    footnotes = notes.written(lambda note: written(prepared(note, base=head.base)))
    if not markdown:
        raise _too_deep(name)
    return Fetched(
        title=head.title,
        author=head.author,
        date=head.date,
        url=name,
        canonical_url=head.canonical_url,
        markdown=f"{markdown}\n{footnotes}\n" if footnotes else markdown,
        language=head.language,
    )


def _parsed(text: str, name: str) -> HtmlElement:
    data = _FORBIDDEN.sub("", text).encode()
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        page = html.document_fromstring(data, parser=parser)
    except etree.ParserError as error:  # nothing but white space and comments
        raise FetchError(f"{name}: is empty; check where it comes from", retryable=False) from error
    if any(fault.type_name == "ERR_RESOURCE_LIMIT" for fault in parser.error_log):
        raise _too_deep(name)
    return page


def _too_deep(name: str) -> FetchError:
    return FetchError(
        f"{name}: its text is nested too deeply to be read; save the article alone",
        retryable=False,
    )


def _refuse_more_than_an_article(page: HtmlElement, name: str) -> None:
    """What follows takes longer than in proportion: seconds at these sizes, minutes at ten times."""
    elements = characters = 0
    for element in page.iter():
        elements += 1
        within = "" if element.tag in ("script", "style", "template") else element.text
        characters += len(within or "") + len(element.tail or "")
    if elements > _MOST_ELEMENTS or characters > _MOST_TEXT:
        raise FetchError(
            f"{name}: is far larger than an article ({elements:,} elements, {characters:,} "
            "characters of text); save the article alone and give the file",
            retryable=False,
        )


def _strip(page: HtmlElement) -> None:
    """Take out what no reader sees, so that it cannot get into the article."""
    for element in list(page.iter("script", "style", "template", "link", "meta")):
        if element.getparent() is not None:
            element.drop_tree()
    for element in list(page.iter()):
        gone = (
            element.get("hidden") is not None
            or element.get("aria-hidden") == "true"
            or _HIDDEN.search(element.get("style") or "")
        )
        if gone and element.tag not in ("html", "body") and element.getparent() is not None:
            element.drop_tree()


def _drop_title(main: HtmlElement, title: str) -> None:
    """The heading that repeats the title: it stands in the head."""
    first = next(main.iter("h1"), None)
    if first is None or first is main:
        return
    says = letters("".join(map(str, first.itertext())))
    known = letters(title)
    if says and (says == known or says.startswith(known) or known.startswith(says)):
        first.drop_tree()
