"""The server that is told: signed, once for each content, again where it was out of order."""

import asyncio
import hmac
import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import pytest

from orch_dagster.core.ledger import Document
from resources.publish.failure import PublishError
from resources.publish.publisher import Publisher
from tests.publish.server import Hooks, running_hooks
from tests.publish.test_publisher import ARTICLE

SECRET = "s3cret-of-ours"


@pytest.fixture
def hooks() -> Iterator[Hooks]:
    with running_hooks() as running:
        yield running


class Clock:
    """Pauses that are only written down."""

    def __init__(self) -> None:
        self.waited: list[float] = []

    async def pause(self, seconds: float) -> None:
        self.waited.append(seconds)


def publish(
    hooks: Hooks, article=ARTICLE, *, clock: Clock | None = None, secret: str | None = SECRET
) -> Document:
    publisher = Publisher(
        f"memory://{uuid4()}",
        webhook_url=hooks.url,
        webhook_secret=secret,
        pause=(clock or Clock()).pause,
    )
    return asyncio.run(publisher.publish(article))


def failure(hooks: Hooks, *, clock: Clock | None = None) -> str:
    with pytest.raises(PublishError) as caught:
        publish(hooks, clock=clock)
    return str(caught.value)


def test_the_server_gets_the_article_with_a_signature_of_its_bytes(hooks: Hooks) -> None:
    document = publish(hooks)
    [(headers, body)] = hooks.got
    signature = hmac.new(SECRET.encode(), body, "sha256").hexdigest()
    assert headers["x-orch-signature"] == f"sha256={signature}"
    assert headers["idempotency-key"] == document.sha256
    assert headers["content-type"] == "application/json"
    told = json.loads(body)
    assert told["title"] == ARTICLE.title
    assert told["markdown"] == ARTICLE.body
    assert told["sha256"] == document.sha256
    assert document.url.endswith(told["file"])


def test_the_same_content_has_the_same_key_and_body_and_another_has_another(hooks: Hooks) -> None:
    publish(hooks)
    publish(hooks)
    publish(hooks, replace(ARTICLE, body="Інший текст."))
    keys = [headers["idempotency-key"] for headers, _ in hooks.got]
    assert keys[0] == keys[1] != keys[2]
    assert hooks.got[0][1] == hooks.got[1][1]


def test_without_a_secret_nothing_is_signed(hooks: Hooks) -> None:
    publish(hooks, secret=None)
    assert "x-orch-signature" not in hooks.got[0][0]


@pytest.mark.parametrize("status", [500, 503, 429, 408, 0])
def test_a_server_out_of_order_is_asked_again_with_the_same_key(status: int, hooks: Hooks) -> None:
    hooks.statuses = [status, status, 200]
    clock = Clock()
    publish(hooks, clock=clock)
    assert len({headers["idempotency-key"] for headers, _ in hooks.got}) == 1
    assert clock.waited == [0.5, 1.0]


def test_a_time_that_the_server_names_is_kept_within_bounds(hooks: Hooks) -> None:
    hooks.statuses, hooks.headers = [429, 429, 200], {"Retry-After": "7"}
    clock = Clock()
    publish(hooks, clock=clock)
    assert clock.waited == [7.0, 7.0]
    hooks.statuses, hooks.headers = [429, 200], {"Retry-After": "86400"}
    publish(hooks, clock=clock)
    assert clock.waited[-1] == 30.0


def test_a_server_that_stays_out_of_order_is_given_up_in_words(hooks: Hooks) -> None:
    hooks.statuses = [503]
    clock = Clock()
    said = failure(hooks, clock=clock)
    assert "the webhook at '127.0.0.1' failed 5 times, at last: status 503" in said
    assert clock.waited == [0.5, 1.0, 2.0, 4.0]


@pytest.mark.parametrize(
    ("status", "says"), [(400, "status 400"), (401, "secret"), (404, "address"), (302, "redirect")]
)
def test_a_refusal_is_told_and_not_repeated(status: int, says: str, hooks: Hooks) -> None:
    hooks.statuses, hooks.headers = [status], {"Location": "http://127.0.0.1:1/"}
    said = failure(hooks)
    assert "refused the article" in said
    assert says in said
    assert len(hooks.got) == 1


def test_a_server_that_is_not_there_is_told() -> None:
    assert "it cannot be reached (ConnectError)" in failure(Hooks("http://127.0.0.1:1/hooks/t0ken"))


def test_neither_secret_nor_address_is_told(hooks: Hooks, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    hooks.statuses = [403]
    said = failure(hooks)
    assert SECRET not in said + caplog.text
    assert "t0ken" not in said
    publisher = Publisher("memory://x", webhook_url=hooks.url, webhook_secret=SECRET)
    assert SECRET not in repr(publisher) + str(vars(publisher))


@pytest.mark.parametrize("url", ["ftp://x/y", "x", "http://", "http://[x"])
def test_a_webhook_that_is_no_web_address_is_told(url: str) -> None:
    with pytest.raises(PublishError, match="the webhook: "):
        Publisher("memory://x", webhook_url=url, webhook_secret=None)
