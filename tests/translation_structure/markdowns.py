"""Markdown that hypothesis builds: lines of every construct, in containers, with any ending."""

from hypothesis import strategies as st

_INLINE = st.sampled_from(
    [
        *("word", "two words", "**bold**", "*it*", "_x_", "~~gone~~", "`code`", "``a ` b``"),
        *("[text](http://e.org/a_(b) 'T t')", '[a [b] c](</x y> "q")', "[ref][r]", "[r]", "[r][]"),
        *("![alt](i.png)", "[![alt](i.png)](u)", "<b>", "</b>", "<br>", "<http://x.org>", "&amp;"),
        *("[^1]", "^[inline *note*]", "{name}", "%s", "{{ user }}", "$5", "$x^2$", "⟦1⟧", "⟦", "⟧"),
        *(
            "https://e.org/?a=b).",
            "\\*",
            "\\",
            "\\|",
            "|",
            "`a \\| b`",
            "[",
            "]",
            "(",
            "![",
            "*",
            "**",
        ),
        *(
            "🙂",
            "שלום",
            "e\u0301",
            "\u00a0",
            "\0",
            "\t",
            "  ",
            ":smile:",
            "$$",
            "<code>",
            "</code>",
        ),
        *("!", "#", "- ", "1. ", "> ", "[ ] ", "[!NOTE]", ": ", "=", "---", "<div>", "<!-- c -->"),
    ]
)
_LINE = st.one_of(
    st.lists(_INLINE, max_size=5).map(" ".join),
    st.lists(_INLINE, max_size=5).map("".join),
    st.sampled_from(
        [
            *("", "", "# Head #", "### a # b ##", "===", "---", "- item", "* [ ] task", "1. one"),
            *(
                "```",
                "~~~ py",
                "    code",
                "\tcode",
                "| a | b |",
                "|---|---|",
                "a | b",
                "--- | ---",
            ),
            *("[^1]: note", "[r]: /url 'Title here'", "[r]: <>", "> quote", "> [!NOTE]", "***"),
            *("<div>", "</div>", "<!-- x", "-->", "hard  ", "hard\\", "$$", ": definition"),
        ]
    ),
)
_PREFIX = st.sampled_from(["", "", "", "> ", ">", "- ", "  ", "    ", "\t", "1. ", "> - ", "   > "])
_ENDING = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\n\n"])


def markdowns() -> st.SearchStrategy[str]:
    """Texts of up to a dozen lines."""
    line = st.tuples(_PREFIX, _LINE, _ENDING).map("".join)
    return st.one_of(st.lists(line, max_size=12).map("".join), st.text(max_size=60))
