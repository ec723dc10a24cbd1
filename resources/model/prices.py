"""What tokens cost, by the published prices that `genai-prices` carries."""

from functools import lru_cache

from genai_prices import Usage as PricedUsage
from genai_prices import calc_price

from orch_dagster.core.spending import Usage


def cost_usd(usage: Usage, *, models: tuple[str, ...], base_url: str) -> float | None:
    """US dollars for these tokens, or None where the server's price for the model is not known.

    `models` are the model's names, the most exact first: an alias or a name of one's own has no
    price where the name that the server answered with may have one. The price hangs on the
    server's address: a model of the same name on a server of one's own has no published price,
    and none is invented.
    """
    prompt, completion = usage.prompt_tokens, usage.completion_tokens
    cached = usage.cached_tokens or 0
    model = next((name for name in models if is_priced(name, base_url)), None)
    if model is None or prompt is None or completion is None or cached > prompt:
        return None
    priced = PricedUsage(input_tokens=prompt, cache_read_tokens=cached, output_tokens=completion)
    return float(calc_price(priced, model, provider_api_url=base_url).total_price)


@lru_cache(maxsize=256)
def is_priced(model: str, base_url: str) -> bool:
    """Whether the server's price for the model is known."""
    try:
        calc_price(PricedUsage(input_tokens=1), model, provider_api_url=base_url)
    except LookupError:
        return False
    return True
