"""What running text holds that is not language: addresses, placeholders, formulas."""

import re
from collections.abc import Iterator
from typing import Literal

Kind = Literal["url", "placeholder", "math", "footnote"]

_ADDRESS = r"""
    (?:https?|ftp|wss?|file|git|ssh|s3|gs)://[^\s<>"⟦⟧]*[^\s<>"⟦⟧.,;:!?'*_~)\]}|\\]
  | www\.[\w-]+\.[^\s<>"⟦⟧]*[^\s<>"⟦⟧.,;:!?'*_~)\]}|\\]
  | mailto:[^\s<>"()⟦⟧]*[\w]
  | (?<![\w.+-])[A-Za-z0-9][\w.+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+
"""
# Pandoc's rule (no space inside the dollars, no digit after), and something that only a formula
# has: a price such as "$5 or 10$" is none.
_FORMULA = r"""
    (?<![\\$\w]) \$ (?=\S) (?: [A-Za-z]'? | [^$\n]*? [\\^_=+<>{}] [^$\n]*? ) (?<=[^\s\\]) \$ (?![\d$])
"""
_PLACEHOLDER = r"""
    \{\{[^{}\n]*\}\} | \{%[^{}\n]*%\} | \{\#[^{}\n]*\#\}
  | \$\{[^{}\s]+\} | \$\([A-Za-z_]\w*\) | \$[A-Z_][A-Z0-9_]+\b
  | \#\{[^{}\n]+\}
  | \{[A-Za-z_0-9][\w.\[\]-]*(?:![rsa])?(?::[^{}\s]*)?\} | \{\}
  | %\([A-Za-z_]\w*\)[-+\#0]*\d*(?:\.\d+)?[A-Za-z]
  | (?<![\w%]) %(?:\d+\$)?[-+\#0]*\d*(?:\.\d+)?(?:l{1,2}|h{1,2}|z)?[sdifuxXeEgGcr@] (?![A-Za-z0-9%])
  | (?<![\w%]) %[A-Z_][A-Z0-9_]+%
  | (?<![\w:/]) :(?:[a-z][a-z0-9_+-]*|[+-]1): (?![\w:])
  | (?<![\w@.]) @[A-Za-z]\w*(?:/[\w-]+)? (?!\w)
"""
_LITERAL_MARK = r"⟦\d+⟧ | [⟦⟧]"

_PROTECTED = re.compile(
    rf"""
    (?P<url>{_ADDRESS})
  | (?P<footnote>\[\^[^\]\s]+\])
  | (?P<math>{_FORMULA})
  | (?P<placeholder>{_PLACEHOLDER} | {_LITERAL_MARK})
    """,
    re.VERBOSE,
)
DISPLAYED_FORMULA = re.compile(r"(?<!\\)\$\$.+?(?<!\\)\$\$", re.DOTALL)
# An amount stays readable, for the sentence around it depends on it, and is looked for afterwards.
_AMOUNT = re.compile("([$€£¥₴])(\\d+(?:[.,]\\d+|[ \u00a0\u202f]\\d{3}(?!\\d))*)")


def protected(text: str) -> Iterator[tuple[int, int, Kind]]:
    """Start, end and kind of each such place, in order; they do not overlap."""
    for found in _PROTECTED.finditer(text):
        kind = found.lastgroup
        if kind in ("url", "placeholder", "math", "footnote"):
            yield found.start(), found.end(), kind


def amounts(text: str) -> list[str]:
    """The prices in `text` with a currency sign before the number, as sign and digits."""
    return [f"{sign}{re.sub(r'[^0-9]', '', number)}" for sign, number in _AMOUNT.findall(text)]
