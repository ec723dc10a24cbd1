"""Tokens as a real tokenizer counts them: `o200k_base`, whose vocabulary `bpe-openai` carries."""

import warnings
from functools import cache
from typing import Any


@cache
def encoding() -> Any:
    """The tokenizer; it reads its vocabulary on import, by a function that warns of its age."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import bpe_openai

        return bpe_openai.get_encoding("o200k_base")


def tokens(text: str) -> int:
    """How many tokens a text is."""
    return len(encoding().encode(text))
