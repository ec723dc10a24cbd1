"""What tokens cost, by the published prices that `genai-prices` carries."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from genai_prices import Usage as PricedUsage
from genai_prices import calc_price

from orch_dagster.core.spending import Usage

Way = Literal["live", "batch"]
"""How a request was made: by itself, or as a row of a batch."""

_BATCH: Mapping[str, str] = {"processing": "batch"}
"""How `genai-prices` names the price of a row of a batch."""

_HALF = frozenset({"openai", "azure"})
"""Providers that sell batches at half the price of the same tokens, where no price of a row is listed:
OpenAI (help.openai.com, "Batch API FAQ": 50 % less than the synchronous APIs) and Azure (Microsoft
Learn, "Global batch deployments": 50 % less cost than global standard)."""


def cost_usd(usage: Usage, *, models: tuple[str, ...], base_url: str, way: Way) -> float | None:
    """US dollars for these tokens, or None where the server's price for the model is not known.

    `models` are the model's names, the most exact first: an alias or a name of one's own has no
    price where the name that the server answered with may have one. The price hangs on the
    server's address: a model of the same name on a server of one's own has no published price,
    and none is invented. A row of a batch costs what the list says of batches.
    """
    prompt, completion = usage.prompt_tokens, usage.completion_tokens
    cached = usage.cached_tokens or 0
    model = next((name for name in models if is_priced(name, base_url)), None)
    if model is None or prompt is None or completion is None or cached > prompt:
        return None
    priced = PricedUsage(input_tokens=prompt, cache_read_tokens=cached, output_tokens=completion)
    if way == "batch":
        return _row_usd(priced, model, base_url)
    return float(calc_price(priced, model, provider_api_url=base_url).total_price)


def _row_usd(priced: PricedUsage, model: str, base_url: str) -> float | None:
    row = calc_price(priced, model, provider_api_url=base_url, price_context=_BATCH)
    # A gateway's model may be another provider's, whose prices of rows are not the gateway's.
    own = any(row.model is listed for listed in row.provider.models)
    if own and any(variant.when == _BATCH for variant in row.model.price_variants or ()):
        return float(row.total_price)
    return float(row.total_price) / 2 if row.provider.id in _HALF else None


@lru_cache(maxsize=256)
def is_priced(model: str, base_url: str) -> bool:
    """Whether the server's price for the model is known."""
    try:
        calc_price(PricedUsage(input_tokens=1), model, provider_api_url=base_url)
    except LookupError:
        return False
    return True
