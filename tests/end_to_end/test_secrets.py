"""Run with known secrets against a server that quotes them: they are in nothing that is written."""

import json
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.dagster_glue.briefs import write_brief
from tests.dagster_glue.studio import STRONG
from tests.end_to_end.conftest import Serve
from tests.end_to_end.graphql import LOCATION, Ui, wait_for
from tests.end_to_end.hostile import Sought, hostile, process_list
from tests.end_to_end.orch import Finished, Orch
from tests.end_to_end.test_serve import served
from tests.model.raw_server import RawServer, running_server
from tests.translation.articles import SMALL

_INSTANCE = "{ instance { info executablePath } version }"
_RESOURCES = """query($repository: RepositorySelector!) {
    allTopLevelResourceDetailsOrError(repositorySelector: $repository) { __typename
    ... on PythonError { message } ... on ResourceDetailsList { results { name description
    resourceType configFields { name description defaultValueAsJson }
    configuredValues { key value type } } } } }"""
_LOCATIONS = """{ workspaceOrError { ... on Workspace { locationEntries { name
    displayMetadata { key value } locationOrLoadError { __typename } } } } }"""
_ERROR = "error { message stack errorChain { error { message stack } } }"
_METADATA = """metadataEntries { __typename label description ... on TextMetadataEntry { text }
    ... on UrlMetadataEntry { url } ... on MarkdownMetadataEntry { mdStr }
    ... on JsonMetadataEntry { jsonString } }"""
_RUNS = f"""{{ runsOrError(limit: 100) {{ ... on Runs {{ results {{ runId status runConfigYaml
    tags {{ key value }} eventConnection {{ events {{ __typename ... on MessageEvent {{ message }}
    ... on ExecutionStepFailureEvent {{ {_ERROR} }} ... on RunFailureEvent {{ {_ERROR} }}
    ... on MaterializationEvent {{ {_METADATA} }} }} }} }} }} }} }}"""
_NODES = f"""{{ assetNodes {{ assetKey {{ path }} description {_METADATA}
    assetMaterializations {{ partition {_METADATA} }} }} }}"""


@pytest.fixture
def sought() -> Sought:
    names = ("key", "webhook_secret", "webhook_token", "database_password", "login_password")
    return Sought({name: f"Zq-{secrets.token_urlsafe(32)}" for name in names})


@pytest.fixture
def server(serve: Serve) -> Iterator[RawServer]:
    with running_server(hostile(serve(STRONG).base_url)) as running:
        yield running


@pytest.fixture
def open_orch(orch: Orch, server: RawServer, sought: Sought) -> Orch:
    """`orch` whose every setting that can hold a secret does."""
    hook = server.base_url.replace("/v1", f"/v1/hook?token={sought.secrets['webhook_token']}")
    settings = {
        "OPENAI_BASE_URL": server.base_url,
        "OPENAI_API_KEY": sought.secrets["key"],
        "ORCH_MODEL": "good",
        "ORCH_CALL_TIMEOUT": "2",
        "ORCH_WEBHOOK_URL": hook,
        "ORCH_WEBHOOK_SECRET": sought.secrets["webhook_secret"],
    }
    return Orch(orch.folder, settings, orch.project)


def _check_all(orch: Orch, sought: Sought, done: list[Finished], commands: set[str]) -> None:
    assert sought.in_folder(orch.folder) == {}
    for one in done:
        assert sought.in_text(one.out + one.err) == [], one
    assert len(commands) > 0
    assert sought.in_text("\n".join(commands)) == []


def test_a_secret_would_be_found(sought: Sought, tmp_path: Path) -> None:
    key = sought.secrets["key"]
    assert sought.in_text(f"cut off: {key[:30]}") == ["key"]
    (tmp_path / "notes.txt").write_text(key.lower(), "utf-8")
    with closing(sqlite3.connect(tmp_path / "some.db")) as database:
        database.execute("create table t (a text, b blob)")
        filler = "x" * 5_000
        database.execute("insert into t values (?, ?)", (filler + key + filler, b""))
        database.commit()
    assert {Path(path).name for path in sought.in_folder(tmp_path)} == {"notes.txt", "some.db"}


@pytest.mark.slow
def test_no_command_writes_a_secret_that_the_server_quotes(
    open_orch: Orch, server: RawServer, sought: Sought
) -> None:
    orch, inbox = open_orch, open_orch.folder / "inbox"
    for slug in ("page", "mistaken", "refusal", "answer"):
        write_brief(inbox, slug)
    notes = orch.folder / "notes.md"
    notes.write_text(SMALL, encoding="utf-8")
    denied = Orch(orch.folder, {**orch.settings, "ORCH_MODEL": "denied"}, orch.project)
    with process_list() as commands:
        done = [
            denied.run("check"),
            denied.run("run", "inbox"),
            orch.run("check"),
            orch.run("run", "inbox"),
            orch.run("run", "--pipeline", "translation", "notes.md"),
            *(orch.run("status", *words) for words in ([], ["--json", "--cost"], ["--verify"])),
            orch.run("status", "--pipeline", "translation", "--json"),
            *(orch.run("show", slug) for slug in ("answer", "refusal")),
            orch.run("rows", "--format", "json"),
        ]
    _check_that_it_was_quoted(orch, done, server, sought)
    _check_all(orch, sought, done, commands)


