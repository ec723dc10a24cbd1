"""A server that is told of each published article."""

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable
from hashlib import sha256
from urllib.parse import urlsplit

import httpx2

from orch_dagster.core.ledger import Document
from orch_dagster.publication import Publication
from resources.publish.failure import PublishError
from resources.publish.rendering import encodable, head

Pause = Callable[[float], Awaitable[None]]

_WAITS = (0.5, 1.0, 2.0, 4.0)
"""Seconds between the five tries, where the server names no time itself."""
_LONGEST_WAIT = 30.0
_SECONDS = 30
_PASSING = frozenset((408, 425, 429))


class Webhook:
    """Posts JSON, signed, and again where the server was out of order.

    `X-Orch-Signature` is `sha256=` and the HMAC-SHA256 of the body in hex; without a secret it is
    left out. `Idempotency-Key` is the hash of the published document: a server that has seen it
    has the article. The address may hold a token, so messages name the host alone.
    """

    def __init__(self, url: str, secret: str | None, *, pause: Pause = asyncio.sleep) -> None:
        """Nothing is sent yet.

        Raises:
            PublishError: no http or https address.
        """
        try:
            parts = urlsplit(url)
            host = parts.hostname
            httpx2.URL(url)
        except (ValueError, httpx2.InvalidURL):
            raise PublishError("the webhook: is no web address (ORCH_WEBHOOK_URL)") from None
        if parts.scheme.lower() not in ("http", "https") or not host:
            raise PublishError("the webhook: must be an address that begins with http or https")
        self._url = url
        self._host = host
        self._secret = secret
        self._pause = pause

    async def send(self, article: Publication, document: Document) -> None:
        """Tell the server of an article that lies in its folder.

        Raises:
            PublishError: the server refuses it, or is out of order also at the last try.
        """
        body = _body(article, document)
        headers = {"Content-Type": "application/json", "Idempotency-Key": document.sha256}
        if self._secret:
            digest = hmac.new(self._secret.encode(), body, sha256).hexdigest()
            headers["X-Orch-Signature"] = f"sha256={digest}"
        async with httpx2.AsyncClient(timeout=_SECONDS, follow_redirects=False) as client:
            failure, named = await self._try(client, body, headers)
            for wait in _WAITS:
                if failure is None:
                    return
                await self._pause(wait if named is None else min(named, _LONGEST_WAIT))
                failure, named = await self._try(client, body, headers)
        if failure is not None:
            raise PublishError(
                f"the webhook at {self._host!r} failed {len(_WAITS) + 1} times, at last: {failure}; "
                "the file is written, publish again when the server is well"
            )

    async def _try(
        self, client: httpx2.AsyncClient, body: bytes, headers: dict[str, str]
    ) -> tuple[str | None, float | None]:
        """What failed in passing, or None, and the seconds that the server asks for."""
        try:
            response = await client.post(self._url, content=body, headers=headers)
        except httpx2.HTTPError as error:
            return f"it cannot be reached ({type(error).__name__})", None
        status = response.status_code
        if 200 <= status < 300:
            return None, None
        if status >= 500 or status in _PASSING:
            named = response.headers.get("retry-after", "").strip()
            return f"status {status}", float(named) if named.isdecimal() else None
        raise PublishError(
            f"the webhook at {self._host!r} refused the article with status {status}"
            f"{_hint(status)}; the file is written"
        )


def _hint(status: int) -> str:
    if status in (401, 403):
        return " (does the secret agree with the server's?)"
    if 300 <= status < 400:
        return " (a redirect is not followed; set the address it leads to)"
    return " (check the address)" if status in (404, 405, 410) else ""


def _body(article: Publication, document: Document) -> bytes:
    """The same bytes for the same article: only what is published is in them."""
    told = {**head(article), "file": document.url.rpartition("/")[2], "sha256": document.sha256}
    return json.dumps({**told, "markdown": encodable(article.body)}, ensure_ascii=False).encode()
