"""What a page is that is no article."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement

from resources.web.main_text import MainText, letters
from resources.web.page_head import PageHead

LEAST = 80
"""Letters; with fewer there is no article."""

_SAVE = "open it in a browser, save the page and give the file"
_SHORT = 1_800
"""Characters; a notice in the place of an article is hardly longer."""
_PARAGRAPH = 400
"""Characters; among the paragraphs of an article one is longer, a teaser is shorter."""
_NOTHING = 300
"""Characters that a page may show of itself beside a form for logging in."""
_STUB = 4_000
"""Characters that a page shows before it asks for a login or a payment."""

_CHALLENGE = re.compile(
    r"just a moment|checking (if|your browser)|verify(ing)? (that )?you are (a )?human|"
    r"are you a (human|robot)|complete the captcha|unusual traffic|attention required|"
    r"enable javascript and cookies to continue",
    re.IGNORECASE,
)
_CONSENT = re.compile(
    r"cookies?\b|consent|personal data|privacy (policy|settings|choices)|legitimate interest|"
    r"our (\d+ )?partners|\bvendors\b|GDPR|accept all|reject all|manage (options|preferences)|"
    r"персональн|файл\w* cookie|згод[аиу]|Einwilligung|Datenschutz",
    re.IGNORECASE,
)
_AGREE = re.compile(
    r"\b(accept|agree|allow|reject|manage|consent|got it|прийняти|погоджуюсь|zustimmen)\b",
    re.IGNORECASE,
)
_GATE = re.compile(
    r"(subscribe|sign in|log in|sign up|register|create (a|an|your) (free )?account)"
    r"\s+(now\s+|today\s+)?(to|and)\s+(continue|keep|read|unlock|get|view|see|access)|"
    r"(to|and) (continue|keep) reading|already (a|have an?) (subscriber|subscription|account|member)|"
    r"(article|story|content|post) is (only |exclusively )?(for|available to|reserved for) "
    r"(paying |our |paid )?(subscribers|members)|(subscribers|members)[- ]only|"
    r"free articles? (left|remaining|this month)|you have reached your limit|"
    r"unlock (this|the full) (article|story)",
    re.IGNORECASE,
)
_SCRIPT = re.compile(
    r"(enable|requires?|needs?|turn on|without|activate) javascript|javascript (is )?(required|"
    r"disabled|to run)",
    re.IGNORECASE,
)
_MISSING = re.compile(
    r"\b404\b|page (was |is |could |can )?(not|n't|cannot) (be )?found|page (doesn't|does not) exist|"
    r"no longer (available|exists)|сторінку не знайдено",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Page:
    """What the judgements look at."""

    element: HtmlElement
    head: PageHead
    article: str
    near: str
    whole: str
    scripts: int
    teasers: int
    teasers_around: int
    linked: int
    largest_share: float

    @property
    def is_short(self) -> bool:
        return len(self.article) < _SHORT


def what_it_is(
    page: HtmlElement, main: MainText | None, *, head: PageHead, scripts: int
) -> str | None:
    """A clause that says why the page is no article and what to do; None for an article."""
    blocks = () if main is None else main.blocks
    seen = _Page(
        element=page,
        head=head,
        article="" if main is None else main.text,
        near="" if main is None else _words(_around(main.element)),
        whole=_words(page.find("body")),
        scripts=scripts,
        teasers=sum(_is_teaser(block, head.base) for block in blocks),
        teasers_around=sum(_is_teaser(heading, head.base) for heading in page.iter(*_HEADINGS)),
        linked=sum(_linked(block) for block in blocks),
        largest_share=0.0 if main is None else main.largest_share,
    )
    return next((says for is_it, says in _JUDGEMENTS if is_it(seen)), None)


def _is_empty(page: _Page) -> bool:
    return not page.whole and not page.scripts


def _is_challenge(page: _Page) -> bool:
    return page.is_short and bool(_CHALLENGE.search(f"{page.head.title} {page.whole[:3_000]}"))


def _is_consent(page: _Page) -> bool:
    text = page.article or page.whole[:_SHORT]
    sentences = [s for s in re.split(r"(?<=[.!?])\s+|\n", text) if s.strip()]
    about = sum(bool(_CONSENT.search(sentence)) for sentence in sentences)
    if not page.is_short or not sentences or about / len(sentences) < 0.4:
        return False
    buttons = page.element.xpath("//button | //a | //input[@type='submit']")
    return any(_AGREE.search(f"{_words(b)} {b.get('value') or ''}") for b in buttons)


def _is_gated(page: _Page) -> bool:
    if len(page.article) > _STUB:
        return False
    closed = not page.head.is_free
    if page.is_short and (closed or _GATE.search(page.near)):
        return True
    if closed:
        return bool(_GATE.search(page.whole))
    login = bool(page.element.xpath("//input[@type='password']"))
    return len(page.article) < _NOTHING and (login or bool(_GATE.search(page.whole)))


def _is_missing(page: _Page) -> bool:
    return len(page.article) < 600 and bool(
        _MISSING.search(f"{page.head.title}\n{page.whole[:300]}")
    )


def _is_drawn_by_script(page: _Page) -> bool:
    if len(letters(page.whole)) > 4 * LEAST or len(letters(page.article)) >= LEAST:
        return False
    return bool(_SCRIPT.search(page.whole)) or page.scripts > 0


def _is_index(page: _Page) -> bool:
    room = 300 if page.head.is_article else 700
    if page.teasers >= 4 and len(page.article) / page.teasers < room:
        return True
    share = 0.8 if page.head.is_article else 0.6
    if page.linked > share * len(letters(page.article)) > 0:
        return True
    return (
        page.teasers_around >= 4
        and page.largest_share < 0.5
        and max(map(len, page.article.splitlines()), default=0) < _PARAGRAPH
        and not page.head.is_article
    )


def _is_too_short(page: _Page) -> bool:
    return len(letters(page.article)) < LEAST


_JUDGEMENTS: tuple[tuple[Callable[[_Page], bool], str], ...] = (
    (_is_empty, "the page is empty; check the address in a browser"),
    (_is_challenge, f"asks for a proof that a person is reading, no article; {_SAVE}"),
    (_is_missing, "says that there is no such page; check the address"),
    (_is_consent, f"is a consent wall (cookies, personal data), no article; {_SAVE}"),
    (_is_gated, f"shows a login or a paywall in place of the article; {_SAVE}"),
    (_is_drawn_by_script, f"is drawn by JavaScript and holds no text itself; {_SAVE}"),
    (
        _is_index,
        "is an index page of links and teasers, no article; give the article's own address",
    ),
    (_is_too_short, "holds no article text; check the address, or give the article as a file"),
)


def _around(element: HtmlElement) -> HtmlElement:
    """The element with what stands beside it, as far as that is not the whole page."""
    parent = element.getparent()
    return element if parent is None or parent.tag in ("body", "html") else parent


def _is_teaser(block: HtmlElement, base: str | None) -> bool:
    """Whether a heading leads to another page of the same site."""
    if block.tag not in _HEADINGS:
        return False
    links = [*block.iter("a"), *block.iterancestors("a")]
    return any(_leads_on(link.get("href") or "", base) for link in links)


_HEADINGS = ("h1", "h2", "h3", "h4")


def _leads_on(address: str, base: str | None) -> bool:
    if not address or address.startswith("#"):
        return False
    try:
        there, here = (urlsplit(urljoin(base or "", address)), urlsplit(base or ""))
    except ValueError:
        return False
    same_page = (there.path, there.query) == (here.path, here.query)
    return there.netloc == here.netloc and not same_page


def _linked(block: HtmlElement) -> int:
    """Letters of the block, without blocks in it, that stand in links."""
    return sum(len(letters(_words(child))) for child in block if child.tag == "a")


def _words(element: HtmlElement | None) -> str:
    text = "" if element is None else "".join(map(str, element.itertext()))
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.splitlines())))
