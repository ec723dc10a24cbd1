"""What calls cost: every try that was billed, by published prices, and nothing invented."""

from typing import Any

import pytest

from orch_dagster.core.spending import Usage
from orch_dagster.model import ModelError
from resources.model.prices import Way, cost_usd
from tests.model.asks import answer
from tests.model.conftest import Raw
from tests.model.raw_server import completion, in_turn, reply

OPENAI = "https://api.openai.com/v1"
TOKENS = Usage(prompt_tokens=1_000_000, completion_tokens=100_000)


def price(usage: Usage, base_url: str, *models: str, way: Way = "live") -> float | None:
    return cost_usd(usage, models=models, base_url=base_url, way=way)


def test_a_published_price_is_known_and_cached_tokens_cost_less() -> None:
    # OpenAI's price list for gpt-4o, a million tokens: 2.50 in, 1.25 cached, 10.00 out.
    assert price(TOKENS, OPENAI, "gpt-4o") == pytest.approx(2.50 + 1.00)
    cached = TOKENS.model_copy(update={"cached_tokens": 600_000})
    assert price(cached, OPENAI, "gpt-4o") == pytest.approx(0.4 * 2.50 + 0.6 * 1.25 + 1.00)


def test_a_row_of_a_batch_costs_what_the_list_says_of_batches() -> None:
    # OpenAI's price list, tab "Batch": gpt-4o 1.25 in, 5.00 out; gpt-5 0.625, 0.0625 cached, 5.00.
    assert price(TOKENS, OPENAI, "gpt-4o", way="batch") == pytest.approx(1.25 + 0.50)
    cached = TOKENS.model_copy(update={"cached_tokens": 600_000})
    expected = 0.4 * 0.625 + 0.6 * 0.0625 + 0.50
    assert price(cached, OPENAI, "gpt-5", way="batch") == pytest.approx(expected)


def test_where_no_price_of_a_row_is_listed_it_is_half_or_unknown() -> None:
    azure = "https://studio.openai.azure.com/openai/v1"
    assert price(TOKENS, azure, "gpt-4o", way="batch") == pytest.approx(1.75)
    groq = "https://api.groq.com/openai/v1"
    assert price(TOKENS, groq, "llama-3.3-70b-versatile", way="live") is not None
    assert price(TOKENS, groq, "llama-3.3-70b-versatile", way="batch") is None
    assert price(TOKENS, "http://127.0.0.1:8000/v1", "gpt-4o", way="batch") is None


@pytest.mark.parametrize(
    ("base_url", "model"),
    [
        ("https://studio.openai.azure.com/openai/v1", "gpt-4o"),
        ("https://openrouter.ai/api/v1", "openai/gpt-4o"),
        ("https://api.groq.com/openai/v1", "llama-3.3-70b-versatile"),
        ("https://generativelanguage.googleapis.com/v1beta/openai", "gemini-2.5-flash"),
    ],
)
def test_known_gateways_have_prices(base_url: str, model: str) -> None:
    assert (price(TOKENS, base_url, model) or 0) > 0


def test_a_name_of_one_s_own_is_priced_by_the_name_that_the_server_gives() -> None:
    azure = "https://studio.openai.azure.com/openai/v1"
    assert price(TOKENS, azure, "our-deployment") is None
    assert price(TOKENS, azure, "gpt-4o-2024-08-06", "our-deployment") == pytest.approx(3.50)


@pytest.mark.parametrize(
    ("usage", "base_url", "model"),
    [
        (TOKENS, "http://127.0.0.1:8000/v1", "gpt-4o"),
        (TOKENS, "https://models.example/v1", "gpt-4o"),
        (TOKENS, OPENAI, "model-of-tomorrow"),
        (Usage(prompt_tokens=10), OPENAI, "gpt-4o"),
        (Usage(completion_tokens=10), OPENAI, "gpt-4o"),
        (Usage(), OPENAI, "gpt-4o"),
        (Usage(prompt_tokens=1, cached_tokens=2, completion_tokens=1), OPENAI, "gpt-4o"),
    ],
)
def test_what_is_not_known_has_no_price(usage: Usage, base_url: str, model: str) -> None:
    assert price(usage, base_url, model) is None


def used(prompt: int, completion_tokens: int, cached: int) -> dict[str, Any]:
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion_tokens,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def test_every_try_that_was_billed_is_counted(raw: Raw) -> None:
    client, _ = raw(
        in_turn(
            reply({"choices": [], "usage": used(30, 0, 0)}),
            reply(b"", status=502),
            reply(completion("Wor", finish_reason="length", usage=used(30, 100, 10))),
            reply(completion(usage=used(30, 150, 20))),
        )
    )
    said = answer(client)
    assert said.usage == Usage(prompt_tokens=90, cached_tokens=30, completion_tokens=250)
    assert said.tries == 4


def test_a_failure_says_what_it_cost(raw: Raw) -> None:
    client, _ = raw(in_turn(reply(completion("Wor", finish_reason="length", usage=used(30, 9, 0)))))
    with pytest.raises(ModelError) as caught:
        answer(client)
    assert caught.value.usage.total == 78
    assert caught.value.cost_usd is None  # a server of one's own has no price


def test_a_failure_without_an_answer_cost_nothing(raw: Raw) -> None:
    client, _ = raw(in_turn(reply(b"", status=418)))
    with pytest.raises(ModelError) as caught:
        answer(client)
    assert (caught.value.usage.total, caught.value.cost_usd) == (0, 0)


def test_a_price_that_is_unknown_once_makes_the_sum_unknown(raw: Raw) -> None:
    cut = reply(completion("Wor", finish_reason="length", usage=None))
    client, _ = raw(in_turn(cut, reply(completion())))
    said = answer(client)
    assert said.cost_usd is None
    assert said.usage == Usage(prompt_tokens=10, completion_tokens=5)
