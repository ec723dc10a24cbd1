"""Markdown from models, as HTML that can do nothing."""

from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from mdit_py_plugins.footnote import footnote_plugin

DEEPEST_HEADING = 6

_TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li"),
    *("h3", "h4", "h5", "h6", "a", "sup", "section"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {
    "a": {"href", "title", "id", "class", "aria-label"},
    "li": {"id", "class"},
    "ol": {"start", "class"},
    "section": {"class"},
    "sup": {"class"},
    "hr": {"class"},
}
_SCHEMES = {"http", "https", "mailto"}


def rich_text(text: str, *, top: int, key: str) -> Markup:
    """CommonMark with tables and footnotes as sanitized HTML.

    The text's highest heading becomes `<h{top}>`, and none skips a level. `key` keeps the
    footnotes of several texts on one page apart. Raw HTML shows as text, pictures as links.
    """
    env: dict[str, Any] = {"docId": key}
    tokens = _MARKDOWN.parse(text, env)
    _set_levels(tokens, top)
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, env)
    return Markup(nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes=_SCHEMES))


def _set_levels(tokens: list[Token], top: int) -> None:
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    highest = min((int(token.tag[1]) for token in headings), default=1)
    level = top - 1
    for opening, closing in zip(headings[::2], headings[1::2], strict=True):
        wanted = int(opening.tag[1]) - highest + top
        level = min(wanted, level + 1, DEEPEST_HEADING)
        opening.tag = closing.tag = f"h{level}"


def _back_link(self: Any, tokens: list[Token], index: int, options: Any, env: Any) -> str:
    meta = tokens[index].meta
    again = f":{meta['subId']}" if meta.get("subId", 0) > 0 else ""
    target = f"fnref-{env['docId']}-{meta['id'] + 1}{again}"
    return f' <a href="#{target}" class="footnote-backref" aria-label="Back to the text">↩</a>'


def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    markdown.disable("image").use(footnote_plugin)
    markdown.add_render_rule("footnote_anchor", _back_link)
    return markdown


_MARKDOWN = _markdown()
