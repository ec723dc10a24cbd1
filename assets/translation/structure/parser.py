"""The Markdown parser, which notes where the texts of its blocks stand."""

from collections.abc import Callable
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, heading, lheading, paragraph, reference, table
from mdit_py_plugins.footnote import footnote_plugin

from assets.translation.structure.inline_events import record_inline

Rule = Callable[[StateBlock, int, int, bool], bool]

# Deeper than any article; the parser's own 20 leaves a list in a quote in a list unread.
_DEEPEST = 40


@cache
def parser() -> MarkdownIt:
    """CommonMark with tables, strikethrough and footnotes; it holds nothing of what it parsed."""
    markdown = MarkdownIt("commonmark", {"maxNesting": _DEEPEST, "inline_definitions": True})
    markdown.enable(["table", "strikethrough"])
    markdown.use(footnote_plugin)
    rules: dict[str, tuple[Rule, list[str]]] = {
        "paragraph": (paragraph, []),
        "lheading": (lheading, []),
        "heading": (heading, ["paragraph", "reference", "blockquote"]),
        "table": (table, ["paragraph", "reference"]),
        "reference": (reference, []),
    }
    for name, (rule, may_end) in rules.items():
        markdown.block.ruler.at(name, _placed(rule), {"alt": may_end})
    record_inline(markdown)
    return markdown


def _placed(rule: Rule) -> Rule:
    """The rule, which also notes of its texts where each line starts, containers left out."""

    def placing(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        count = len(state.tokens)
        if not rule(state, start, end, silent):
            return False
        for token in state.tokens[count:]:
            if token.type in ("inline", "definition") and token.map is not None:
                token.meta["lines"] = [
                    (state.bMarks[line] + state.tShift[line], state.eMarks[line])
                    for line in range(*token.map)
                ]
        return True

    return placing
