"""Where articles come from: addresses and files, good ones and others."""

from pathlib import Path

import pytest

from orch_dagster.cli.inputs import read_inputs
from orch_dagster.core.decision import State
from tests.translation.articles import SMALL, long_article
from tests.translation.conftest import Open
from tests.translation.desk import reviewed
from tests.web.site import running_site

PAGE = f"""\
<!doctype html><html lang="en"><head><title>The lock keeper</title></head><body>
<article><h1>The lock keeper</h1>{"".join(f"<p>{text}</p>" for text in long_article(300).split(chr(10) * 2)[1:])}
</article></body></html>
"""


def test_an_address_on_loopback_is_fetched_where_that_is_allowed(
    desk: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORCH_FETCH_ALLOW_PRIVATE", "1")
    with running_site() as site:
        url = site.page("/keeper.html", PAGE.encode(), content_type="text/html; charset=utf-8")
        opened = desk(reviewed(9))
        opened.hand_in_address(url)
        assert opened.drive()[-1].state is State.FINISHED
        assert len(site.requests) == 1
    assert f"url: {url}" in opened.text("fetch-output")
    assert url in opened.published()[0].read_text("utf-8")


def test_an_address_on_loopback_is_refused_in_words(
    desk: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ORCH_FETCH_ALLOW_PRIVATE", raising=False)
    with running_site() as site:
        opened = desk(reviewed(9))
        opened.hand_in_address(site.page("/keeper.html", PAGE.encode()))
        assert opened.drive()[-1].state is State.STUCK
        assert site.requests == []
    assert "ORCH_FETCH_ALLOW_PRIVATE" in opened.metadata("fetch_output")["failure"]
    assert opened.asked() == {}
    assert opened.faults == []


def test_files_become_sources_and_mistakes_become_sentences(tmp_path: Path) -> None:
    one, other = tmp_path / "keeper.md", tmp_path / "Keeper.txt"
    one.write_text(SMALL, "utf-8")
    other.write_text("Another text altogether.", "utf-8")
    given = [str(one), str(one), str(other), str(tmp_path / "none.md"), "ftp://a.example/b"]
    entries, mistakes = read_inputs("translation", given)
    [entry] = entries
    assert (entry.article, entry.metadata) == ("keeper", {"source": "keeper.md"})
    assert mistakes == (
        "Keeper.txt: the file's name makes it the article 'keeper', which 'keeper.md' is already; "
        "that one stands, this one is not taken: change it here",
        "none.md: cannot be read (No such file or directory)",
        "ftp://a.example/b: only http and https addresses are fetched",
    )


def test_an_address_that_holds_a_password_is_refused_and_not_repeated() -> None:
    given = ["https://ada:lovelace@a.example/b", "ftp://ada@a.example/b", "https://a.example/@ada"]
    entries, mistakes = read_inputs("translation", given)
    assert [entry.metadata["source"] for entry in entries] == ["https://a.example/@ada"]
    assert mistakes == tuple(
        f"{shown}: holds a user name; give the address without what stands before '@'"
        for shown in ("https://a.example/b", "ftp://a.example/b")
    )


@pytest.mark.slow
def test_a_long_article_is_translated_in_pieces_under_one_glossary(desk: Open) -> None:
    opened = desk(reviewed(9))
    opened.hand_in(long_article(9_000))
    assert opened.drive()[-1].state is State.FINISHED
    asked = opened.asked()
    pieces = [name for name in asked if name.startswith("translate/piece_")]
    assert asked["translate/glossary"] == 1
    assert len(pieces) >= 12
    assert {asked[name] for name in pieces} == {1}
    assert opened.metadata("translate_output")["pieces"] == len(pieces)
    assert '"findings": []' in opened.text("review-output")
