"""What tokens cost, by the published prices that `genai-prices` carries."""

from functools import lru_cache

from genai_prices import Usage as PricedUsage
from genai_prices import calc_price

from orch_dagster.model import Usage


def cost_usd(usage: Usage, *, model: str, base_url: str) -> float | None:
    """US dollars for these tokens, or None where the server's price for the model is not known.

    The price hangs on the server's address: a model of the same name on a server of one's own
    has no published price, and none is invented.
    """
    if usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    if not _is_priced(model, base_url):
        return None
    priced = PricedUsage(
        input_tokens=usage.prompt_tokens,
        cache_read_tokens=usage.cached_tokens or 0,
        output_tokens=usage.completion_tokens,
    )
    return float(calc_price(priced, model, provider_api_url=base_url).total_price)


@lru_cache(maxsize=256)
def _is_priced(model: str, base_url: str) -> bool:
    try:
        calc_price(PricedUsage(input_tokens=1), model, provider_api_url=base_url)
    except LookupError:
        return False
    return True
