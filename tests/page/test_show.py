"""`orch show`: the page in its file, and the terminal."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from orch_dagster.cli.main import main
from tests.end_to_end.orch import ROOT
from tests.page import audit, dom

BRIEF = ROOT / "assets" / "briefs" / "oysters-out-of-season.md"
ARTICLE = "oysters-out-of-season"

Show = Callable[..., Result]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with one registered brief and nothing made of it."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("home")
        patch.chdir(folder)
        _set_home(patch, folder)
        added = CliRunner().invoke(main, ["add", str(BRIEF)])
        assert added.exit_code == 0, added.output
        yield folder


@pytest.fixture
def show(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    """`orch show` with these words, in an empty folder."""
    _set_home(monkeypatch, home)
    desk = tmp_path / "desk"
    desk.mkdir()
    monkeypatch.chdir(desk)

    def shown(*words: str) -> Result:
        return CliRunner().invoke(main, ["show", *words])

    return shown


def _set_home(patch: pytest.MonkeyPatch, folder: Path) -> None:
    for name in [name for name in os.environ if name.startswith(("ORCH_", "OPENAI_"))]:
        patch.delenv(name)
    patch.setenv("DAGSTER_HOME", str(folder))


def test_an_article_without_deliverables_has_a_page_that_says_so(show: Show) -> None:
    done = show(ARTICLE, "--html", "new.html")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "wrote new.html\n", "")
    html = Path("new.html").read_text(encoding="utf-8")
    assert audit.faults(html) == []
    assert "○ new" in dom.words(html)
    assert "not made yet" in dom.words(html)


def test_a_page_that_is_there_is_replaced_and_nothing_is_left_beside_it(
    show: Show,
) -> None:
    file = Path("page.html")
    file.write_text("old", encoding="utf-8")
    assert show(ARTICLE, "--html", str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert [*Path().iterdir()] == [file]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--html", "nowhere/page.html"), "nowhere/page.html: there is no folder 'nowhere'"),
        (("--html", "taken/page.html"), "taken/page.html: there is no folder 'taken'"),
        (("--html", "."), "is a directory"),
        (("--html", "p.html", "--published", "18.1.2027"), "does not match the format"),
        (("--published", "2027-01-18"), "--published goes with --html"),
    ],
)
def test_a_page_that_cannot_be_written_is_one_sentence_and_status_2(
    show: Show, words: tuple[str, ...], sentence: str
) -> None:
    Path("taken").touch()
    done = show(ARTICLE, *words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert sentence in done.stderr
    assert [*Path().iterdir()] == [Path("taken")]


def test_an_unknown_article_is_one_sentence_and_writes_nothing(show: Show) -> None:
    done = show("no-such", "--html", "page.html")
    assert done.exit_code == 2
    assert done.stderr == f"error: no-such: no such article; the newest are: {ARTICLE}\n"
    assert [*Path().iterdir()] == []


def test_the_terminal_shows_title_and_state(show: Show) -> None:
    done = show(ARTICLE)
    assert done.exit_code == 0
    assert f"{ARTICLE}: new;" in done.stdout
