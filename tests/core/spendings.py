"""Spending that hypothesis can draw; sums of quarters are exact."""

from hypothesis import strategies as st

from orch_dagster.core.spending import Spending, Spent, Usage

TOKENS = st.none() | st.integers(0, 10**6)
USAGES = st.builds(
    Usage,
    prompt_tokens=TOKENS,
    cached_tokens=TOKENS,
    completion_tokens=TOKENS,
    reasoning_tokens=TOKENS,
)
QUARTERS = st.integers(0, 400).map(lambda quarters: quarters / 4)
SPENT = st.builds(
    Spent,
    usage=USAGES,
    cost_usd=st.none() | QUARTERS,
    latency_ms=st.integers(0, 10**6),
    calls=st.integers(0, 9),
    tries=st.integers(1, 9),
    waited_ms=st.integers(0, 10**6),
)
PROMPTS = st.sampled_from(["plan", "lede", "body"])
SPENDINGS = st.builds(
    Spending,
    prompts=st.dictionaries(PROMPTS, SPENT, max_size=3),
    in_vain=st.just(Spent()) | SPENT,
    earlier=st.just(Spent()) | SPENT,
)
