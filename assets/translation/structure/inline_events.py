"""Where the inline elements of a text stand: markdown-it tells what there is, not where."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.rules_inline import (
    StateInline,
    autolink,
    backtick,
    escape,
    html_inline,
    image,
    link,
    newline,
)
from mdit_py_plugins.footnote.index import footnote_inline, footnote_ref

Kind = Literal[
    "code",
    "link",
    "image",
    "html",
    "url",
    "math",
    "footnote",
    "inline_note",
    "soft_break",
    "hard_break",
]
Rule = Callable[[StateInline, bool], bool]

_KINDS: dict[str, Kind] = {
    "code_inline": "code",
    "html_inline": "html",
    "softbreak": "soft_break",
    "hardbreak": "hard_break",
    "footnote_ref": "footnote",
}
_KEY = "events"


@dataclass(frozen=True, slots=True)
class Event:
    """One element from `start` to `end`; link, image and inline note have a label with its own."""

    kind: Kind
    start: int
    end: int
    label_start: int = 0
    label_end: int = 0
    inner: tuple["Event", ...] = ()
    target: str = ""

    def shifted(self, by: int) -> "Event":
        """The same element in a text that has `by` characters before this one."""
        return replace(
            self,
            start=self.start + by,
            end=self.end + by,
            label_start=self.label_start + by,
            label_end=self.label_end + by,
            inner=tuple(event.shifted(by) for event in self.inner),
        )


def record_inline(markdown: MarkdownIt) -> None:
    """Makes the parser note each element that it finds in the environment's events."""
    rules: dict[str, Rule] = {
        "newline": _noted(newline),
        "escape": _noted(escape),
        "backticks": _noted(backtick),
        "autolink": _noted_autolink,
        "html_inline": _noted(html_inline),
        "footnote_ref": _noted(footnote_ref),
        "link": _labelled("link", link, opening=1),
        "image": _labelled("image", image, opening=2),
        "footnote_inline": _labelled("inline_note", footnote_inline, opening=2),
    }
    for name, rule in rules.items():
        markdown.inline.ruler.at(name, rule)


def inline_events(markdown: MarkdownIt, text: str, env: dict) -> tuple[Event, ...]:
    """The elements of `text` in order, parsed with the document's references and footnotes."""
    env[_KEY] = []
    markdown.inline.parse(text, markdown, env, [])
    return tuple(env.pop(_KEY))


def _noted(rule: Rule) -> Rule:
    def noting(state: StateInline, silent: bool) -> bool:
        start, count = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        if silent or len(state.tokens) == count:
            return True
        kind = _KINDS.get(state.tokens[-1].type)
        if kind in ("soft_break", "hard_break"):
            start = len(state.src[:start].rstrip(" "))
        if kind is not None:
            state.env[_KEY].append(Event(kind, start, state.pos))
        return True

    return noting


def _noted_autolink(state: StateInline, silent: bool) -> bool:
    start = state.pos
    if not autolink(state, silent):
        return False
    if not silent:
        target = str(state.tokens[-3].attrs["href"])
        state.env[_KEY].append(Event("url", start, state.pos, target=target))
    return True


def _labelled(kind: Kind, rule: Rule, *, opening: int) -> Rule:
    """A rule whose element begins with `opening` characters and a label up to its bracket."""

    def noting(state: StateInline, silent: bool) -> bool:
        if silent:
            return rule(state, silent)
        start, count, outer = state.pos, len(state.tokens), state.env[_KEY]
        state.env[_KEY] = inner = []
        done = rule(state, silent)
        state.env[_KEY] = outer
        if not done:
            return False
        label_start = start + opening
        label_end = state.md.helpers.parseLinkLabel(state, label_start - 1, kind == "link")
        # The parser reads the label of a link in its place, the others as texts of their own.
        shift = 0 if kind == "link" else label_start
        attributes = next((t.attrs for t in state.tokens[count:] if t.type in _TARGETS), {})
        outer.append(
            Event(
                kind,
                start,
                state.pos,
                label_start,
                label_end,
                tuple(event.shifted(shift) for event in inner),
                str(attributes.get("href", attributes.get("src", ""))),
            )
        )
        return True

    return noting


_TARGETS = ("link_open", "image")