def _check_that_it_was_quoted(
    orch: Orch, done: list[Finished], server: RawServer, sought: Sought
) -> None:
    assert all(sought.secrets["key"] in heard.headers["authorization"] for heard in server.chats)
    refused, _, fine, ran, translated, *_ = done
    assert (refused.status, fine.status) == (1, 0), fine.out
    assert "you sent Bearer ***" in refused.out
    assert (ran.status, translated.status) == (1, 1)
    states = {report["article"]: report["state"] for report in done[6].json}
    assert states.pop("answer") in ("assembled", "needs_review")
    assert states == {"page": "stuck", "mistaken": "stuck", "refusal": "refused"}
    draft = json.loads((orch.store / "note" / "draft" / "answer.json").read_bytes())
    assert any("you sent Bearer *** here" in answer["text"] for answer in draft["answers"])
    assert any(heard.path.startswith("/v1/hook") for heard in server.heard)


@pytest.mark.slow
def test_no_password_of_an_address_is_written(
    open_orch: Orch, server: RawServer, sought: Sought
) -> None:
    login = f"ada:{sought.secrets['login_password']}@"
    password = sought.secrets["database_password"]
    settings = {
        **open_orch.settings,
        "OPENAI_BASE_URL": server.base_url.replace("//", f"//{login}"),
        "ORCH_DATABASE_URL": f"postgresql+psycopg2://orch:{password}@127.0.0.1:1/rows",
    }
    orch = replace(open_orch, settings=settings)
    path = str(write_brief(orch.folder, "answer"))
    nowhere = {"ORCH_STORE": f"ftp://{login}127.0.0.1:1/store"}
    unknown = {"ORCH_PUBLISH_URL": f"nosuch://{login}bucket/site"}
    with process_list() as commands:
        done = [
            orch.run("check"),
            orch.run("run", path),
            replace(orch, settings={**settings, **nowhere}).run("check"),
            replace(orch, settings={**settings, **nowhere}).run("run", path),
            replace(orch, settings={**settings, **unknown}).run("run", path),
        ]
    assert "ORCH_DATABASE_URL: cannot be reached" in done[0].out
    assert "ORCH_DATABASE_URL" in done[1].err
    assert "ORCH_STORE" in done[2].out
    assert "ORCH_PUBLISH_URL" in done[4].err
    assert [one.status for one in done[1:]] == [1, 1, 2, 2]
    _check_all(orch, sought, done, commands)


@pytest.mark.slow
def test_the_ui_and_the_daemon_show_no_secret(
    open_orch: Orch, sought: Sought, tmp_path: Path
) -> None:
    orch, said = open_orch, tmp_path / "said.txt"
    for slug in ("refusal", "mistaken", "answer"):
        write_brief(orch.folder / "inbox", slug)
    with process_list() as commands, served(orch, said) as (ui, _):
        added = orch.run("add", "inbox")
        wait_for("all articles", lambda: _have_ended(orch), seconds=240)
        told = _told(ui)
    broken = [word for word in ("PythonError", "GraphenePythonError") if word in told]
    assert broken == []
    assert "you sent Bearer ***" in told
    assert sought.in_text(told) == []
    assert sought.in_file(said) == []
    assert any("dagster" in command for command in commands)
    _check_all(orch, sought, [added], commands)


def _have_ended(orch: Orch) -> bool:
    states = {report["state"] for report in orch.run("status", "--json").json}
    return bool(states) and not states & {"new", "running", "rework"}


def _told(ui: Ui) -> str:
    """All that the pages of the UI are made of."""
    repository = {"repositoryName": "__repository__", "repositoryLocationName": LOCATION}
    answers: list[Any] = [
        ui.ask(_INSTANCE),
        ui.ask(_RESOURCES, repository=repository),
        *(ui.ask(query) for query in (_LOCATIONS, _RUNS, _NODES)),
    ]
    assert answers[0]["instance"]["info"]
    assert {one["name"] for one in answers[1]["allTopLevelResourceDetailsOrError"]["results"]} >= {
        "model",
        "publisher",
        "rows",
    }
    assert all(run["eventConnection"]["events"] for run in answers[3]["runsOrError"]["results"])
    return json.dumps(answers)
