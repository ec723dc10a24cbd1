"""What a hostile model could write, and how it gets into every text of a deliverable."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

MARK = "data-pwned"
"""The attribute that a payload which runs sets on the page's root."""

_RUN = f"document.documentElement.setAttribute('{MARK}','1')"

PAYLOADS = (
    f"<script>{_RUN}</script>",
    f"</style></title></textarea></pre><script>{_RUN}</script>",
    f'"><img src=x onerror="{_RUN}">',
    f"' autofocus onfocus='{_RUN}' onmouseover='{_RUN}' x='",
    f"<svg/onload={_RUN}><math><mtext></form><form><mglyph><style></math><img src onerror={_RUN}>",
    f"javascript:{_RUN}",
    f"[click](javascript:{_RUN}) ![see](javascript:{_RUN}) <javascript:{_RUN}>",
    "[click](data:text/html,<script>1</script>) [vb](vbscript:x) [up](JaVaScRiPt&colon;1)",
    "![pixel](https://evil.example/pixel.png) <link rel=stylesheet href=//evil.example/x.css>",
    "red; background: url(https://evil.example/x) } body { display: none",
    "#fff;background:url(//evil.example)",
    '"></span></div></section></main><meta http-equiv="refresh" content="0;url=//evil.example">',
    "<base href=//evil.example/><iframe srcdoc='<script>1</script>'></iframe><!--",
    "{{ 7 * 7 }} {% raw %} ${7*7} <%= 7 %>",
    '<a href="javascript:1" style="position:fixed">x</a><form action=//evil.example><input>',
    "]]> --> \u202e \x00 \x1b[2J \ufffd &lt;script&gt; &#106;avascript:1",
)


def injected(value: Any, payload: str) -> Any:
    """The value with this payload in place of every text in it; nothing is validated."""
    match value:
        case BaseModel():
            texts = {name: injected(item, payload) for name, item in value}
            return value.model_copy(update=texts)
        case str():
            return payload
        case tuple() | list():
            return type(value)(injected(item, payload) for item in value)
        case Mapping():
            items = enumerate(value.values())
            return {f"{payload} {number}": injected(item, payload) for number, item in items}
        case _:
            return value


def markdown(payload: str) -> str:
    """An article that holds the payload wherever Markdown has a place for it."""
    line = " ".join(payload.split())
    quoted = line.replace("'", "''")
    return f"""---
title: '{quoted}'
keywords: ['{quoted}', 2, null]
'{quoted}': {{deep: '{quoted}'}}
---

# {line}

{payload}

> {line}

- {line}
- [{line}]({line})
- [text](<{line}> "{line}")
- <{line}>

| {line} | b |
|---|---|
| {line} | `{line}` |

```{line}
{payload}
```

[reference][r] ![picture]({line}) [^1] [^{line}]

[r]: {line} "{line}"
[^1]: {line}
[^{line}]: {line}

<div>{line}</div>
"""
