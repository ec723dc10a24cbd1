"""Asks the configured server whether it knows the models, before any article is started."""

import openai

from orch_dagster.settings import SettingError, Settings
from resources.model.endpoint import is_configured, open_endpoint


def probe_model(settings: Settings) -> str:
    """Which server answers with which models, in words.

    Raises:
        SettingError: it cannot be reached, refuses the key, or does not have a model.
    """
    if not is_configured():
        return "none is configured; the built-in simulator stands in"
    with open_endpoint() as endpoint:
        client = openai.OpenAI(
            api_key=endpoint.key, base_url=endpoint.base_url, max_retries=1, timeout=20
        )
        with client:
            for role, model in endpoint.models.items():
                _ask(client, role, model, endpoint.base_url)
        names = ", ".join(f"{role} {model!r}" for role, model in endpoint.models.items())
        return f"{endpoint.base_url} answers ({names})"


def _ask(client: openai.OpenAI, role: str, model: str, base_url: str) -> None:
    setting = f"ORCH_MODEL_{role.upper()}"
    try:
        reply = client.chat.completions.create(
            model=model, messages=[{"role": "user", "content": "Answer with the word: ready"}]
        )
    except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
        raise SettingError(
            f"OPENAI_API_KEY: {base_url} refused the key: {error.message}"
        ) from error
    except openai.NotFoundError as error:
        raise SettingError(
            f"{setting} or OPENAI_BASE_URL: {base_url} does not know {model!r}, or lacks '/v1' at "
            f"its end: {error.message[:200]}"
        ) from error
    except openai.APIError as error:
        raise SettingError(f"OPENAI_BASE_URL: {base_url}: {error.message[:200]}") from error
    if not getattr(reply, "choices", None):
        raise SettingError(
            f"OPENAI_BASE_URL: {base_url} answered with no chat completion; does it lack '/v1'?"
        )
