"""Translation requests: each segment comes back in Ukrainian letters, its marks in their places."""

import json
import re
from collections.abc import Mapping
from typing import Any

from resources.simulator.request import ChatRequest
from resources.simulator.transliteration import transliterated

_BLOCK = re.compile(r"^<translate>[ \t]*$(.*?)^</translate>[ \t]*$", re.DOTALL | re.MULTILINE)
_SEGMENT = re.compile(r'^\s*<segment id="(\d+)"[^>]*>(.*)</segment>\s*$', re.MULTILINE)


def translation(request: ChatRequest, _seed: int) -> str | None:
    """The segments of the newest `<translate>` block, as JSON where that is asked for, or None.

    A schema that has no `segments` asks for something else about the text. One segment a line;
    what stands between the tags is text, whatever it looks like.
    """
    schema = request.wanted_schema
    if schema is not None and "segments" not in _properties(schema):
        return None
    found = _segments(request)
    if not found:
        return None
    texts = [(number, transliterated(text)) for number, text in found]
    if schema is None and request.form == "text":
        return "\n".join(f'<segment id="{number}">{text}</segment>' for number, text in texts)
    segments = [{"id": number, "text": text} for number, text in texts]
    return json.dumps({"segments": segments}, ensure_ascii=False)


def _segments(request: ChatRequest) -> list[tuple[int, str]]:
    spoken = (message.text for message in reversed(request.messages) if message.role == "user")
    blocks = (blocks for text in spoken if (blocks := _BLOCK.findall(text)))
    block = next(blocks, [""])[-1]
    return [(int(number), text) for number, text in _SEGMENT.findall(block)]


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}
