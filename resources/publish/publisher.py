"""Where finished translations go: a folder, and a server that is told."""

import asyncio

from orch_dagster.core.ledger import Document
from orch_dagster.publication import Publication
from resources.publish.folder import Folder
from resources.publish.rendering import rendered
from resources.publish.webhook import Pause, Webhook


class Publisher:
    """Writes articles to a folder on any fsspec URL and, where there is one, tells a webhook.

    Both addresses are the user's own settings, so private ones are allowed.
    """

    def __init__(
        self,
        target_url: str,
        *,
        webhook_url: str | None,
        webhook_secret: str | None,
        pause: Pause = asyncio.sleep,
    ) -> None:
        """Nothing is written or sent yet.

        Raises:
            PublishError: an address that cannot be used.
        """
        self._folder = Folder(target_url)
        self._webhook = Webhook(webhook_url, webhook_secret, pause=pause) if webhook_url else None

    def render(self, publication: Publication) -> str:
        """The text as it goes out: a YAML head and the body."""
        return rendered(publication)

    async def publish(self, publication: Publication) -> Document:
        """Publish the article, in place of what was published under its key before.

        Publishing the same again is safe: the file is replaced by itself, and the webhook gets the
        same idempotency key.

        Raises:
            PublishError: the folder or the server did not take it.
        """
        document = await asyncio.to_thread(self._folder.put, publication)
        if self._webhook is not None:
            await self._webhook.send(publication, document)
        return document
