"""`orch check` names the setting that is wrong."""

import os
import shutil
from pathlib import Path
from typing import Any, Protocol

import pytest
from click.testing import CliRunner, Result

from assets.content.pipeline import content_pipeline
from orch_dagster.cli.main import main
from tests.dagster_glue.packages import edit
from tests.end_to_end.conftest import Serve
from tests.end_to_end.orch import Orch

REFUSED = {"status": 401, "body": {"error": {"message": "Incorrect API key", "code": "invalid"}}}
UNKNOWN = {
    "model": "nosuch",
    "status": 404,
    "body": {"error": {"message": "The model 'nosuch' does not exist", "code": "model_not_found"}},
}


class Check(Protocol):
    """`orch check` in this process, under these settings."""

    def __call__(self, settings: dict[str, str]) -> Result: ...


@pytest.fixture
def check(empty: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    def checked(settings: dict[str, str]) -> Result:
        monkeypatch.chdir(empty)
        monkeypatch.setenv("DAGSTER_HOME", str(empty / ".orch"))
        for name in [name for name in os.environ if name.startswith(("OPENAI_", "ORCH_"))]:
            monkeypatch.delenv(name)
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        return CliRunner().invoke(main, ["check"])

    return checked


def test_everything_is_fine_without_a_model(check: Check) -> None:
    done = check({})
    assert done.exit_code == 0, done.output
    assert "built-in simulator stands in" in done.output
    assert "wrong" not in done.output


def test_everything_is_fine_with_a_server(check: Check, serve: Serve) -> None:
    server = serve()
    done = check(server.settings)
    assert done.exit_code == 0, done.output
    assert f"{server.base_url} answers" in done.output
    libraries = content_pipeline().libraries
    prompts = sum(len(library.prompts) for library in libraries)
    assert f"{prompts} prompts in {len(libraries)} libraries and " in done.output


@pytest.mark.parametrize(
    ("rules", "settings", "named"),
    [
        ((REFUSED,), {"OPENAI_API_KEY": "sk-wrong"}, "OPENAI_API_KEY"),
        ((UNKNOWN,), {"ORCH_MODEL_FAST": "nosuch"}, "ORCH_MODEL_FAST"),
        ((), {"ORCH_MODEL": ""}, "ORCH_MODEL"),
        ((), {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, "OPENAI_BASE_URL"),
        ((), {"ORCH_STORE": "file:///proc/nowhere"}, "ORCH_STORE"),
        ((), {"ORCH_STORE": "nosuch://bucket"}, "ORCH_STORE"),
        ((), {"ORCH_MAX_IN_FLIGHT": "many"}, "ORCH_MAX_IN_FLIGHT"),
        ((), {"ORCH_DATABASE_URL": "nosuch://x"}, "ORCH_DATABASE_URL"),
    ],
)
def test_the_setting_that_is_wrong_is_named(
    check: Check, serve: Serve, rules: tuple[Any, ...], settings: dict[str, str], named: str
) -> None:
    done = check({**serve(*rules).settings, **settings})
    assert done.exit_code == 1
    [wrong] = [line for line in done.output.splitlines() if line.startswith("wrong")]
    assert named in wrong
    assert "sk-wrong" not in done.output


def test_an_address_without_v1_is_named(check: Check, serve: Serve) -> None:
    server = serve()
    done = check({**server.settings, "OPENAI_BASE_URL": server.base_url.removesuffix("/v1")})
    assert done.exit_code == 1
    assert "OPENAI_BASE_URL" in done.output
    assert "/v1" in done.output


@pytest.mark.slow
def test_a_broken_prompt_is_named_by_its_file(orch: Orch, tmp_path: Path) -> None:
    project = Path(shutil.copytree(orch.project, tmp_path / "broken"))
    prompt = project / "assets/content/note/prompts/02_text.md"
    edit(prompt, "{{ outline.thread }}", "{{ outlines.thread }}")
    done = Orch(orch.folder, project=project).run("check")
    assert done.status == 1
    assert "note/prompts/02_text.md: uses 'outlines'" in done.out
    ran = Orch(orch.folder, project=project).run("status")
    assert ran.status == 2
    assert "note/prompts/02_text.md: uses 'outlines'" in ran.err
