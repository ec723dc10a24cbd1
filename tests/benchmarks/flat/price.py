"""What logged requests would have cost at a named model, with and without its prefix cache."""

from dataclasses import dataclass

from genai_prices import Usage, calc_price

from tests.benchmarks.flat.meter import Request

PROVIDER, MODEL = "openai", "gpt-5.4"
"""A model that could hold such a window (1,050,000 tokens), whose tokenizer is the one used here
and whose cached tokens cost a tenth; above 272,000 tokens of context its tokens cost more."""


@dataclass(frozen=True, slots=True)
class Cost:
    """US dollars, by the list that `genai-prices` carries."""

    cached: float
    uncached: float

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.cached + other.cached, self.uncached + other.uncached)


def cost_of(request: Request, model: str) -> Cost:
    """One request with its answer, priced alone: some prices rise with the context.

    Raises:
        LookupError: the list has no price for the model.
    """
    return Cost(
        cached=_usd(request, model, cached=request.cached),
        uncached=_usd(request, model, cached=0),
    )


def _usd(request: Request, model: str, *, cached: int) -> float:
    usage = Usage(
        input_tokens=request.context, cache_read_tokens=cached, output_tokens=request.completion
    )
    return float(calc_price(usage, model, provider_id=PROVIDER).total_price)
