"""Text in the encoding it is in, whoever declares it."""

import pytest

from resources.web.charset import decoded

UKRAINIAN = (
    "Їжак і ґава з'їли пиріг. Порт стоїть, бо води в річці мало, і лоцман каже, що такого травня "
    "ще не було. Баржі чекають на дощ, а капітани п'ють чай у затінку старої липи."
)
RUSSIAN = (
    "Порт стоит, потому что воды в реке мало, и лоцман говорит, что такого мая ещё не было. "
    "Баржи ждут дождя, а капитаны пьют чай в тени старой липы у самого причала."
)
FRENCH = "À l'été, le fleuve était si bas que les péniches restaient à quai, près de la forêt."


def page(text: str, *, meta: str = "") -> str:
    return f"<html><head>{meta}<title>x</title></head><body><p>{text}</p></body></html>"


def test_windows_1251_declared_only_in_a_meta_tag_is_cyrillic() -> None:
    text = page(UKRAINIAN, meta='<meta charset="windows-1251">')
    assert decoded(text.encode("cp1251"), declared=None, html=True) == text


@pytest.mark.parametrize(
    "meta",
    [
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        "<META CHARSET=WINDOWS-1251>",
        "<meta charset = 'cp1251' />",
        "<meta charset='x-cp1251'>",
    ],
)
def test_a_meta_tag_is_read_in_every_form(meta: str) -> None:
    text = page(UKRAINIAN, meta=meta)
    assert UKRAINIAN in decoded(text.encode("cp1251"), declared=None, html=True)


def test_the_header_goes_before_the_meta_tag() -> None:
    text = page(RUSSIAN, meta='<meta charset="windows-1251">')
    assert RUSSIAN in decoded(text.encode("koi8-r"), declared="koi8-r", html=True)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_goes_before_the_header(encoding: str) -> None:
    assert decoded(UKRAINIAN.encode(encoding), declared="windows-1251", html=True) == UKRAINIAN


@pytest.mark.parametrize(
    "declared", ["iso-8859-1", "windows-1251", "us-ascii", "nonsense", "rot13"]
)
def test_utf_8_is_read_as_utf_8_whatever_a_server_s_default_says(declared: str) -> None:
    assert decoded(UKRAINIAN.encode(), declared=declared, html=False) == UKRAINIAN


@pytest.mark.parametrize(
    ("text", "encoding"), [(UKRAINIAN, "cp1251"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8-r")]
)
def test_an_undeclared_encoding_is_detected(text: str, encoding: str) -> None:
    assert text in decoded(page(text).encode(encoding), declared=None, html=True)


def test_a_false_declaration_gives_way_to_the_meta_tag() -> None:
    text = page(UKRAINIAN, meta='<meta charset="windows-1251">')
    assert UKRAINIAN in decoded(text.encode("cp1251"), declared="utf-8", html=True)


def test_one_broken_byte_in_a_long_text_does_not_change_its_encoding() -> None:
    data = (UKRAINIAN * 20).encode() + b"\xff" + UKRAINIAN.encode()
    assert decoded(data, declared="utf-8", html=False) == UKRAINIAN * 20 + "\ufffd" + UKRAINIAN


def test_latin_1_is_read_as_browsers_read_it() -> None:
    assert decoded("“x” – €".encode("cp1252"), declared="iso-8859-1", html=False) == "“x” – €"
    assert decoded(FRENCH.encode("latin-1"), declared="latin1", html=False) == FRENCH


def test_a_meta_tag_in_a_text_file_is_text() -> None:
    data = b"<meta charset='koi8-r'> " + FRENCH.encode("cp1252")
    assert decoded(data, declared="windows-1252", html=False).endswith(FRENCH)
