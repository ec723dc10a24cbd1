"""Text from bytes, by byte order mark, header, meta tag or detection."""

import codecs
import re

from charset_normalizer import from_bytes

_META = re.compile(
    rb"""<meta[^>]{0,500}?charset\s*=\s*["']?\s*([a-z0-9_:.-]{1,40})""", re.IGNORECASE
)
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([a-z0-9_.-]{1,40})""", re.I)
_HEAD_BYTES = 16_384
_DETECTION_BYTES = 200_000
_MOST_BROKEN = 1_000
"""At most one broken character in so many; beyond it a declaration is taken for wrong."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_READ_AS = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
}
"""What is read for a label, by the Encoding Standard (encoding.spec.whatwg.org, section 4.2)."""


def decoded(data: bytes, *, declared: str | None, html: bool) -> str:
    """The text: by its byte order mark, as UTF-8 where it is that, else as it is declared.

    Bytes that are valid UTF-8 beyond ASCII are hardly ever anything else, whatever a server's
    default says; a declaration that most of the bytes contradict counts for nothing.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if not data.isascii() and (text := _strict(data)) is not None:
        return text
    labels = [declared, *(_labels_within(data) if html else ())]
    for label in labels:
        encoding = _codec(label)
        if encoding and (text := _mostly(data, encoding)) is not None:
            return text
    text = _strict(data) if b"\x1b$" not in data else None  # where Japanese mail begins
    return _detected(data) if text is None else text


def _strict(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _mostly(data: bytes, encoding: str) -> str | None:
    text = data.decode(encoding, "replace")
    broken = text.count("\ufffd")
    return text if broken * _MOST_BROKEN <= len(text) or broken <= 1 else None


def _labels_within(data: bytes) -> list[str]:
    head = data[:_HEAD_BYTES]
    found = [match[1].decode("ascii") for match in (_META.search(head), _XML.match(head)) if match]
    return ["utf-8" if label.lower().startswith("utf-16") else label for label in found]


def _codec(label: str | None) -> str | None:
    """Python's name for a declared text encoding, or None where there is none such."""
    if not label:
        return None
    try:
        name = codecs.lookup(re.sub(r"^x-(?=cp|sjis|gbk)", "", label.strip().lower())).name
        "".encode(name)  # codecs that are no text encodings, such as rot13, are not taken
    except LookupError:
        return None
    return _READ_AS.get(name, name)


def _detected(data: bytes) -> str:
    # Tags and spaces are the same in most encodings: without them the text decides.
    plain = re.sub(rb"<(script|style)\b.*?</\1>|<[^>]*>", b" ", data, flags=re.I | re.S)
    sample = plain if plain.strip() else data
    best = from_bytes(sample[:_DETECTION_BYTES]).best()
    encoding = best.encoding if best is not None else "cp1252"
    return data.decode(encoding, "replace")
