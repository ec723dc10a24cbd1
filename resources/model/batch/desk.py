"""Asks what can wait in batches, and the rest at once, of one server on one event loop."""

import json

from orch_dagster.model import Ask, ConfigurationError, ModelError, Reply
from resources.model.batch.awaited import Broken, Office
from resources.model.batch.gathering import Gathering
from resources.model.batch.note import BatchNotes
from resources.model.batch.pace import Pace
from resources.model.batch.post import Post
from resources.model.batch.row import BatchRow, batch_row
from resources.model.conversation import Batched, Conversation
from resources.model.endpoint import Endpoint
from resources.model.flights import Flights
from resources.model.verdicts import Sent


class BatchDesk:
    """A first try is a row of a batch; what it then needs, the conversation asks at once."""

    def __init__(
        self, endpoint: Endpoint, conversation: Conversation, notes: BatchNotes, pace: Pace
    ) -> None:
        self._conversation = conversation
        self._post = Post(endpoint)
        self._gathering = Gathering(Office(endpoint, self._post, notes, pace))
        self._flights = Flights()

    async def ask(self, request: Ask) -> Reply:
        """The answer to one request; see `Model.ask`.

        The same request of the same prompt is one row; two articles that ask the same are two,
        which cost what one call does, and each is found again by its own trace.
        """
        schema = json.dumps(request.schema, sort_keys=True) if request.schema else None
        key = (request.trace, request.messages, schema, request.role, request.max_tokens)
        return await self._flights.join(
            key, lambda: self._conversation.ask_in_batch(request, self._in_batch)
        )

    async def close(self) -> None:
        """End what is waited for, and the connections; batches that were sent go on."""
        await self._flights.close()
        await self._gathering.close()
        await self._post.close()

    async def _in_batch(self, sent: Sent) -> Batched:
        row = batch_row(sent)
        if not isinstance(row, BatchRow):
            return Batched(row, 0.0)
        match await self._gathering.end_of(row):
            case Broken(why=why, misconfigured=True):
                raise ConfigurationError(why)
            case Broken(why=why):
                raise ModelError(f"{sent.request.trace}: {why}")
            case ended:
                found = ended.results.get(row.custom_id, ended.missing)
                return Batched(found, ended.latency_s)
