"""What code can see wrong with an article's text, in sentences that a repair request can quote."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from assets.content.article import paragraphs
from orch_dagster.core.brief import Brief

LENGTH_TOLERANCE = 0.4
"""How far an article may be from the length its brief asks for."""

_SPECIAL = re.compile(r"[\\`*_\[\]<^]|&(?=#?\w+;)|#(?=\s*\Z)")
_MARK = re.compile(r"\[\^([^\]\s]+)\]")
_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]]+")
_LEFTOVER = re.compile(
    r"\{\{|\}\}|\{%|%\}"
    r"|\bTODO\b|\bTBD\b|\bFIXME\b"
    r"|\[\s*(?i:insert|your|add|name of|company|brand|link)\b[^\]]*\](?!\()"
    r"|(?i:lorem ipsum)"
    r"|\[p\d+\]"
    r"|</?(?:brief|field)\b[^>]*>"
)
_PREAMBLE = re.compile(
    r"(?:sure|certainly|of course|absolutely)(?:!|[,.:]\s+(?:here|below|i\b|let me))"
    r"|as an ai\b"
    r"|(?:here is|here's|here are|below is)\b[^.:\n]{0,80}"
    r"\b(?:article|section|draft|paragraph|lede|intro|introduction|version|rewrite|revision)"
    r"(?:[.:]|[^.:\n]{0,60}:)",
    re.IGNORECASE,
)
_FORBIDDEN = {
    "heading_open": "a heading",
    "fence": "a code fence",
    "code_block": "an indented block of code",
    "html_block": "HTML",
    "html_inline": "HTML",
    "blockquote_open": "a block quotation",
    "hr": "a rule",
    "image": "an image",
}
_LISTS = ("bullet_list_open", "ordered_list_open")


def escape(text: str) -> str:
    """Plain text on one line, so written that Markdown shows it unchanged."""
    return _SPECIAL.sub(lambda found: "\\" + found[0], " ".join(text.split()))


def plain(text: str) -> str:
    """The text's words alone: what two paragraphs are compared by."""
    return " ".join(re.findall(r"\w+", _MARK.sub("", text).casefold()))


def opening(text: str) -> str:
    """The first words of a text, quoted, to say which one is meant."""
    words = text.split()
    return repr(" ".join(words[:6]) + ("…" if len(words) > 6 else ""))


def of_line(what: str, text: str) -> list[str]:
    """Faults of a text that must be one line without Markdown blocks, notes or leftovers."""
    found = [f"{what}: {fault}" for fault in of_words(text)]
    if "\n" in text.strip() or "\r" in text.strip():
        found.append(f"{what} must stand on one line")
    if text.lstrip().startswith(("#", ">", "- ", "* ")):
        found.append(f"{what} must not begin with a Markdown sign")
    if _MARK.search(text):
        found.append(f"{what} must not hold a footnote mark")
    return found


def of_heading(text: str) -> list[str]:
    """Faults of one heading of the outline."""
    found = of_line(f"heading {text!r}", text)
    if plain(text) in ("", paragraphs.RELATED_HEADING.casefold()):
        found.append(f"heading {text!r} is no heading for a section")
    return found


def of_prose(text: str, *, lists: int) -> list[str]:
    """Faults of prose that may hold at most `lists` lists and nothing else but paragraphs."""
    tokens = list(_tokens(text))
    kinds = {_FORBIDDEN[token.type] for token in tokens if token.type in _FORBIDDEN}
    found = [f"the text holds {kind}, but only paragraphs are asked for" for kind in sorted(kinds)]
    count = sum(token.type in _LISTS for token in tokens)
    if count > lists:
        found.append(f"the text holds {count} lists, at most {lists} may be")
    if _MARK.search(text):
        found.append("the text holds a footnote mark; notes are set by code")
    if len([part for part in text.split("\n\n") if part.strip()]) != len(paragraphs.blocks(text)):
        found.append("paragraphs must be parted by one empty line")
    return found + of_words(text)


def of_words(text: str) -> list[str]:
    """Leftovers of templates, placeholders and talk to whoever asked, in any text."""
    found = [f"{hit[0]!r} is left over" for hit in _LEFTOVER.finditer(_without_code(text))]
    if _PREAMBLE.match(text.lstrip(" >\n")):
        found.append(f"the text begins with a preamble: {opening(text)}")
    return found


def of_length(article: str, *, asked: int) -> list[str]:
    """Whether the words of prose are within 40 % of what was asked."""
    count = words(article)
    low, high = round(asked * (1 - LENGTH_TOLERANCE)), round(asked * (1 + LENGTH_TOLERANCE))
    if low <= count <= high:
        return []
    return [f"the article has {count} words, the brief asks for {asked} ({low} to {high})"]


def words(article: str) -> int:
    """Words of running text: without head, headings, pull quote, related links and footnotes."""
    prose = (text for text in paragraphs.paragraphs(article) if not paragraphs.is_quote(text))
    text = _MARK.sub("", "\n".join(prose))
    return sum(any(char.isalnum() for char in word) for word in text.split())


def of_headings(article: str, *, brief: Brief, headings: list[str]) -> list[str]:
    """Whether the title and the outline's headings are there, in order, each with text under it."""
    there = [(level, text) for level, text, _ in _sections(article)]
    due = [("h1", brief.title), *(("h2", heading) for heading in headings)]
    due += [("h2", paragraphs.RELATED_HEADING)] if brief.related else []
    expected = [(level, " ".join(text.split())) for level, text in due]
    found = [f"section {text!r} is empty" for _, text, filled in _sections(article) if not filled]
    if there != expected:
        shown = [" | ".join(text for _, text in pairs) for pairs in (there, expected)]
        found.append(f"the headings are {shown[0]!r}, the outline has {shown[1]!r}")
    return found


