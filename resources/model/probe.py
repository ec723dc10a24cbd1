"""Asks the configured server whether it is there, takes the key and has the models."""

import asyncio
from collections.abc import Mapping

from orch_dagster.model import Ask, Message, ModelError, Role
from orch_dagster.settings import SettingError, Settings
from resources.model.batch.awaited import NO_API, no_batches
from resources.model.batch.post import Post
from resources.model.conversation import Conversation, Limits, unpriced
from resources.model.endpoint import Endpoint, is_configured, open_endpoint
from resources.model.failure import Failure
from resources.model.prices import is_priced

PATIENCE_S, FIRST_PAUSE_S = 60.0, 0.1
"""A server of one's own may have to load the model first; one that is not there is soon known."""

_WITHOUT_KEY = {"Authorization": ""}


def probe_model(settings: Settings) -> str:
    """Which server answers with which models, in words; each model is asked for one token.

    Raises:
        SettingError: it cannot be reached, refuses the key, or lacks a model; all there is to
            say, a sentence a line.
    """
    return asyncio.run(_probe(settings, {}))


def glance_at_model(settings: Settings) -> str:
    """The same, but a model that the server lists is not asked, where the list needs the key.

    Raises:
        SettingError: as `probe_model`.
    """
    return asyncio.run(_probe(settings, _WITHOUT_KEY))


def probe_batches() -> None:
    """Whether the configured server lists batches; what else is wrong with it shows elsewhere.

    Raises:
        SettingError: it has no Batch API.
    """
    if is_configured():
        asyncio.run(_probe_batches())


async def _probe_batches() -> None:
    with open_endpoint() as endpoint:
        post = Post(endpoint)
        try:
            found = await post.listed(after=None)
        finally:
            await post.close()
    if isinstance(found, Failure) and found.seen in NO_API:
        raise SettingError(no_batches(endpoint.base_url, found))


async def _probe(settings: Settings, bare: Mapping[str, str]) -> str:
    if not is_configured():
        return "none is configured; the built-in simulator stands in"
    with open_endpoint() as endpoint:
        limits = Limits(2, min(PATIENCE_S, settings.call_timeout_s), first_pause_s=FIRST_PAUSE_S)
        conversation = Conversation(endpoint, limits)
        try:
            listed = await _listed(conversation, bare) if bare else ()
            mistakes = await asyncio.gather(
                *(_mistake(conversation, role, endpoint, listed) for role in endpoint.models)
            )
            mistakes += _unpriced(settings, endpoint)
        finally:
            await conversation.close()
    if said := list(dict.fromkeys(filter(None, mistakes))):
        raise SettingError("\n".join(said))
    names = ", ".join(f"{role} {model!r}" for role, model in endpoint.models.items())
    return f"{endpoint.base_url} answers ({names})"


def _unpriced(settings: Settings, endpoint: Endpoint) -> list[str | None]:
    """Where there is a budget in dollars alone, the models that it cannot hold for."""
    if settings.budget.usd is None or settings.budget.tokens is not None:
        return []
    return [
        None if is_priced(model, endpoint.base_url) else unpriced(model, endpoint.base_url)
        for model in endpoint.models.values()
    ]


async def _listed(conversation: Conversation, bare: Mapping[str, str]) -> tuple[str, ...]:
    """What the server lists for the key alone: a list that anyone can read proves no key."""
    known, free = await asyncio.gather(
        conversation.models(headers={}), conversation.models(headers=dict(bare))
    )
    return known if known is not None and free is None else ()


async def _mistake(
    conversation: Conversation, role: Role, endpoint: Endpoint, listed: tuple[str, ...]
) -> str | None:
    model = endpoint.models[role]
    if model in listed:
        return None
    try:
        await conversation.reach(_question(role), model=model)
    except ModelError as error:
        return str(error).removeprefix(f"{_trace(role)}: ")
    return None


def _question(role: Role) -> Ask:
    return Ask(
        messages=(Message("user", "Answer with the word: ready"),),
        role=role,
        schema_name=None,
        schema=None,
        max_tokens=1,
        trace=_trace(role),
        library="check",
        chain_length=1,
    )


def _trace(role: Role) -> str:
    return f"check/{role}"
