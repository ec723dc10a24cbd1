"""Wrong keys, models and addresses: one sentence that names the setting, and nothing tried again."""

from typing import Any

import pytest

from orch_dagster.model import ConfigurationError, ModelError
from orch_dagster.settings import SettingError
from resources.model.endpoint import open_endpoint
from tests.model.asks import answer, ask
from tests.model.conftest import KEY, LIMITS, Raw
from tests.model.raw_server import in_turn, reply

OPENAI_KEY = {"message": "Incorrect API key provided.", "code": "invalid_api_key"}
OPENAI_MODEL = {"message": "The model `a-model` does not exist", "code": "model_not_found"}


@pytest.mark.parametrize(
    ("status", "body", "setting"),
    [
        (401, {"error": OPENAI_KEY}, "OPENAI_API_KEY: .* refused the key"),
        (401, {"detail": "Not authenticated"}, "OPENAI_API_KEY: .* refused the key"),
        (403, {"error": "country not supported"}, "OPENAI_API_KEY: .* refused the key"),
        (404, {"error": OPENAI_MODEL}, "ORCH_MODEL_FAST: .* has no model 'a-model'"),
        (404, {"error": {"message": "model 'a-model' not found"}}, "ORCH_MODEL_FAST"),
        (404, {"error": {"code": "DeploymentNotFound", "message": "No."}}, "ORCH_MODEL_FAST"),
        (400, {"error": "Invalid model name passed in model=a-model"}, "ORCH_MODEL_FAST"),
        (400, {"error": {"message": "a-model is not a valid model ID"}}, "ORCH_MODEL_FAST"),
        (404, {"detail": "Not Found"}, "OPENAI_BASE_URL: .* '/v1' at its end"),
        (405, {"detail": "Method Not Allowed"}, "OPENAI_BASE_URL: .* '/v1' at its end"),
        (404, "404 page not found", "OPENAI_BASE_URL: .* '/v1' at its end"),
        (402, {"error": {"message": "Insufficient Balance"}}, "OPENAI_API_KEY: the quota"),
        (
            400,
            {"error": {"message": "Your credit balance is too low"}},
            "OPENAI_API_KEY: the quota .* is used up",
        ),
    ],
)
def test_the_setting_to_change_is_named(raw: Raw, status: int, body: Any, setting: str) -> None:
    client, server = raw(in_turn(reply(body, status=status)))
    with pytest.raises(ConfigurationError, match=f"^{setting}"):
        answer(client)
    assert len(server.heard) == 1


def test_the_setting_of_the_role_is_named(raw: Raw) -> None:
    client, _ = raw(in_turn(reply({"error": OPENAI_MODEL}, status=404)))
    with pytest.raises(ConfigurationError, match=r"^ORCH_MODEL_REASONING"):
        answer(client, ask(role="reasoning"))


def test_a_server_that_is_not_there_is_named(raw: Raw) -> None:
    client, _ = raw(in_turn(b""), OPENAI_BASE_URL="http://127.0.0.1:9/v1")
    with pytest.raises(ModelError) as caught:
        answer(client)
    assert "OPENAI_BASE_URL: http://127.0.0.1:9/v1 gives no reply (Connection refused)" in str(
        caught.value
    )


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("OPENAI_BASE_URL", "127.0.0.1:8000/v1", "no address such as"),
        ("OPENAI_BASE_URL", "ftp://models.example/v1", "no address such as"),
        ("OPENAI_BASE_URL", "http:///v1", "no address such as"),
        ("OPENAI_BASE_URL", "http://models.example:port/v1", "no address such as"),
        ("OPENAI_BASE_URL", "http://models example/v1", "no address such as"),
        ("OPENAI_BASE_URL", "http://[::1/v1", "no address such as"),
        ("OPENAI_BASE_URL", "http://h/v1/chat/completions", "leave that off"),
        ("OPENAI_API_KEY", "two words", "holds a space"),
        ("OPENAI_API_KEY", "sk-\nkey", "holds a space"),
        ("OPENAI_API_KEY", "schlüssel", "holds a space or a letter"),
        ("ORCH_TEMPERATURE", "warm", "'warm' is not a number from 0 to 2"),
        ("ORCH_TEMPERATURE", "nan", "'nan' is not a number"),
        ("ORCH_TEMPERATURE", "3", "'3' is not a number"),
        ("ORCH_MODEL", "", "no model is set"),
    ],
)
def test_a_setting_that_no_request_can_carry_is_refused(name: str, value: str, said: str) -> None:
    env = {"OPENAI_API_KEY": KEY, "ORCH_MODEL": "a-model", name: value}
    with pytest.raises(SettingError, match=said) as caught, open_endpoint(env):
        pass
    assert str(caught.value).startswith("ORCH_MODEL_" if name == "ORCH_MODEL" else f"{name}: ")


def test_a_wrong_setting_is_a_wrong_setting_to_the_chain_too(raw: Raw) -> None:
    client, _ = raw(in_turn(b""), ORCH_MODEL="")
    with pytest.raises(ConfigurationError, match=r"^ORCH_MODEL_REASONING: no model is set"):
        answer(client)
    with pytest.raises(ConfigurationError, match=r"^ORCH_MODEL_REASONING: no model is set"):
        client.settings("fast")


def test_an_address_may_carry_a_login_and_a_query(raw: Raw) -> None:
    client, server = raw(in_turn(reply({"error": OPENAI_KEY}, status=401)))
    client.close()
    host = server.base_url.removeprefix("http://")
    client, _ = raw(
        in_turn(b""),
        LIMITS,
        OPENAI_BASE_URL=f"http://ada:l%40velace@{host}/?api-version=2024-10-21",
    )
    with pytest.raises(ConfigurationError):
        answer(client)
    heard = server.heard[0]
    assert heard.path == "/v1/chat/completions?api-version=2024-10-21"
    assert heard.headers["authorization"] == "Basic YWRhOmxAdmVsYWNl"


def test_a_trace_with_letters_that_no_header_has_is_encoded(raw: Raw) -> None:
    client, server = raw(in_turn(reply({"choices": [{"message": {"content": "Words."}}]})))
    answer(client, ask(trace="translation/сніг/translate/piece#1"))
    assert server.heard[0].trace == "translation/%D1%81%D0%BD%D1%96%D0%B3/translate/piece#1"