def of_footnotes(article: str) -> list[str]:
    """Whether marks and definitions are numbered 1, 2, 3… and point to each other."""
    found_blocks = paragraphs.blocks(article)
    notes = [block for block in found_blocks if paragraphs.is_definition(block)]
    defined = [_MARK.findall(block)[0] for block in notes]
    text = "\n".join(block for block in found_blocks if not paragraphs.is_definition(block))
    marks = list(dict.fromkeys(_MARK.findall(text)))
    found = [f"footnote mark [^{m}] has no definition" for m in marks if m not in defined]
    found += [f"footnote [^{d}] is defined but never marked" for d in defined if d not in marks]
    found += [f"footnote [^{d}] is defined twice" for d, n in Counter(defined).items() if n > 1]
    if not found and not marks == defined == [str(n) for n in range(1, len(marks) + 1)]:
        found.append(f"footnotes are out of order: marks {marks}, definitions {defined}")
    if notes and found_blocks[-len(notes) :] != notes:
        found.append("the footnote definitions do not stand together at the end")
    return found


def of_paragraphs(article: str) -> list[str]:
    """Repeats, a missing or second pull quote, leftovers, preamble, and what is no prose."""
    prose = paragraphs.paragraphs(article)
    quotes = sum(paragraphs.is_quote(block) for block in prose)
    found = [f"there are {quotes} pull quotes, one is due"] if quotes != 1 else []
    for number, block in enumerate(prose, start=1):
        text = block.removeprefix(">").lstrip()
        found += [f"[p{number}]: {fault}" for fault in of_prose(_MARK.sub("", text), lists=1)]
    for note in filter(paragraphs.is_definition, paragraphs.blocks(article)):
        found += [f"footnote {_MARK.findall(note)[0]}: {fault}" for fault in of_words(note)]
    return found + of_repeats(article)


def of_repeats(article: str) -> list[str]:
    """Paragraphs that say word for word what an earlier one says; the pull quote may."""
    seen: dict[str, int] = {}
    found: list[str] = []
    for number, block in enumerate(paragraphs.paragraphs(article), start=1):
        if paragraphs.is_quote(block):
            continue
        first = seen.setdefault(plain(block), number)
        if first != number:
            found.append(f"[p{number}] repeats [p{first}]: {opening(block)}")
    return found


def of_links(article: str, *, brief: Brief) -> list[str]:
    """Links, and addresses written out, that neither `related` nor `sources` gives."""
    allowed = {_address(str(item.url)) for item in brief.related}
    allowed |= {_address(url) for url in _URL.findall(brief.sources or "")}
    text = "\n\n".join(block for block in paragraphs.blocks(article))
    there = [href for _, href in _links(_unlinked_notes(text))] + _URL.findall(text)
    unknown = dict.fromkeys(_address(url) for url in there if _address(url) not in allowed)
    found = [f"the link to {url!r} is neither in related nor in sources" for url in unknown]
    if any("](" in t.content for t in _tokens(text) if t.type == "text"):
        found.append("a link is broken: its Markdown does not parse")
    return found


def of_related(article: str, *, brief: Brief) -> list[str]:
    """Whether the list at the end holds the brief's related articles, all, in order."""
    found_blocks = paragraphs.blocks(article)
    heading = f"## {paragraphs.RELATED_HEADING}"
    if not brief.related or heading not in found_blocks:
        return []
    tail = found_blocks[found_blocks.index(heading) + 1 :]
    there = list(_links("\n\n".join(b for b in tail if not paragraphs.is_definition(b))))
    due = [(" ".join(r.title.split()), _address(str(r.url))) for r in brief.related]
    missing = [
        title
        for title, url in due
        if (title, url) not in [(text, _address(href)) for text, href in there]
    ]
    found = [f"related article {title!r} is missing from the list" for title in missing]
    if not found and [text for text, _ in there] != [title for title, _ in due]:
        found.append("the list of related articles is not the brief's, in its order")
    return found


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark")


def _tokens(text: str) -> Iterator[Token]:
    for token in _markdown().parse(text):
        yield token
        yield from token.children or []


def _sections(article: str) -> list[tuple[str, str, bool]]:
    """Level and text of each heading, and whether anything but a heading follows it."""
    text = "\n\n".join(b for b in paragraphs.blocks(article) if not paragraphs.is_definition(b))
    tokens = _markdown().parse(text)
    found: list[tuple[str, str, bool]] = []
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            after = tokens[index + 3].type if index + 3 < len(tokens) else "heading_open"
            found.append((token.tag, _text(tokens[index + 1]), after != "heading_open"))
    return found


def _text(inline: Token) -> str:
    return "".join(
        child.content or " " * (child.type == "softbreak") for child in inline.children or []
    )


def _links(text: str) -> Iterator[tuple[str, str]]:
    """Text and address of every link."""
    for token in _markdown().parse(text):
        children = token.children or []
        for index, child in enumerate(children):
            if child.type == "link_open":
                end = next(
                    i for i in range(index, len(children)) if children[i].type == "link_close"
                )
                label = "".join(inner.content for inner in children[index:end])
                yield label, str(child.attrGet("href"))
            elif child.type == "image":
                yield child.content, str(child.attrGet("src"))


def _unlinked_notes(text: str) -> str:
    """The text with footnote definitions made plain: CommonMark would take some for links."""
    return re.sub(r"^\[\^([^\]\s]+)\]:", r"(\1)", text, flags=re.MULTILINE)


def _address(url: str) -> str:
    """The address as Markdown renderers write it, so that two spellings of one compare equal."""
    return _markdown().normalizeLink(url.rstrip(".,;:!?)*_~")).rstrip("/")


def _without_code(text: str) -> str:
    return re.sub(r"`[^`\n]+`", "", text)
