"""Short ways to ask a running simulator."""

from typing import Any

from openai import OpenAI
from openai.types.chat import ChatCompletion

from tests.simulator.briefs import block


def ask(
    client: OpenAI, prompt: str = "Write the lede.", *, trace: str = "", **more: Any
) -> ChatCompletion:
    """The completion for a prompt that begins with the brief."""
    headers = {"x-orch-trace": trace} if trace else {}
    return client.chat.completions.create(
        model=more.pop("model", "simulator-fast"),
        messages=[{"role": "user", "content": block() + prompt}],
        extra_headers=headers,
        **more,
    )
