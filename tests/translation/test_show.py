"""`orch show --pipeline translation`: the documents, the decision, the failures."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from orch_dagster.cli.main import main
from resources.simulator.script import parse_script
from resources.simulator.server import running_simulator
from resources.simulator.settings import SimulatorSettings
from tests.end_to_end.orch import Orch
from tests.translation.articles import SMALL
from tests.translation.desk import CATEGORY, note, reviewed

GOSSIP = {"match": "*/gossip/categorize/*", "set": {"category": "gossip"}}


def _orch(*words: str) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(main, [*words, "--pipeline", "translation"])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with an article that went out below the threshold, and one that is stuck."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "keeper.md").write_text(SMALL, "utf-8")
    # Another text: the same request of two articles at once would be made once.
    (folder / "gossip.md").write_text(SMALL + "\n\nThe keeper says nothing more.\n", "utf-8")
    script = parse_script([GOSSIP, reviewed(5, note(2)), CATEGORY], source="rules")
    with running_simulator(SimulatorSettings(script=script)) as simulator:
        settings = {"OPENAI_BASE_URL": simulator.base_url, "ORCH_MODEL": "simulator"}
        orch = Orch(folder, settings)
        done = orch.run("run", "keeper.md", "gossip.md", "--pipeline", "translation")
    assert done.status == 1, done.err
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("ORCH_", "OPENAI_"))]:
            patch.delenv(name)
        patch.setenv("DAGSTER_HOME", str(folder / ".orch"))
        patch.chdir(folder)
        yield folder


def test_the_documents_stand_in_order_with_the_decision(home: Path) -> None:
    shown = _orch("show", "keeper")
    assert shown.exit_code == 0, shown.exception
    lines = shown.stdout.splitlines()
    assert lines[0].startswith("keeper: published; review: score 5 stays under 8")
    names = [line.split()[0] for line in lines[2:9]]
    assert names == [
        "fetch-output",
        "categorize-output",
        "translate-output",
        "polish-output",
        "review-output",
        "decision",
        "publish-output",
    ]
    size = (home / ".orch/store/translation/translate-output/keeper.md").stat().st_size
    assert f"{size:,}" in lines[4]
    assert "5 of 10" in lines[6]
    assert "polishes: 2" in shown.stdout
    assert "below threshold: yes" in shown.stdout


def test_a_failure_stands_there_in_words(home: Path) -> None:
    shown = _orch("show", "gossip")
    assert "gossip: stuck; categorize: failed 4 times in a row" in shown.stdout
    assert "'gossip' is not on the list" in shown.stdout
    assert "not made yet" in shown.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("keeper", "--html", "page.html"), "error: --html: only the content pipeline has a page"),
        (("nobody",), "error: nobody: no such article; the newest are: keeper, gossip"),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(
    home: Path, words: tuple[str, ...], sentence: str
) -> None:
    done = _orch("show", *words)
    assert (done.exit_code, done.stdout) == (2, ""), done.exception
    assert done.stderr.startswith(sentence)
    assert not (home / "page.html").exists()
