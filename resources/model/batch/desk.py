"""Asks what can wait in batches, and the rest at once, of one server on one event loop."""

import json

from orch_dagster.model import Ask, ConfigurationError, ModelError, Reply
from resources.model.batch.awaited import Broken, Office
from resources.model.batch.gathering import Gathering
from resources.model.batch.note import BatchNotes
from resources.model.batch.pace import Pace
from resources.model.batch.post import Post
from resources.model.batch.row import BatchRow, batch_row
from resources.model.conversation import Begun, Conversation
from resources.model.dialect import Dialect
from resources.model.endpoint import Endpoint
from resources.model.failure import Failure
from resources.model.flights import Flights
from resources.model.verdicts import Adapt, Sent, verdict


class BatchDesk:
    """A first try is a row of a batch; what it then needs, the conversation asks at once.

    A row that was refused for its form alone is said in another form in the next batch, so that
    what a server does not take costs a batch's time and not the price of calls.
    """

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
        return await self._flights.join(key, lambda: self._answer(request))

    async def close(self) -> None:
        """End what is waited for, and the connections; batches that were sent go on."""
        await self._flights.close()
        await self._gathering.close()
        await self._post.close()

    async def _answer(self, request: Ask) -> Reply:
        learned = Dialect()
        while True:
            sent = self._conversation.said(request, learned)
            begun = await self._begun(sent)
            said = verdict(begun.found, sent) if isinstance(begun.found, Failure) else None
            if not isinstance(said, Adapt):
                return await self._conversation.go_on(begun)
            learned = sent.dialect.without(said.form)

    async def _begun(self, sent: Sent) -> Begun:
        row = batch_row(sent)
        if not isinstance(row, BatchRow):
            return Begun(sent, row, 0.0)
        match await self._gathering.end_of(row):
            case Broken(why=why, misconfigured=True):
                raise ConfigurationError(why)
            case Broken(why=why):
                raise ModelError(f"{sent.request.trace}: {why}")
            case ended:
                found = ended.results.get(row.custom_id, ended.missing)
                return Begun(sent, found, ended.latency_s)
